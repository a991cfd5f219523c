import assert from 'node:assert/strict'
import { once } from 'node:events'
import { mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs'
import { createServer, type IncomingMessage, type RequestListener, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { json } from 'node:stream/consumers'
import { type TestContext, test } from 'node:test'
import { voiceNamed } from '#cli/lib/names/voices.ts'
import { studio } from '#test/support/world/cli.ts'

/** A fake studio on a free port, and an empty folder for the output. */
async function openStudio(t: TestContext, answer: RequestListener) {
  const server = createServer(answer).listen(0, '127.0.0.1')
  await once(server, 'listening')
  const folder = mkdtempSync(join(tmpdir(), 'say-'))
  t.after(() => {
    server.close()
    rmSync(folder, { recursive: true })
  })
  const env = { STUDIO_HOST: '127.0.0.1', STUDIO_PORT: String((server.address() as AddressInfo).port), STUDIO_API_KEY: 'k3y' }
  return { folder, say: (args: string[], input?: string) => studio(['say', ...args], { env, cwd: folder, input }) }
}

/** Two engines, a name of the public API and a profile. */
const named = (id: string) => ({ id, name: id, language: 'en' })
const VOICES = {
  voices: [
    { voice_id: 'nova', name: 'Nova', type: 'openai_alias' },
    { voice_id: 'p1', name: 'Grandma', type: 'profile' },
  ],
  engines: [
    { id: 'one', display_name: 'One', voices: [named('slt'), named('kal')] },
    { id: 'many', display_name: 'Many', voices: Array.from({ length: 100 }, (_, at) => named(`voice-${at}`)) },
  ],
}
const answerVoices = ({ url }: IncomingMessage, response: ServerResponse) =>
  void response.end(JSON.stringify(url === '/engines' ? { tts: { active: 'one' } } : VOICES))

test('a voice is found by its name in any case, and a profile by its name', () => {
  const found = ['SLT', 'nova', 'Nova', 'grandma', 'p1', 'default'].map((name) => voiceNamed(name, 'one', VOICES))
  assert.deepEqual(found, ['slt', 'nova', 'nova', 'p1', 'p1', 'default'])
  const refusal = (name: string, engine: string, message: RegExp) =>
    assert.throws(() => voiceNamed(name, engine, VOICES), { code: 'NOT_FOUND', message })
  refusal('voice-7', 'one', /^voice-7 is a voice of Many\. Add --engine many to use it\.$/)
  refusal('voice-777', 'many', /^There is no voice voice-777 for many\. The nearest are: voice-7\d?, \S+, \S+\. Without --voice/)
  refusal('x', 'none', /The voices are: Grandma\./)
})

test('an unknown voice is refused before anything is generated', async (t) => {
  const received: unknown[] = []
  const { folder, say } = await openStudio(t, (request, response) => {
    if (request.method === 'POST') received.push(request.url)
    answerVoices(request, response)
  })
  const { code, errors } = await say(['x', '-o', 'x.wav', '--voice', 'noname'])
  assert.equal(code, 1)
  assert.match(
    errors,
    /^studio: There is no voice noname for one\. The voices are: slt, kal, Grandma\. Without --voice the default voice is used\.\n$/,
  )
  assert.deepEqual([received, readdirSync(folder)], [[], []])
})

test('a file that could not be written is refused before anything is generated', async (t) => {
  let requests = 0
  const { say } = await openStudio(t, (_request, response) => void response.end(String(requests++)))
  assert.match(
    (await say(['x', '-o', 'no/such/x.mp3'])).errors,
    /^studio: The folder .*\/no\/such does not exist\. Create it, or choose another file\.\n$/,
  )
  assert.match((await say(['x', '-o', '.', '--format', 'mp3'])).errors, /is a folder\. Name a file in it\.\n$/)
  assert.equal(requests, 0)
})

test('writes the speech to a file and reports its size', async (t) => {
  const received: unknown[] = []
  const { folder, say } = await openStudio(t, async (request, response) => {
    if (request.method === 'GET') return answerVoices(request, response)
    received.push(request.method, request.url, request.headers.authorization, await json(request))
    response.writeHead(200, { 'content-type': 'audio/flac' })
    response.write(Buffer.alloc(20_000, 7))
    response.end(Buffer.alloc(2_500, 8))
  })
  const { code, output, errors } = await say(['good', 'morning', '-o', 'morning.flac', '--speed', '1.5', '--voice', 'slt'])
  assert.deepEqual([code, output, errors], [0, 'morning.flac, 23 kB\n', ''])
  assert.deepEqual(received, [
    'POST',
    '/v1/audio/speech',
    'Bearer k3y',
    { input: 'good morning', response_format: 'flac', voice: 'slt', speed: 1.5 },
  ])
  assert.equal(readFileSync(join(folder, 'morning.flac')).length, 22_500)
  assert.deepEqual(readdirSync(folder), ['morning.flac'])
})

test('reads standard input, writes standard output, and prints notices on standard error', async (t) => {
  const received: unknown[] = []
  const { say } = await openStudio(t, async (request, response) => {
    received.push(await json(request))
    response.writeHead(200, { 'content-type': 'audio/wav', 'x-svc-routing-reason': 'Using the basic voice.' })
    response.end('RIFF')
  })
  const { code, output, errors } = await say(['-', '-o', '-'], 'from a pipe')
  assert.deepEqual([code, output], [0, 'RIFF'])
  assert.match(errors, /The file is WAV because the studio cannot encode mp3\.\nstudio: Using the basic voice\.\n/)
  assert.deepEqual(received, [{ input: 'from a pipe', response_format: 'mp3' }])
})

test('a refusal prints the message of the studio and leaves no file', async (t) => {
  const { folder, say } = await openStudio(t, (_request, response) => {
    response.writeHead(429, { 'content-type': 'application/json' })
    response.end(JSON.stringify({ detail: 'Too much work is waiting; try again later.' }))
  })
  const { code, errors } = await say(['hello', '-o', 'hello.mp3'])
  assert.equal(code, 1)
  assert.match(errors, /^studio: Too much work is waiting; try again later\.\n$/)
  assert.deepEqual(readdirSync(folder), [])
})

test('audio that ends early leaves no file', async (t) => {
  const { folder, say } = await openStudio(t, (_request, response) => {
    response.writeHead(200, { 'content-type': 'audio/mpeg', 'content-length': '1000' })
    response.write('half')
    response.flushHeaders()
    setImmediate(() => response.destroy())
  })
  assert.equal((await say(['hello', '-o', 'hello.mp3'])).code, 1)
  assert.deepEqual(readdirSync(folder), [])
})

test('without a running studio the message says how to start one', async () => {
  // Port 1 is reserved, so nothing listens there.
  const { code, errors } = await studio(['say', 'hello', '-o', 'x.mp3'], {
    env: { STUDIO_HOST: '127.0.0.1', STUDIO_PORT: '1' },
    cwd: tmpdir(),
  })
  assert.equal(code, 1)
  assert.match(errors, /No studio is running at 127\.0\.0\.1:1\. Start one with \.\/studio\./)
})

for (const [args, message] of [
  [['hello'], /-o FILE/],
  [['-o', 'x.mp3'], /The text is missing/],
  [['hello', '-o', 'x.doc'], /Choose one of mp3/],
  [['hello', '-o', 'x.mp3', '--speed', '9'], /0\.25 to 4/],
] as const) {
  test(`invalid arguments: say ${args.join(' ')}`, async () => {
    const { code, errors } = await studio(['say', ...args])
    assert.equal(code, 2)
    assert.match(errors, message)
  })
}
