// Engines through the API: listed, selected, tested, loaded and unloaded, with the real programs.
import assert from 'node:assert/strict'
import { chmodSync, copyFileSync } from 'node:fs'
import { join } from 'node:path'
import { test } from 'node:test'
import { noPython, SIDECAR_PROGRAM } from '#test/support/world/sidecar.ts'
import { eventually, sharedWorld, temporaryFolder } from '#test/support/world/world.ts'

const open = sharedWorld()

test('engines of one studio', { timeout: 400_000 }, async (t) => {
  const world = await open()

  await t.test('an engine passes its self-test, appears as loaded, and is unloaded', async () => {
    await world.post('/system/flush-memory?unload_model=true')
    const idle = await world.post('/model/unload/tts')
    assert.deepEqual([idle.status, idle.json()], [200, { unloaded: 'tts', success: false, reason: 'not loaded' }])
    assert.equal((await world.get('/model/status')).json().status, 'idle')

    const tested = (await world.post('/engines/svc-engine/selftest')).json()
    assert.deepEqual([tested.ok, tested.message, tested.timed_out, tested.sample_rate], [true, 'Healthy', false, 24_000])
    assert.ok(tested.audio_seconds > 1 && tested.num_samples === tested.audio_seconds * 24_000)
    assert.equal((await world.post('/engines/unknown/selftest')).status, 404)
    assert.equal((await world.post('/engines/voxcpm2/selftest')).status, 400)
    assert.equal((await world.get('/engines/svc-engine/health')).json().ok, true)
    assert.equal((await world.get('/engines/unknown/health')).status, 404)

    // Each answer is true at once, several times in a row.
    for (let round = 0; round < 3; round++) {
      if (round > 0) assert.equal((await world.post('/v1/audio/speech', { input: 'Hello.' })).status, 200)
      const [status, loaded] = await Promise.all([world.get('/model/status'), world.get('/model/loaded')])
      assert.deepEqual([status.json().status, status.json().loaded], ['ready', true])
      const { models, count, degraded_sources } = loaded.json()
      assert.deepEqual([count, models[0].id, models[0].engine_id, degraded_sources], [1, 'tts', 'svc-engine', []])
      assert.match(models[0].note, /^Using the voice Heart/, 'the substitute is named')
      assert.deepEqual((await world.post('/model/unload/tts')).json(), { unloaded: 'tts', success: true })
      assert.deepEqual((await world.post('/model/unload/tts')).json(), { unloaded: 'tts', success: false, reason: 'not loaded' })
      assert.equal((await world.get('/model/status')).json().status, 'idle')
      assert.equal((await world.get('/model/loaded')).json().count, 0)
    }
    assert.equal((await world.post('/model/unload/attic')).status, 400)
    assert.deepEqual((await world.post('/model/unload/asr')).json(), { unloaded: 'asr', success: false, reason: 'not loaded' })
    assert.equal((await world.post('/system/flush-memory?unload_model=true')).json().flushed, true)
    assert.equal((await world.post('/engines/svc-engine/selftest')).json().ok, true, 'it is loaded again on demand')
  })

  await t.test('translators report their requirements, and dictation stores its preferences', async () => {
    const { engines } = (await world.get('/engines/translation')).json()
    assert.ok(
      ['argos', 'nllb', 'google', 'deepl', 'microsoft', 'mymemory', 'openai'].every((id) => engines.some((row: any) => row.id === id)),
    )
    const { installed } = engines.find(({ id }: { id: string }) => id === 'argos')
    const install = await world.post('/engines/translation/argos/install')
    assert.deepEqual([install.status, install.json().status], installed ? [200, 'already_installed'] : [400, undefined])
    assert.equal((await world.post('/engines/translation/unknown/install')).status, 404)
    assert.equal((await world.delete('/engines/translation/argos')).status, 400)
    assert.deepEqual((await world.delete('/engines/translation/deepl')).json(), { status: 'no_op', engine: 'deepl' })
    assert.equal((await world.get('/dictation/models')).json().models.length, 7)
    assert.equal((await world.post('/dictation/prefs', { mode: 'hold', model_id: 'nothing' })).status, 400)
    assert.equal((await world.get('/dictation/prefs')).json().mode, 'toggle')
    assert.equal((await world.post('/dictation/prefs', { mode: 'hold' })).json().mode, 'hold')
  })

  await t.test('the list of engines is correct, and a selected engine is used from then on', async () => {
    const all = (await world.get('/engines')).json()
    assert.deepEqual([all.tts.active, all.tts.env_override, all.llm.active], ['svc-engine', false, 'off'])
    assert.deepEqual((await world.get('/v1/audio/voices')).json().engines, (await world.get('/engines/tts')).json().backends)
    for (const { id, curated_models, active_model_id } of all.tts.backends)
      assert.deepEqual([curated_models, active_model_id], id === 'mlx-audio' ? [[], ''] : [undefined, undefined], id)
    const works = all.tts.backends.flatMap(({ id, available }: { id: string; available: boolean }) => (available ? [id] : []))
    assert.ok(works.includes('svc-engine') && works.includes('tone'), works.join())
    assert.equal((await world.get('/engines/effects/presets')).json().presets.length, 6)
    for (const id of works) {
      const reply = await world.post('/v1/audio/speech', { input: 'Hello.', model: id, response_format: 'wav' })
      assert.equal(reply.status, 200, `${id} is listed as available: ${reply.body.subarray(0, 200)}`)
    }

    const refused = await world.post('/engines/select', { family: 'tts', backend_id: 'cosyvoice' })
    assert.equal(refused.status, 400)
    assert.match(refused.body.toString(), /not installed/)
    assert.equal((await world.post('/engines/select', { family: 'tts', backend_id: 'tone' })).json().active, 'tone')
    await world.restart()
    assert.equal((await world.get('/engines/tts')).json().active, 'tone')
    const reason = (reply: { headers: Headers }) => reply.headers.get('x-svc-routing-reason') ?? ''
    const reply = await world.post('/v1/audio/speech', { input: 'Hello.', model: 'tts-1', response_format: 'wav' })
    assert.match(reason(reply), /tone|test/i)
    const form = new FormData()
    form.set('text', 'Hello.')
    assert.match(reason(await world.post('/generate', form)), /tone|test/i)
  })

  await t.test('a sidecar is installed, selected, used and removed', { skip: noPython }, async (t) => {
    const source = temporaryFolder(t)
    copyFileSync(SIDECAR_PROGRAM, join(source, 'voice_sidecar.py'))
    const path = '/engines/sidecar/cosyvoice/install'
    const row = async () => (await world.get('/engines/tts')).json().backends.find(({ id }: { id: string }) => id === 'cosyvoice')
    assert.equal((await row()).available, false)
    assert.equal((await world.post('/engines/sidecar/kittentts/install')).status, 404)
    assert.equal((await world.post(path, { source: '' })).status, 422)
    const install = async () => {
      assert.equal((await world.post(path, { source })).json().status, 'started')
      return eventually(async () => {
        const { job } = (await world.get(`${path}/status`)).json()
        return job.state !== 'running' && job
      })
    }
    // Otherwise a user who may send requests and can write here would run programs as the user of the studio.
    chmodSync(source, 0o777)
    const { state, error, remediation } = await install()
    assert.equal(state, 'failed')
    assert.match(error, /does not run programs that other users can change\. Other users can change .* \(mode 777\)\.$/)
    assert.equal(remediation, `Run: chmod -R go-w '${source}'`)
    chmodSync(source, 0o755)
    assert.equal((await install()).error, null)
    await eventually(async () => (await row()).available)
    const { isolation_mode, effective_device, routing_status, voices } = await row()
    assert.deepEqual([isolation_mode, effective_device, routing_status, voices.length], ['subprocess', 'cpu', 'cpu_only', 1])
    assert.equal((await world.post('/engines/select', { family: 'tts', backend_id: 'cosyvoice' })).status, 200)
    const reply = await world.post('/v1/audio/speech', { input: 'Hello.', model: 'tts-1', response_format: 'wav' })
    assert.equal(reply.status, 200, reply.body.subarray(0, 200).toString())
    assert.ok(reply.body.length > 6_000)
    assert.equal((await world.post('/engines/cosyvoice/selftest')).status, 400)
    assert.equal((await world.post('/model/unload/sidecar%3Acosyvoice')).json().success, true)
    const program = join(world.dataDir, 'sidecars/cosyvoice/voice_sidecar.py')
    chmodSync(program, 0o666)
    const unsafe = await world.post('/v1/audio/speech', { input: 'Hello.', model: 'tts-1', response_format: 'wav' })
    assert.equal(unsafe.status, 409)
    assert.match(unsafe.json().detail, /was not started\. Other users can change .*voice_sidecar\.py \(mode 666\)\. Run: chmod -R go-w/)
    assert.equal((await world.delete(path)).json().status, 'uninstalled')
    await eventually(async () => !(await row()).available)
    const refused = await world.post('/v1/audio/speech', { input: 'Hello.', model: 'tts-1', response_format: 'wav' })
    assert.deepEqual([refused.status, /not available/.test(refused.body.toString())], [409, true])
  })

  // Other files go on with this studio.
  assert.equal((await world.post('/engines/select', { family: 'tts', backend_id: 'svc-engine' })).status, 200)
  await world.post('/dictation/prefs', { mode: 'toggle' })
})
