// What clients of the specification rely on: start-up calls, setup and models, and the state of the models in memory.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { openModelServer, weights } from '#test/support/doubles/model-server.ts'
import { eventually, openWorld, type World } from '#test/support/world/world.ts'

type Row = Record<string, any>
const REPO = 'voice-studio/tone'
const NATIVE = 'jiangzhuo9357/omnivoice-onnx-bidi-int4'
const POCKET = 'KevinAHM/pocket-tts-web:en'
const FILES = {
  'config.json': Buffer.from('{"hz":440}'),
  'model.onnx': weights('tone', 3_000),
  'voices/a.bin': weights('a', 400),
}
const engineRow = async (world: World, id: string): Promise<Row> =>
  (await world.get('/engines/tts')).json().backends.find((row: Row) => row['id'] === id)

/** Every event of the stream from now on, in order. */
async function followDownloads(world: World): Promise<Row[]> {
  const events: Row[] = []
  const response = await fetch(`${world.url}/setup/download-stream`)
  void (async () => {
    let text = ''
    for await (const piece of response.body!.pipeThrough(new TextDecoderStream())) {
      text += piece
      const frames = text.split('\n\n')
      text = frames.pop()!
      for (const frame of frames) if (frame.startsWith('data: ')) events.push(JSON.parse(frame.slice(6)))
    }
  })().catch(() => {}) // the studio stops before its clients
  return events
}

test('clients of the specification', { timeout: 180_000 }, async (t) => {
  const server = await openModelServer(t, { [REPO]: FILES })
  const world = await openWorld(t, { impatient: true, env: { STUDIO_MODELS_URL: server.url, STUDIO_MODELS_CACHE: '' } })

  await t.test('start-up calls answer 200 before the local agent has connected', async () => {
    assert.equal((await world.get('/health')).status, 200)
    for (const path of ['/setup/status', '/model/status', '/model/loaded', '/engines', '/history', '/workers/target', '/setup/preflight'])
      assert.equal((await world.get(path)).status, 200, path)
    assert.doesNotMatch(world.studio.output(), /"workerId":"local".*a machine is connected/, 'the calls were too late for this test')
  })
  await world.studio.says(/"workerId":"local".*a machine is connected/)

  await t.test('models_ready is true while the selected engine can answer, and false with the missing model otherwise', async () => {
    const status = (await world.get('/setup/status')).json()
    assert.deepEqual([status.models_ready, status.missing], [true, []])
    assert.deepEqual([status.hf_cache_dir, status.min_free_gb], [`${world.dataDir}/local-agent/models`, 10])
    const asked = await world.post('/v1/audio/speech', { input: 'Hello.' })
    assert.equal(asked.status, 200, 'what models_ready promises')
  })

  await t.test('a routing status is the same in every list: a CPU host is cpu_only', async () => {
    const row = await engineRow(world, 'svc-engine')
    const { gpu_routing } = (await world.get('/setup/preflight')).json()
    const { engine, effective_device, routing_status, routing_reason } = gpu_routing
    assert.deepEqual([engine, effective_device, routing_status], ['svc-engine', 'cpu', 'cpu_only'])
    assert.deepEqual([row['effective_device'], row['routing_status'], row['routing_reason']], ['cpu', 'cpu_only', routing_reason])
    for (const { routing_status: each } of (await world.get('/engines')).json().tts.backends) assert.notEqual(each, 'cpu_fallback')
  })

  await t.test('the media tools have the shape of the specification, and an acquisition answers its own state', async () => {
    const tools = (await world.get('/media-tools/status')).json()
    assert.deepEqual(Object.keys(tools).sort(), ['ops', 'platform_key', 'ready', 'tools'])
    assert.deepEqual(Object.keys(tools.tools).sort(), ['ffmpeg', 'ffprobe', 'ytdlp'])
    for (const id of ['ffmpeg', 'ffprobe']) assert.deepEqual(Object.keys(tools.tools[id]), ['tool', 'ok', 'path', 'version', 'origin'])
    const extra = ['overlay_version', 'baseline_version']
    assert.deepEqual(Object.keys(tools.tools.ytdlp), ['tool', 'ok', 'path', 'version', 'origin', ...extra])
    assert.deepEqual(Object.keys(tools.ops), ['acquire', 'ytdlp_update'])
    const { ok, path, version, origin } = tools.tools.ffmpeg
    assert.deepEqual([path !== null, version !== null, origin], [ok, ok, ok ? 'system' : null])
    const acquired = (await world.post('/media-tools/acquire')).json()
    assert.deepEqual(Object.keys(acquired), ['state', 'progress', 'error'])
    assert.deepEqual((await world.get('/media-tools/status')).json().ops.acquire, acquired)
    assert.deepEqual([acquired.state, acquired.error === null], tools.ready ? ['done', true] : ['error', false])
    const { media_tools } = (await world.get('/setup/preflight')).json()
    assert.deepEqual(media_tools, { ready: tools.ready, acquire: acquired })
  })

  await t.test('an installation needs no acceptance, except for the engines of the licence list, whose rows say so', async () => {
    const events = await followDownloads(world)
    // The server does not have these files: the installation is accepted and fails.
    assert.equal((await world.post('/models/install', { repo_id: NATIVE })).status, 200)
    const refused = await world.post('/models/install', { repo_id: POCKET })
    assert.deepEqual([refused.status, refused.json().detail.error], [409, 'licence_not_accepted'])
    for (const id of ['supertonic3', 'pockettts']) assert.match((await engineRow(world, id))['reason'], /license not accepted/)
    assert.doesNotMatch((await engineRow(world, 'kokoro'))['reason'], /license/)
    assert.equal((await world.get('/api/settings/license/svc-engine')).status, 400)
    await world.post('/api/settings/license', { engine_id: 'pockettts', accepted: true })
    assert.doesNotMatch((await engineRow(world, 'pockettts'))['reason'], /license/)
    assert.equal((await world.post('/models/install', { repo_id: POCKET })).status, 200)
    await eventually(() => ['install_error'].every((phase) => events.filter((event) => event['phase'] === phase).length === 2))
    for (const event of events.filter(({ phase }) => phase === 'resolving'))
      assert.ok(Number.isInteger(event['step']), String(event['step']))
    const rows = (await world.get('/models')).json().models.filter(({ repo_id }: Row) => [NATIVE, POCKET].includes(repo_id))
    assert.deepEqual(
      rows.map(({ incomplete, nb_files }: Row) => [incomplete, nb_files]),
      [
        [false, 0],
        [false, 0],
      ],
    )
  })

  await t.test('a failed download leaves no unfinished model when nothing of it arrived', async () => {
    const events = await followDownloads(world)
    server.failAlways(server.fileOf(REPO, 'config.json'), { kind: 'status', status: 403 })
    server.failAlways(server.fileOf(REPO, 'model.onnx'), { kind: 'status', status: 403 })
    await world.post('/models/install', { repo_id: REPO })
    await eventually(() => events.some(({ phase }) => phase === 'install_error'))
    server.heal()
    const row = (await world.get('/models')).json().models.find(({ repo_id }: Row) => repo_id === REPO)
    assert.deepEqual([row.installed, row.incomplete, row.nb_files, row.size_on_disk_bytes], [false, false, 0, 0])
  })

  await t.test('a dictation model is reported while it is installed', async () => {
    const { promise, resolve } = Promise.withResolvers<void>()
    const [model] = (await world.get('/dictation/models')).json().models
    assert.equal(model.installing, false)
    server.failAlways(`/api/models/${model.repo_id}/tree/${'c0ffee'.padEnd(40, '0')}`, { kind: 'wait', until: promise })
    await world.post('/models/install', { repo_id: model.repo_id })
    const rows = (await world.get('/dictation/models')).json().models
    assert.deepEqual(
      rows.filter(({ installing }: Row) => installing).map(({ repo_id }: Row) => repo_id),
      [model.repo_id],
    )
    await world.post('/models/install/cancel', { repo_id: model.repo_id })
    resolve()
    await eventually(async () => (await world.get('/dictation/models')).json().models.every(({ installing }: Row) => !installing))
  })

  await t.test('each deletion ends with an event, also when nothing was installed', async () => {
    const events = await followDownloads(world)
    assert.equal((await world.delete(`/models/${REPO}`)).status, 404)
    await eventually(() => events.length === 2)
    assert.deepEqual(
      events.map(({ phase, repo_id, freed_bytes }) => [phase, repo_id, freed_bytes]),
      [
        ['delete_start', REPO, undefined],
        ['delete_done', REPO, 0],
      ],
    )
  })

  await t.test('times of generation have at most two decimals', async () => {
    const form = new FormData()
    form.set('text', 'Hello there.')
    const take = await world.post('/generate', form)
    assert.match(take.headers.get('x-gen-time')!, /^\d+(\.\d{1,2})?$/)
    form.set('stream', 'true')
    const lines = (await world.post('/generate', form)).body.toString().trim().split('\n')
    const times = (await world.get('/history')).json().map(({ generation_time }: Row) => generation_time)
    for (const time of [...times, JSON.parse(lines.at(-1)!).gen_time]) assert.match(String(time), /^\d+(\.\d{1,2})?$/)
  })
})
