// Models from the catalogue to an engine: through the routes, with real agents and a real download server.
import assert from 'node:assert/strict'
import { readdirSync } from 'node:fs'
import { request } from 'node:http'
import { totalmem } from 'node:os'
import { createInterface } from 'node:readline'
import { type TestContext, test } from 'node:test'
import { FILES, GATED, open, REPO, server } from '#test/support/models/model-studio.ts'
import { studio } from '#test/support/world/cli.ts'
import { eventually, type World } from '#test/support/world/world.ts'

const path = (file: string) => `/${REPO}/resolve/${'c0ffee'.padEnd(40, '0')}/${file}`
const rowOf = async (world: World) => {
  const reply = await world.get('/models')
  assert.equal(reply.status, 200, String(reply.body))
  return reply.json().models.find((row: { repo_id: string }) => row.repo_id === REPO)
}

type Told = Record<string, any>
/** The events of the stream, and a promise of the first matching one. */
async function listen(t: TestContext, url: string, query = '') {
  const events: Told[] = []
  const waiting: { fits: (event: Told) => boolean; resolve: (event: Told) => void }[] = []
  const call = request(`${url}/setup/download-stream${query}`)
  t.after(() => call.destroy())
  call.on('error', () => {})
  const ignore = () => {} // the studio stops before its clients
  await new Promise<void>((resolve) => {
    call.on('response', (answer) => {
      assert.match(answer.headers['content-type']!, /^text\/event-stream/)
      answer.on('error', ignore)
      const lines = createInterface({ input: answer }).on('error', ignore)
      lines.on('line', (line) => {
        if (line.startsWith(':')) resolve()
        if (!line.startsWith('data: ')) return
        const event = JSON.parse(line.slice(6)) as Told
        events.push(event)
        for (const { fits, resolve: found } of waiting) if (fits(event)) found(event)
      })
    })
    call.end()
  })
  return {
    events,
    until: (fits: (event: Told) => boolean) =>
      new Promise<Told>((resolve) => {
        const found = events.find(fits)
        if (found) resolve(found)
        else waiting.push({ fits, resolve })
      }),
  }
}
test('models of one studio', { timeout: 400_000 }, async (t) => {
  const env = { STUDIO_MODELS_URL: server.url, STUDIO_MODELS_CACHE: '' }
  const world = await open()

  await t.test('preflight describes a fresh installation correctly', async () => {
    const preflight = (await world.get('/setup/preflight')).json()
    assert.deepEqual(
      preflight.checks.map(({ id }: { id: string }) => id),
      ['os', 'python', 'ram', 'disk', 'hf_cache_writable', 'gpu', 'gpu_routing', 'network'],
    )
    for (const { status: state, fix } of preflight.checks) assert.equal(fix === null, state === 'pass')
    const memory = Number.parseFloat(preflight.checks[2].detail)
    assert.ok(Math.abs(memory - totalmem() / 1e9) < 0.2, `${memory} GB, decimal as all sizes for people`)
    const network = preflight.checks.at(-1)
    const alone = (await world.get('/setup/preflight?network=false')).json()
    assert.equal(alone.checks.at(-1).id, 'gpu_routing', 'the model server is not contacted')
    assert.deepEqual([network.mirror_reachable, network.endpoint], [true, server.url])
    assert.deepEqual([preflight.gpu_routing.engine, preflight.gpu_routing.effective_device], ['svc-engine', 'cpu'])
    const recommended = (await world.get('/setup/recommendations')).json()
    assert.equal(recommended.all_installed, false)
    assert.ok(recommended.models.some(({ repo_id }: { repo_id: string }) => repo_id === 'Supertone/supertonic-3'))
    for (const wait of ['', '&wait=true']) {
      const unknown = await world.post(`/setup/warmup?engine=no-such${wait}`)
      assert.equal(unknown.status, 400)
      assert.match(unknown.json().detail, /^There is no engine "no-such" for speech or recognition\./)
    }
    const missing = await world.post('/setup/warmup?engine=kokoro&wait=true')
    assert.equal(missing.status, 503)
    assert.match(missing.json().detail, /connected but cannot run tts with kokoro/)
    assert.match(missing.json().hint, /install the engine/)
    const recogniser = await world.post('/setup/warmup?engine=faster-whisper&wait=true')
    assert.match(recogniser.json().detail, /cannot run asr with /)
    assert.deepEqual((await world.post('/setup/warmup')).json(), { status: 'warmup_started' })
    await eventually(() => /engine host started/.test(world.studio.output()))
  })

  await t.test('a model is installed through the routes with progress events, used, and removed again', async (t) => {
    const stream = await listen(t, world.url)
    const before = server.count(path('model.onnx'))
    assert.deepEqual([(await rowOf(world)).installed, (await rowOf(world)).supported], [false, true])
    const unknown = await world.post('/models/install', { repo_id: 'no/such' })
    assert.equal(unknown.status, 400)
    assert.match(unknown.json().detail, /^There is no model no\/such\. Similar models: /)
    for (const body of [{}, { repo_id: '' }, { repo_id: 5 }]) assert.equal((await world.post('/models/install', body)).status, 422)

    const started = await world.post('/models/install', { repo_id: REPO })
    assert.deepEqual([started.status, started.json()], [200, { status: 'install_started', repo_id: REPO }])
    await stream.until(({ phase }) => phase === 'install_done')
    const phases = stream.events.map(({ phase }) => phase)
    assert.deepEqual(phases.slice(0, 3), ['install_start', 'resolving', 'install_plan'])
    const total = Object.values(FILES).reduce((sum, { length }) => sum + length, 0)
    const plan = stream.events.find(({ phase }) => phase === 'install_plan')!
    assert.deepEqual(plan, {
      phase: 'install_plan',
      repo_id: REPO,
      filename: REPO,
      total_bytes: total,
      cached_bytes: 0,
      to_download_bytes: total,
      n_files: 3,
      n_cached: 0,
      target: 'local',
    })
    for (const event of stream.events) if ('pct' in event) assert.ok(event['pct'] >= 0 && event['pct'] <= 1)
    const row = await rowOf(world)
    assert.deepEqual([row.installed, row.incomplete, row.nb_files], [true, false, 4])
    assert.ok(row.size_on_disk_bytes > total)
    assert.equal(server.count(path('model.onnx')) - before, 1)

    for (const id of ['no%2Fsuch', 'none', '%20', '..%2F..%2Fstudio.db'])
      assert.equal((await world.delete(`/models/${id}`)).status, 404, id)
    const removed = await world.delete(`/models/${encodeURIComponent(REPO)}`)
    assert.equal(removed.status, 200, String(removed.body))
    assert.equal(removed.json().deleted, true)
    assert.ok(removed.json().freed_bytes > total)
    assert.equal((await world.delete(`/models/${REPO}`)).status, 404, 'also with an unescaped slash')
    await stream.until(({ phase }) => phase === 'delete_done')
  })

  await t.test('a killed agent continues its download and fetches no byte twice', async (t) => {
    const stream = await listen(t, world.url)
    const { promise, resolve } = Promise.withResolvers<void>()
    const before = { model: server.count(path('model.onnx')), config: server.count(path('config.json')) }
    server.fail(path('voices/a.bin'), { kind: 'wait', until: promise })
    await world.post('/models/install', { repo_id: REPO })
    await stream.until(({ phase, filename }) => phase === 'start' && filename === 'voices/a.bin')
    assert.equal((await world.post('/models/install', { repo_id: REPO })).json().status, 'already_running')
    const pid = Number(/"pid":(\d+),"msg":"the local agent was started"/.exec(world.studio.output())![1])
    process.kill(pid, 'SIGKILL')
    resolve()
    await stream.until(({ phase }) => phase === 'install_done')
    assert.equal(server.count(path('model.onnx')) - before.model, 1)
    assert.equal(server.count(path('config.json')) - before.config, 1)
    assert.equal((await rowOf(world)).installed, true)
    assert.equal((await world.delete(`/models/${REPO}`)).status, 200)
  })

  await t.test('a cancel takes effect at once, a failure enforces a delay, a cancel allows the next attempt', async (t) => {
    const stream = await listen(t, world.url)
    server.fail(path('model.onnx'), { kind: 'stall', after: 1_000_000 })
    await world.post('/models/install', { repo_id: REPO })
    await stream.until(({ phase, filename }) => phase === 'start' && filename === 'model.onnx')
    assert.deepEqual((await world.post('/models/install/cancel', { repo_id: REPO })).json(), { cancelling: REPO })
    await stream.until(({ phase }) => phase === 'install_cancelled')
    const { cancelled, installing, download } = await rowOf(world)
    assert.deepEqual([cancelled, installing, download], [true, false, null])
    assert.equal((await world.post('/models/install/cancel', { repo_id: 'no/such' })).status, 200)
    assert.equal((await world.post('/models/install/next', { repo_id: 'no/such' })).status, 400)
    const idle = await world.post('/models/install/next', { repo_id: REPO })
    assert.deepEqual([idle.status, idle.json().detail], [404, 'This model is not being downloaded.'])

    server.failAlways(path('model.onnx'), { kind: 'status', status: 403 })
    await eventually(async () => (await world.post('/models/install', { repo_id: REPO })).json().status === 'install_started')
    const failed = await stream.until(({ phase }) => phase === 'install_error')
    assert.match(failed['error'], /403/)
    assert.equal((await rowOf(world)).cancelled, false, 'the last installation failed')
    const refused = async () => (await world.post('/models/install', { repo_id: REPO })).status === 429
    await eventually(refused)
    server.heal()
    assert.equal((await world.post('/models/install/cancel', { repo_id: REPO, target: 'attic' })).status, 200)
    assert.ok(await refused(), 'a cancel for another machine leaves the delay of this one')
    await world.post('/models/install/cancel', { repo_id: REPO, target: 'local' })
    assert.equal((await world.post('/models/install', { repo_id: REPO })).status, 200)
    await stream.until(({ phase }) => phase === 'install_done')
    assert.equal((await world.delete(`/models/${REPO}`)).status, 200)
    assert.equal((await rowOf(world)).cancelled, false)
  })

  await t.test('a model with a restrictive licence is downloaded only after the licence was accepted', async (t) => {
    const rowOfIt = async () => (await world.get('/models')).json().models.find(({ repo_id }: { repo_id: string }) => repo_id === GATED)
    const stream = await listen(t, world.url)
    const states = async () => [(await rowOfIt()).gated, (await rowOfIt()).licence_accepted, (await rowOfIt()).installed]
    assert.deepEqual(await states(), [true, false, false])
    for (const body of [{ repo_id: GATED }, { repo_id: GATED, accept_licence: false }]) {
      const refused = await world.post('/models/install', body)
      assert.equal(refused.status, 409, refused.body.toString())
      const { error, licence, engine_id, message } = refused.json().detail
      assert.deepEqual([error, licence, engine_id], ['licence_not_accepted', 'CC-BY-4.0', 'pockettts'])
      assert.match(message, /--accept-licence/)
    }
    assert.equal((await world.post('/models/install', { repo_id: GATED, accept_licence: 'perhaps' })).status, 422)
    const shell = await studio(['models', 'install', GATED], { env: { STUDIO_PORT: new URL(world.url).port } })
    assert.equal(shell.code, 1)
    assert.match(shell.errors, /--accept-licence/)
    assert.deepEqual(stream.events, [])

    const accepted = (id: string) => world.get(`/api/settings/license/${id}`)
    assert.deepEqual((await accepted('PocketTTS')).json(), { engine_id: 'pockettts', accepted: false })
    assert.equal((await accepted('kokoro')).status, 400)
    assert.equal((await world.post('/models/install', { repo_id: GATED, accept_licence: true })).status, 200)
    await stream.until(({ phase }) => phase === 'install_done')
    assert.deepEqual(await states(), [true, true, true])
    assert.deepEqual((await accepted('pockettts')).json(), { engine_id: 'pockettts', accepted: true })

    // A revoked acceptance is required again; an acceptance on the other route counts.
    const set = (body: object) => world.post('/api/settings/license', body)
    assert.deepEqual((await set({ engine_id: ' POCKETTTS ', accepted: false })).json(), {
      ok: true,
      engine_id: 'pockettts',
      accepted: false,
    })
    assert.equal((await world.post('/models/install', { repo_id: GATED })).status, 409)
    assert.equal((await set({ engine_id: 'unknown', accepted: true })).status, 400)
    assert.equal((await set({ engine_id: 'pockettts', accepted: true })).status, 200)
    await world.restart()
    assert.equal((await accepted('pockettts')).json().accepted, true)
  })
  await t.test('a borrowed machine downloads its own models once it is approved, and the list shows them', async (t) => {
    const machine = await world.machine('Helper', env)
    const before = server.count(path('model.onnx'))
    const refused = await world.post('/models/install', { repo_id: REPO, target: machine.workerId })
    assert.equal(refused.status, 409)
    assert.equal((await world.post('/models/install', { repo_id: REPO, target: 'unknown' })).status, 409)
    await world.approve(machine)
    await world.post('/workers/target', { target: machine.workerId })
    const request = { engine: 'tone', model_id: 'weighed', params: { segments: [{ text: 'one two' }] }, deadline_seconds: 30 }
    const without = await world.task(request)
    assert.equal(without.status, 502)
    assert.match(String(without.body), /cannot run tts with tone:weighed/)
    assert.equal((await world.task({ ...request, model_id: '' })).status, 200)
    // For a take the same is a refusal that names the model and the machine, before anything is sent there.
    const form = new FormData()
    form.set('text', 'Hello.')
    form.set('engine', 'supertonic3')
    for (const stream of ['false', 'true']) {
      form.set('stream', stream)
      const take = await world.post('/generate', form)
      const { error, target, target_label } = take.json().detail
      assert.deepEqual([take.status, error, target, target_label], [409, 'model_not_downloaded', machine.workerId, 'Helper'])
    }
    await world.post('/workers/target', { target: 'local' })
    const [all, own] = [await listen(t, world.url, `?target=${machine.workerId}`), await listen(t, world.url, '?target=local')]
    const started = await world.post('/models/install', { repo_id: REPO, target: machine.workerId })
    assert.deepEqual(started.json(), { status: 'started', repo_id: REPO, target: machine.workerId })
    await all.until(({ phase }) => phase === 'install_done')
    assert.ok(all.events.every(({ target }) => target === machine.workerId))
    assert.deepEqual(own.events, [])
    assert.equal((await rowOf(world)).installed, false, 'here it is not')
    await world.post('/workers/target', { target: machine.workerId })
    const list = (await world.get('/models')).json()
    assert.deepEqual([list.hf_cache_dir, list.disk_free_gb], ['', null])
    assert.equal((await rowOf(world)).installed, true)
    const with_ = await world.task(request)
    assert.equal(with_.status, 200, `a model that is reported as installed is usable: ${with_.body}`)
    assert.ok(readdirSync(`${machine.dataDir}/agent/models/tone/weighed`).includes('manifest.json'))
    assert.equal(server.count(path('model.onnx')) - before, 1)
    assert.equal((await world.delete(`/models/${REPO}`)).status, 200)
    assert.equal((await world.task(request)).status, 502, 'a removed model is unusable at once')
    await world.remove(machine)
  })
})
