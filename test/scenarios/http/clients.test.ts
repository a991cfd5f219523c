// Routes that clients of the specification rely on: start-up calls, setup and models, and the state of the models in memory.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { CONTRACTS } from '#control-plane/registry/contracts.ts'
import { parseWav } from '#shared/audio/wav.ts'
import { findProgram } from '#shared/runtime/program.ts'
import { openModelServer, weights } from '#test/support/doubles/model-server.ts'
import { panelPath } from '#test/support/web/panel.ts'
import { form } from '#test/support/world/http.ts'
import { eventually, openWorld, type Reply, type World } from '#test/support/world/world.ts'

/** Kokoro reads the phonemes of espeak-ng, and does not exist on a machine without it. */
const noKokoro = !findProgram('espeak-ng', process.env['PATH']) && 'espeak-ng is not installed'

type Row = Record<string, any>
/** A file of the page. */
const APP = `${await panelPath()}/app.js`
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

const SIGN_IN = ['people.startSignIn', 'people.finishSignIn']

test('clients of the specification', { timeout: 400_000 }, async (t) => {
  const server = await openModelServer(t, { [REPO]: FILES })
  const world = await openWorld(t, { impatient: true, env: { STUDIO_MODELS_URL: server.url, STUDIO_MODELS_CACHE: '' } })

  await t.test('start-up calls answer 200 before the local agent has connected', async () => {
    assert.equal((await world.get('/health')).status, 200)
    assert.equal((await world.get('/setup/status')).status, 200)
    assert.doesNotMatch(world.studio.output(), /"workerId":"local".*a machine is connected/, 'the call was too late for this test')
    for (const path of ['/model/status', '/model/loaded', '/engines', '/history', '/workers/target', '/setup/preflight'])
      assert.equal((await world.get(path)).status, 200, path)
  })
  await world.studio.says(/"workerId":"local".*a machine is connected/)

  await t.test('every start-up call of the usual clients answers 200, and lists are bare arrays', async () => {
    const lists = [
      '/dub/history',
      '/batch/jobs?status=active&limit=100',
      '/profiles',
      '/projects',
      '/export/history',
      '/history',
      '/personalities',
    ]
    const objects = ['/system/info', '/sysinfo', '/system/notifications', '/system/logs', '/system/logs/tauri', '/api/settings/analytics']
    const more = ['/system/last-run-crash', '/system/network/state', '/setup/status', '/model/status', '/engines', '/workers/target']
    for (const path of [...lists, ...objects, ...more]) {
      const reply = await world.get(path)
      assert.deepEqual([reply.status, Array.isArray(reply.json())], [200, lists.includes(path)], path)
    }
  })

  await t.test('models_ready is true while the selected engine can answer, and false with the missing model otherwise', async () => {
    const status = (await world.get('/setup/status')).json()
    assert.deepEqual([status.models_ready, status.missing], [true, []])
    const { disk_free_gb } = (await world.get('/system/info')).json()
    assert.ok(
      Math.abs(disk_free_gb / status.disk_free_gb - 1) < 0.03,
      `${disk_free_gb} GB in one place, ${status.disk_free_gb} GB in the other`,
    )
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
    if (!ok || !tools.tools.ffprobe.ok) return // it would download them
    const acquired = (await world.post('/media-tools/acquire')).json()
    assert.deepEqual(Object.keys(acquired), ['state', 'progress', 'error'])
    assert.deepEqual((await world.get('/media-tools/status')).json().ops.acquire, acquired)
    assert.deepEqual(acquired, { state: 'done', progress: 1, error: null })
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
    const take = await world.post('/generate', form({ text: 'Hello there.' }))
    assert.match(take.headers.get('x-gen-time')!, /^\d+(\.\d{1,2})?$/)
    const lines = (await world.post('/generate', form({ text: 'Hello there.', stream: true }))).body.toString().trim().split('\n')
    const times = (await world.get('/history')).json().map(({ generation_time }: Row) => generation_time)
    for (const time of [...times, JSON.parse(lines.at(-1)!).gen_time]) assert.match(String(time), /^\d+(\.\d{1,2})?$/)
  })

  await t.test('HEAD answers where GET serves a file, with the headers of GET and no body', async () => {
    const [take] = (await world.get('/history')).json()
    // Files of the page are compressed for clients that accept it, and their length is that of the compressed bytes.
    const plain = { 'accept-encoding': 'identity' }
    for (const path of [`/audio/${take.audio_path}`, '/', APP, '/docs', '/metrics']) {
      const [head, whole] = [await world.send('HEAD', path, undefined, plain), await world.send('GET', path, undefined, plain)]
      assert.deepEqual([head.status, head.body.length], [200, 0], path)
      assert.equal(head.headers.get('content-type'), whole.headers.get('content-type'), path)
      if (path !== '/metrics') assert.equal(head.headers.get('content-length'), String(whole.body.length), path)
    }
    const first = await world.get(APP)
    assert.equal(first.headers.get('content-encoding'), 'gzip')
    const again = await world.send('GET', APP, undefined, { 'if-none-match': first.headers.get('etag')! })
    assert.deepEqual([again.status, again.body.length], [304, 0])
    assert.match(first.headers.get('cache-control')!, /immutable/)
    assert.equal((await world.get('/panel/0123456789abcdef/app.js')).status, 404, 'of another version')
    assert.equal((await world.send('HEAD', '/audio/none.wav')).status, 404)
    for (const path of ['/demo_audio/manifest.json', '/demo_audio/dictation/none.wav'])
      for (const method of ['GET', 'HEAD']) assert.equal((await world.send(method, path)).status, 404, path)
    assert.deepEqual((await world.get('/demo_audio/demo/dubbing/manifest.json')).json(), { source: null, dubbed: [] })
    const clip = '/demo_audio/demo_clone_output.wav'
    const { body } = await world.get(clip)
    const { samples, sampleRate } = parseWav(body)
    assert.ok(samples.length / sampleRate > 2, `${samples.length / sampleRate} s`)
    const head = await world.send('HEAD', clip)
    assert.deepEqual([head.status, head.headers.get('content-length')], [200, String(body.length)])
    const part = await world.send('GET', clip, undefined, { range: 'bytes=44-99' })
    assert.deepEqual([part.status, part.body.equals(body.subarray(44, 100))], [206, true])
  })

  await t.test('HEAD answers wherever GET does, with its status and type, and leaves nothing open', async () => {
    for (const { id, path: pattern } of CONTRACTS.filter(({ method }) => method === 'GET')) {
      const path = pattern.replaceAll(/\{\w+\}/g, 'none')
      if (SIGN_IN.includes(id)) {
        assert.equal((await world.send('HEAD', path)).status, 405, 'it would begin a sign-in, or end one')
        continue
      }
      const ended = new AbortController()
      const whole = await fetch(world.url + path, { signal: ended.signal, redirect: 'manual' }) // an event stream has no end
      ended.abort()
      const head = await world.send('HEAD', path)
      assert.deepEqual([head.status, head.headers.get('content-type')], [whole.status, whole.headers.get('content-type')], id)
      assert.equal(head.body.length, 0, id)
    }
    // A stream that HEAD leaves open would take one of the places.
    for (let call = 0; call < 200; call++) assert.equal((await world.send('HEAD', '/workers/events')).status, 200, `call ${call}`)
  })

  await t.test('a range beyond the end of a file is answered with its size', async () => {
    const [take] = (await world.get('/history')).json()
    const path = `/audio/${take.audio_path}`
    const { length } = (await world.get(path)).body
    const part = await world.send('GET', path, undefined, { range: 'bytes=0-9' })
    assert.deepEqual([part.status, part.body.length, part.headers.get('content-range')], [206, 10, `bytes 0-9/${length}`])
    const beyond = await world.send('GET', path, undefined, { range: `bytes=${length}-` })
    assert.deepEqual([beyond.status, beyond.headers.get('content-range')], [416, `bytes */${length}`])
  })

  await t.test('a wrong method on a known path is 405 with the right ones, also with a body that cannot be read', async () => {
    for (const [method, path, allow] of [
      ['GET', '/v1/audio/speech', 'POST'],
      ['DELETE', '/v1/audio/voices', 'GET, HEAD'],
      ['POST', '/health?x=1', 'GET, HEAD'],
      ['PUT', '/history', 'DELETE, GET, HEAD'],
      ['POST', '/history/some-id/starred', 'PUT'],
      ['HEAD', '/generate', 'POST'],
      ['POST', '/', 'GET, HEAD'],
      ['OPTIONS', '/history', 'DELETE, GET, HEAD'],
      ['OPTIONS', '/audio/none.wav', 'GET, HEAD'],
    ] as const) {
      const reply = await world.send(method, path, ['POST', 'PUT'].includes(method) ? '{' : undefined)
      assert.deepEqual([reply.status, reply.headers.get('allow')], [405, allow], `${method} ${path}`)
      if (method !== 'HEAD') assert.match(reply.json().detail, new RegExp(`does not accept ${method}`))
    }
    assert.equal((await world.send('POST', '/nothing', '{}')).status, 404)
    for (const path of ['/nothing', '/audio/none.wav']) assert.equal((await world.get(path)).status, 404, path)
    assert.equal((await world.send('OPTIONS', '/nothing')).status, 404)
  })

  await t.test('a route without a body ignores what a client sends as one', async () => {
    for (const [type, body] of [
      ['application/json', ''],
      ['application/json', '{'],
      ['application/x-www-form-urlencoded', ''],
      ['text/xml', '<a/>'],
    ] as const) {
      const reply = await world.send('POST', '/setup/warmup', body, { 'content-type': type })
      assert.equal(reply.status, 200, `${type} ${body}: ${reply.body}`)
      assert.equal((await world.send('POST', '/nothing', body, { 'content-type': type })).status, 404)
      const needed = await world.send('POST', '/workers/target', body, { 'content-type': type })
      assert.ok([400, 422].includes(needed.status), `${type}: ${needed.status}`)
    }
  })

  await t.test('unknown fields of queries, JSON and forms are ignored and named', async () => {
    const named = (reply: Reply) => reply.headers.get('x-svc-ignored-fields')
    const spoken = await world.post('/v1/audio/speech', { input: 'Hello.', colour: 'red', 'a\r\nb': 1 })
    assert.deepEqual([spoken.status, named(spoken)], [200, 'colour, a??b'])
    const target = await world.get('/workers/target?op=tts&cache=1')
    assert.deepEqual([target.status, named(target)], [200, 'cache'])
    const chosen = await world.post('/dictation/prefs', { mode: 'hold', hotkey: 'F9' })
    assert.deepEqual([chosen.status, named(chosen), chosen.json().mode], [200, 'hotkey', 'hold'])
    const made = await world.send('POST', '/generate', form({ text: 'Hello.', colour: 'red', picture: Buffer.from('png') }))
    assert.deepEqual([made.status, named(made)], [200, 'colour, picture'])
    const refused = await world.post('/v1/audio/speech', { inpt: 'Hello.' })
    assert.deepEqual([refused.status, named(refused)], [400, 'inpt'])
    assert.equal(named(await world.get('/workers/target?op=tts')), null)
    const many = Object.fromEntries(Array.from({ length: 60_000 }, (_, at) => [`k${at}`, 1]))
    const flooded = await world.post('/v1/audio/speech', { input: 'Hello.', ...many })
    assert.deepEqual([flooded.status, named(flooded)!.endsWith('k15, ...')], [200, true])
  })

  await t.test('a missing upload, or text in its place, is a validation error', async () => {
    for (const [path, field, status] of [
      ['/v1/audio/transcriptions', 'file', 400],
      ['/transcribe', 'audio', 422],
      ['/clean-audio', 'audio', 422],
    ] as const)
      for (const [sent, type] of [
        [form({ language: 'en' }), 'missing'],
        [form({ [field]: 'RIFF' }), 'value_error'],
      ] as const) {
        const reply = await world.send('POST', path, sent)
        assert.equal(reply.status, status, `${path}: ${reply.body}`)
        assert.deepEqual([reply.json().detail[0].type, reply.json().detail[0].loc], [type, ['body', field]])
      }
    const empty = new FormData()
    empty.set('file', new Blob([]), '')
    assert.equal((await world.send('POST', '/v1/audio/transcriptions', empty)).status, 400, 'a file input that nothing was chosen for')
  })

  await t.test('seeds may be negative, and each selects the same audio again', async () => {
    for (const seed of [-1, -(2 ** 40), 2 ** 50]) {
      const speak = () => world.post('/v1/audio/speech', { input: 'Hello.', seed, response_format: 'pcm' })
      const [first, second] = [await speak(), await speak()]
      assert.deepEqual([first.status, first.body.equals(second.body)], [200, true], String(seed))
    }
    for (const seed of [-9, -(2 ** 33) - 1, 2 ** 40]) {
      const take = await world.send('POST', '/generate', form({ text: 'Hello.', seed }))
      assert.deepEqual([take.status, take.headers.get('x-seed')], [200, String(seed)], 'as it was sent')
      const again = await world.send('POST', '/generate', form({ text: 'Hello.', seed: take.headers.get('x-seed')! }))
      assert.equal(again.headers.get('x-seed'), String(seed), 'the reported seed is accepted')
      assert.equal((await world.get('/history')).json()[0].seed, seed)
    }
  })

  await t.test('the message about a number outside its bounds names the bound', async () => {
    const sound = Buffer.from('RIFF')
    for (const [path, fields, bound] of [
      ['/v1/audio/transcriptions', { file: sound, temperature: '-0.5' }, '>=0'],
      ['/v1/audio/transcriptions', { file: sound, temperature: '1.5' }, '<=1'],
      ['/v1/audio/transcriptions', { file: sound, num_speakers: '0' }, '>=1'],
      ['/v1/audio/transcriptions', { file: sound, num_speakers: '-2' }, '>=1'],
      ['/v1/audio/transcriptions', { file: sound, num_speakers: '21' }, '<=20'],
      ['/generate', { text: 'a', speed: '9' }, '<=4'],
      ['/generate', { text: 'a', speed: '-1' }, '>=0.25'],
      ['/generate', { text: 'a', guidance_scale: '21' }, '<=20'],
      ['/generate', { text: 'a', duration: '0' }, '>0'],
    ] as const) {
      const reply = await world.send('POST', path, form(fields as Parameters<typeof form>[0]))
      assert.equal(reply.status, path === '/generate' ? 422 : 400, JSON.stringify(fields))
      assert.ok(reply.json().detail[0].msg.endsWith(bound), `${JSON.stringify(fields)}: ${reply.json().detail[0].msg}`)
    }
  })

  await t.test(
    'an engine whose model is not downloaded is 409 with the model, for speech and for a take, streamed or as a job too',
    { skip: noKokoro },
    async () => {
      const spoken = await world.post('/v1/audio/speech', { input: 'Hello.', model: 'kokoro' })
      assert.equal(spoken.status, 409, String(spoken.body))
      assert.match(spoken.json().error.message, /Engine 'kokoro' is not available: its model is not installed on this machine\./)
      for (const [fields, headers] of [
        [{}, {}],
        [{ stream: true }, {}],
        [{}, { prefer: 'respond-async' }],
      ] as const) {
        const take = await world.send('POST', '/generate', form({ text: 'Hello.', engine: 'kokoro', ...fields }), headers)
        assert.equal(take.status, 409, String(take.body))
        const { message, size_bytes, ...detail } = take.json().detail
        assert.deepEqual(detail, {
          error: 'model_not_downloaded',
          engine: 'kokoro',
          repo_ids: ['onnx-community/Kokoro-82M-v1.0-ONNX'],
          target: 'local',
          target_label: 'Local',
          downloadable: true,
        })
        const { models } = (await world.get('/models')).json()
        const { size_gb } = models.find(({ repo_id }: { repo_id: string }) => repo_id === detail.repo_ids[0])
        assert.ok(Math.abs(size_bytes / 1024 ** 3 - size_gb) < 1e-6, `${size_bytes} bytes and ${size_gb} GB`)
        assert.ok(size_bytes > 1e8 && /studio models install/.test(message))
        assert.equal(take.headers.get('x-svc-retryable'), null)
      }
    },
  )

  await t.test('models_ready is false while the selected engine has no model, and names it', { skip: noKokoro }, async () => {
    await world.restart('SIGTERM', { STUDIO_TTS_BACKEND: 'kokoro' })
    await world.studio.says(/"workerId":"local".*a machine is connected/)
    const { models_ready, missing } = (await world.get('/setup/status')).json()
    assert.deepEqual([models_ready, missing], [false, [{ repo_id: 'onnx-community/Kokoro-82M-v1.0-ONNX', label: 'Kokoro 82M (fp32)' }]])
    const spoken = await world.post('/v1/audio/speech', { input: 'Hello.', model: 'tts-1' })
    assert.deepEqual(
      [spoken.status, spoken.headers.get('x-svc-routing-reason')],
      [200, 'Using Heart, because the model of Kokoro is not installed.'],
    )
  })
})
