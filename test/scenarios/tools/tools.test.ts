// The tools for editors through HTTP: shapes, limits, refusals, a real ffprobe and a language model of the settings.
import assert from 'node:assert/strict'
import { execFileSync } from 'node:child_process'
import { once } from 'node:events'
import { chmodSync, mkdirSync, readFileSync, rmSync, symlinkSync, writeFileSync } from 'node:fs'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { join } from 'node:path'
import { type TestContext, test } from 'node:test'
import { TAXONOMY } from '#control-plane/features/base/tools/direction/taxonomy.ts'
import { authorizationsFolder, writePathAuthorization } from '#control-plane/store/files/path-authorization.ts'
import { EFFECT_PRESETS } from '#shared/audio/effects.ts'
import { findProgram } from '#shared/runtime/program.ts'
import { systemRandom as random } from '#shared/runtime/random.ts'
import { programFolder, sharedPrograms } from '#test/support/world/programs.ts'
import { sharedWorld, temporaryFolder, type World } from '#test/support/world/world.ts'

const REMOTE = { 'x-forwarded-for': '192.0.2.1' }
const KEY = 'a-key-of-more-than-sixteen-characters'

const skip = ['ffmpeg', 'ffprobe'].every((name) => findProgram(name, process.env['PATH']))
  ? false
  : 'ffmpeg is not on this machine; ./studio setup installs it'

const programs = sharedPrograms()
const open = sharedWorld({ withoutAgent: true, env: { PATH: programs, STUDIO_API_KEY: KEY } })

test('tools', async (t) => {
  const files = temporaryFolder(t)
  programFolder(programs, {}, skip ? [] : ['ffmpeg'])
  const world = await open()

  await t.test('incremental plans have the fingerprints of the segments and ignore their other fields', async () => {
    const segments = [{ id: 'a', text: 'Hello', start: 0, end: 1.5, words: [{ w: 'Hello' }] }, { id: 7, text: 'x' }, { text: 'without id' }]
    const reply = await world.post('/tools/incremental', { segments })
    assert.equal(reply.status, 200)
    const { fingerprints, ...plan } = reply.json()
    assert.deepEqual(plan, { stale: ['a', '7'], fresh: [], total: 3 })
    assert.equal(fingerprints.a, '99a908a3b87c4488')
    assert.equal(reply.headers.get('x-svc-ignored-fields'), null)
    const again = (await world.post('/tools/incremental', { segments, stored_hashes: { ...fingerprints, 7: 'old' }, lang: null })).json()
    assert.deepEqual([again.stale, again.fresh], [['7'], ['a']])
    const other = (
      await world.post('/tools/incremental', { segments, stored_hashes: fingerprints, lang: 'de', voice_match: 'consistent' })
    ).json()
    assert.deepEqual([other.stale, other.fresh], [['a', '7'], []])
    const many = Array.from({ length: 20_000 }, (_, id) => ({ id, text: 'A line of the usual length, as dubs have them.' }))
    assert.equal((await world.post('/tools/incremental', { segments: many })).json().stale.length, 20_000)
    for (const body of [
      {},
      { segments: 'x' },
      { segments: ['x'] },
      { segments: [{ id: 'a', text: { nested: 1 } }] },
      { segments: [{ id: 'x'.repeat(201) }] },
      { segments, stored_hashes: { a: 5 } },
      { segments, lang: 5 },
      { segments: [...many, { id: 'one more' }] },
    ])
      assert.equal((await world.post('/tools/incremental', body)).status, 422, JSON.stringify(body).slice(0, 80))
  })

  await t.test('effects and plugins are bare lists', async () => {
    assert.deepEqual((await world.get('/tools/effects')).json(), EFFECT_PRESETS)
    const plugins = (await world.get('/tools/plugins')).json()
    assert.deepEqual(
      plugins.map(({ id, requires_api_key, is_local, available }: Record<string, unknown>) => [id, requires_api_key, is_local, available]),
      [
        ['elevenlabs', true, false, false],
        ['bark', false, true, false],
      ],
    )
    for (const plugin of plugins) {
      const fields = ['id', 'display_name', 'requires_api_key', 'is_local', 'available', 'availability_message', 'supported_languages']
      assert.deepEqual(Object.keys(plugin), fields)
      assert.match(plugin.availability_message, /does not contain .*\.$/)
      assert.ok(plugin.supported_languages.length > 5)
    }
  })

  await t.test('directions and lines without a language model', async () => {
    const direction = await world.post('/tools/direction', { text: 'urgent and surprised' })
    assert.deepEqual(direction.json(), {
      tokens: { energy: ['urgent'], emotion: ['surprised'] },
      instruct_prompt: 'surprised, urgent',
      translate_hint: 'The line is spoken in this manner: surprised, urgent.',
      ...{ rate_bias: 1.1, method: 'heuristic', error: null, taxonomy: TAXONOMY },
    })
    assert.deepEqual((await world.post('/tools/direction', { text: '' })).json().tokens, {})
    for (const body of [{}, { text: 5 }, { text: 'x'.repeat(2001) }]) assert.equal((await world.post('/tools/direction', body)).status, 422)

    const line = { text: 'x'.repeat(60), slot_seconds: 2, target_lang: 'en' }
    assert.deepEqual((await world.post('/tools/rate-fit', line)).json(), { text: line.text, rate_ratio: 2, attempts: 0, error: 'no-llm' })
    const fitting = (await world.post('/tools/rate-fit', { ...line, slot_seconds: 4, source_text: null })).json()
    assert.deepEqual(fitting, { text: line.text, rate_ratio: 1, attempts: 0 })
    const shortest = (await world.post('/tools/rate-fit', { ...line, text: '字'.repeat(4096), slot_seconds: 0.001 })).json()
    assert.ok(shortest.rate_ratio > 1e5, 'a finite number')
    for (const wrong of [
      { slot_seconds: 0 },
      { slot_seconds: -1 },
      { slot_seconds: 1e-310 },
      { slot_seconds: 'two' },
      { target_lang: null },
      { text: 'x'.repeat(4097) },
    ])
      assert.equal((await world.post('/tools/rate-fit', { ...line, ...wrong })).status, 422, JSON.stringify(wrong).slice(0, 60))
  })

  await t.test('directions and lines with the language model of the settings', (t) => withLanguageModel(t, world))

  await t.test('a probe returns what ffprobe says, and refuses everything that is no media file', { skip }, async () => {
    const probe = (path: unknown) => world.post('/tools/probe', { path })
    const film = join(files, "a film's name; $(touch owned).mkv")
    const video = ['-f', 'lavfi', '-i', 'color=size=32x16:rate=5:duration=1', '-f', 'lavfi', '-i', 'sine=duration=1']
    execFileSync('ffmpeg', ['-loglevel', 'error', ...video, '-c:v', 'mpeg4', '-c:a', 'flac', film])
    const missing = await probe(film)
    assert.deepEqual([missing.status, /ffprobe is not installed/.test(missing.json().detail)], [501, true])
    const place = join(programs, 'ffprobe')
    symlinkSync(findProgram('ffprobe', process.env['PATH'])!, place)
    const reply = await probe(film)
    assert.equal(reply.status, 200)
    const { format, streams } = reply.json()
    assert.deepEqual([format.filename, format.nb_streams], [film, 2])
    assert.deepEqual(
      streams.map(({ codec_name }: { codec_name: string }) => codec_name),
      ['mpeg4', 'flac'],
    )
    mkdirSync(join(files, 'folder.mkv'))
    execFileSync('mkfifo', [join(files, 'pipe.mkv')])
    for (const path of [
      '',
      'relative.mkv',
      join(files, 'missing.mkv'),
      join(files, 'folder.mkv'),
      join(files, 'pipe.mkv'),
      '/dev/zero',
      'http://127.0.0.1/',
      `${film}\0`,
    ])
      assert.equal((await probe(path)).status, 404, path)
    // A playlist that names another file, and a text.
    writeFileSync(join(files, 'list.m3u8'), `#EXTM3U\n#EXT-X-TARGETDURATION:1\n#EXTINF:1,\n${film}\n#EXT-X-ENDLIST\n`)
    writeFileSync(join(files, 'text.mkv'), 'This is no film.')
    for (const name of ['list.m3u8', 'text.mkv']) {
      const refused = await probe(join(files, name))
      assert.equal(refused.status, 400, name)
      assert.match(refused.json().detail, /^The file cannot be read: .*\.$/)
      assert.ok(!refused.json().detail.includes(files))
    }
    assert.equal((await probe(null)).status, 422)
    for (const body of [`printf 'not json'`, `printf '[1]'`]) {
      rmSync(place)
      writeFileSync(place, `#!/bin/sh\n${body}\n`)
      chmodSync(place, 0o755)
      assert.match((await probe(film)).json().raw, /^(not json|\[1\])$/)
    }
    // A program that the owner chose wins over the one of the PATH.
    const chosen = join(files, 'ffprobe')
    const real = findProgram('ffprobe', process.env['PATH'])!
    writeFileSync(chosen, `#!/bin/sh\necho used >> '${join(files, 'used')}'\nexec '${real}' "$@"\n`)
    chmodSync(chosen, 0o755)
    const authorization = writePathAuthorization(authorizationsFolder(world.dataDir), { kind: 'ffprobe', path: chosen }, random)
    assert.equal((await world.post('/media-tools/ffprobe/custom-path', { authorization })).status, 200)
    writeFileSync(join(files, 'used'), '')
    assert.equal((await probe(film)).json().format.nb_streams, 2)
    assert.equal(readFileSync(join(files, 'used'), 'utf8'), 'used\n')
  })

  await t.test('the routes refuse other sites and callers without a key; the probe refuses other machines with it as well', async () => {
    for (const [method, path, body] of [
      ['POST', '/tools/probe', { path: '/x' }],
      ['POST', '/tools/incremental', { segments: [] }],
      ['POST', '/tools/direction', { text: '' }],
      ['POST', '/tools/rate-fit', { text: '', slot_seconds: 1, target_lang: 'en' }],
      ['GET', '/tools/effects', undefined],
      ['GET', '/tools/plugins', undefined],
    ] as const) {
      const isProbe = path === '/tools/probe'
      assert.equal((await world.send(method, path, body, { origin: 'https://other.example' })).status, 403, path)
      assert.equal((await world.send(method, path, body, REMOTE)).status, isProbe ? 403 : 401, path)
      assert.equal((await world.send(method, path, body, { ...REMOTE, authorization: `Bearer ${KEY}` })).status, isProbe ? 403 : 200, path)
    }
  })
})

async function withLanguageModel(t: TestContext, world: World): Promise<void> {
  const asked: string[] = []
  let answer: string | null = null
  const server = createServer(async (request, response) => {
    const parts: Buffer[] = []
    for await (const part of request) parts.push(part as Buffer)
    asked.push(JSON.parse(Buffer.concat(parts).toString()).messages.at(-1).content)
    if (answer === null) return void response.writeHead(401).end('{}')
    const body = { model: 'm', choices: [{ message: { role: 'assistant', content: answer } }] }
    response.setHeader('content-type', 'application/json').end(JSON.stringify(body))
  }).listen(0, '127.0.0.1')
  await once(server, 'listening')
  t.after(() => {
    server.closeAllConnections()
    server.close()
  })
  const base_url = `http://127.0.0.1:${(server.address() as AddressInfo).port}/v1`
  assert.equal((await world.put('/api/settings/llm-endpoint', { base_url, model: 'm', api_key: 'k' })).status, 200)
  assert.equal((await world.post('/api/settings/llm-providers/active', { provider: 'custom' })).status, 200)

  const direct = async () => (await world.post('/tools/direction', { text: 'like sad rain' })).json()
  answer = '{"emotion":["resigned"],"energy":["calm","evil"]}'
  const read = await direct()
  assert.deepEqual([read.method, read.error, read.tokens], ['llm', null, { energy: ['calm'], emotion: ['resigned'] }])
  assert.equal(asked.at(-1), 'like sad rain')
  answer = null
  const refused = await direct()
  assert.deepEqual([refused.method, refused.tokens], ['heuristic', { emotion: ['sad'] }])
  assert.match(refused.error, /rejected the key/)

  const fit = async () => (await world.post('/tools/rate-fit', { text: 'x'.repeat(60), slot_seconds: 2, target_lang: 'en' })).json()
  assert.deepEqual(await fit(), { text: 'x'.repeat(60), rate_ratio: 2, attempts: 1, error: 'fit-provider-failed' })
  answer = 'y'.repeat(30)
  assert.deepEqual(await fit(), { text: answer, rate_ratio: 1, attempts: 1 })
  await world.put('/api/settings/llm-skills/slot_fitting', { enabled: false })
  assert.equal((await fit()).error, 'no-llm')
}
