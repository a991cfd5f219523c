import assert from 'node:assert/strict'
import { once } from 'node:events'
import { mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs'
import { createServer, type RequestListener } from 'node:http'
import type { AddressInfo } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { json } from 'node:stream/consumers'
import { type TestContext, test } from 'node:test'
import { studio } from '#test/support/world/cli.ts'

/** A stand-in for the studio on a port of its own, and an empty folder to speak into. */
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

test('speaks into a file and reports its size', async (t) => {
  const seen: unknown[] = []
  const { folder, say } = await openStudio(t, async (request, response) => {
    seen.push(request.method, request.url, request.headers.authorization, await json(request))
    response.writeHead(200, { 'content-type': 'audio/flac' })
    response.write(Buffer.alloc(20_000, 7))
    response.end(Buffer.alloc(2_500, 8))
  })
  const { code, output, errors } = await say(['good', 'morning', '-o', 'morning.flac', '--speed', '1.5', '--voice', 'slt'])
  assert.deepEqual([code, output, errors], [0, 'morning.flac, 23 KB\n', ''])
  assert.deepEqual(seen, [
    'POST',
    '/v1/audio/speech',
    'Bearer k3y',
    { input: 'good morning', response_format: 'flac', voice: 'slt', speed: 1.5 },
  ])
  assert.equal(readFileSync(join(folder, 'morning.flac')).length, 22_500)
  assert.deepEqual(readdirSync(folder), ['morning.flac'])
})

test('reads standard input, writes standard output, keeps notices apart', async (t) => {
  const seen: unknown[] = []
  const { say } = await openStudio(t, async (request, response) => {
    seen.push(await json(request))
    response.writeHead(200, { 'content-type': 'audio/wav', 'x-svc-routing-reason': 'the embedded voice answers' })
    response.end('RIFF')
  })
  const { code, output, errors } = await say(['-', '-o', '-'], 'from a pipe')
  assert.deepEqual([code, output], [0, 'RIFF'])
  assert.match(errors, /this is WAV, the studio could not make mp3\nstudio: the embedded voice answers\n/)
  assert.deepEqual(seen, [{ input: 'from a pipe', response_format: 'mp3' }])
})

test('a refusal is told in the words of the studio and leaves no file', async (t) => {
  const { folder, say } = await openStudio(t, (_request, response) => {
    response.writeHead(429, { 'content-type': 'application/json' })
    response.end(JSON.stringify({ detail: 'Too much work is waiting; try again later.' }))
  })
  const { code, errors } = await say(['hello', '-o', 'hello.mp3'])
  assert.equal(code, 1)
  assert.match(errors, /refused \(429\): Too much work is waiting/)
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

test('says how to start a studio where none answers', async () => {
  // Port 1 is reserved and nobody listens there.
  const { code, errors } = await studio(['say', 'hello', '-o', 'x.mp3'], {
    env: { STUDIO_HOST: '127.0.0.1', STUDIO_PORT: '1' },
    cwd: tmpdir(),
  })
  assert.equal(code, 1)
  assert.match(errors, /no studio answers at 127\.0\.0\.1:1; start one with \.\/studio/)
})

for (const [args, message] of [
  [['hello'], /-o FILE/],
  [['-o', 'x.mp3'], /say what to speak/],
  [['hello', '-o', 'x.doc'], /choose one of mp3/],
  [['hello', '-o', 'x.mp3', '--speed', '9'], /0\.25 to 4/],
] as const) {
  test(`misuse: say ${args.join(' ')}`, async () => {
    const { code, errors } = await studio(['say', ...args])
    assert.equal(code, 2)
    assert.match(errors, message)
  })
}
