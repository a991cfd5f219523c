// The OpenAI-compatible recogniser against a real local server: requests, results and failures.
import assert from 'node:assert/strict'
import { once } from 'node:events'
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { type TestContext, test } from 'node:test'
import { createCompat } from '#agent/engine/asr/compat/engine.ts'
import { parseWav } from '#shared/audio/wav.ts'
import { Failure } from '#shared/protocol/failure.ts'
import { Endpoint } from '#shared/sidecar/endpoint.ts'
import { asAudio, eventsOf, noise, resultOf } from '#test/agent/engine/audio/recording.ts'

const KEY = 'sk-very-secret'
type Seen = { readonly url: string; readonly authorization: string | undefined; readonly form: FormData }
type Answer = (response: ServerResponse, seen: Seen, count: number) => void
const { signal } = new AbortController()
const sound = (seconds: number) => asAudio(noise(8_000 * seconds, 0.05, 1), 8_000)

async function server(t: TestContext, answer: Answer) {
  const seen: Seen[] = []
  const http = createServer(async (request: IncomingMessage, response) => {
    const body = Buffer.concat(await request.toArray())
    const form = await new Response(body, { headers: { 'content-type': request.headers['content-type'] ?? '' } }).formData()
    seen.push({ url: request.url!, authorization: request.headers.authorization, form })
    answer(response, seen.at(-1)!, seen.length)
  }).listen(0, '127.0.0.1')
  await once(http, 'listening')
  t.after(() => {
    http.closeAllConnections()
    http.close()
  })
  const baseUrl = `http://127.0.0.1:${(http.address() as AddressInfo).port}/v1/`
  return { seen, baseUrl, engine: createCompat(() => ({ baseUrl, model: 'whisper-1', apiKey: KEY })) }
}
const json =
  (body: unknown): Answer =>
  (response) =>
    void response.setHeader('content-type', 'application/json').end(JSON.stringify(body))

test('sends a recording in the format of the API and returns segments and words', async (t) => {
  const { seen, engine } = await server(
    t,
    json({
      text: ' Hello there. Good bye. ',
      language: 'english',
      duration: 2,
      segments: [
        { id: 0, start: 0, end: 1, text: ' Hello there.', avg_logprob: -0.1 },
        { id: 1, start: 1.2, end: 99, text: ' Good bye.' },
      ],
      words: [
        { word: 'Hello', start: 0, end: 0.4 },
        { word: 'there', start: 0.4, end: 1 },
        { word: 'Good', start: 1.2, end: 1.5 },
        { word: 'bye', start: 1.5, end: 1.9 },
      ],
    }),
  )
  const events = await eventsOf(engine.run('asr', { language: 'en', timestamps: 'word' }, signal, sound(2)))
  assert.deepEqual(resultOf(events), {
    text: 'Hello there. Good bye.',
    language: 'en',
    duration: 2,
    segments: [
      {
        start: 0,
        end: 1,
        text: 'Hello there.',
        decoding: { avg_logprob: -0.1 },
        words: [
          { word: 'Hello', start: 0, end: 0.4 },
          { word: 'there', start: 0.4, end: 1 },
        ],
      },
      {
        start: 1.2,
        end: 2,
        text: 'Good bye.',
        words: [
          { word: 'Good', start: 1.2, end: 1.5 },
          { word: 'bye', start: 1.5, end: 1.9 },
        ],
      },
    ],
  })
  const [{ url, authorization, form }] = seen as [Seen]
  assert.equal(url, '/v1/audio/transcriptions')
  assert.equal(authorization, `Bearer ${KEY}`)
  assert.deepEqual([form.get('model'), form.get('language'), form.get('response_format')], ['whisper-1', 'en', 'verbose_json'])
  assert.deepEqual(form.getAll('timestamp_granularities[]'), ['segment', 'word'])
  const { sampleRate, samples } = parseWav(new Uint8Array(await (form.get('file') as File).arrayBuffer()))
  assert.deepEqual([sampleRate, samples.length], [16_000, 32_000])
})

test('a long recording is sent in pieces, and times are shifted', async (t) => {
  const { seen, engine } = await server(t, (response, _seen, count) =>
    json({ text: `part ${count}`, language: 'de' })(response, _seen, count),
  )
  const { text, language, segments } = resultOf<{ text: string; language: string; segments: object[] }>(
    await eventsOf(engine.run('asr', {}, signal, asAudio(new Float32Array(16_000 * 601)))),
  )
  assert.equal(seen.length, 2)
  assert.equal(seen[0]!.form.get('language'), null)
  assert.deepEqual([text, language], ['part 1 part 2', 'de'])
  assert.deepEqual(segments, [
    { start: 0, end: 600, text: 'part 1' },
    { start: 600, end: 601, text: 'part 2' },
  ])
})

test('each failure has its message, and none contains the key', async (t) => {
  const cases: [Answer, RegExp][] = [
    [(response) => void response.writeHead(401).end(`bad key ${KEY}`), /rejected the key \(401\)/],
    [(response) => void response.writeHead(404).end(), /\(404\)/],
    [(response) => void response.writeHead(413).end(), /\(413\)/],
    [(response) => void response.writeHead(429).end(), /\(429\)/],
    [(response) => void response.writeHead(500).end('x'), /status 500/],
    [(response) => void response.writeHead(307, { location: 'http://127.0.0.1:1/steal' }).end(), /cannot be reached/],
    [(response) => void response.end('<html>'), /did not answer with a transcription/],
    [json({ text: 7 }), /did not answer with a transcription/],
    [json({ text: 'x', segments: [{ start: -1, end: 0, text: '' }] }), /did not answer with a transcription/],
    [
      (response) => void response.writeHead(200, { 'content-length': 10 }).write('{', () => response.destroy()),
      /interrupted|cannot be reached/,
    ],
    [(response) => void response.end(Buffer.alloc(17 * 1024 * 1024, 0x20)), /more than 16 MiB/],
  ]
  for (const [answer, words] of cases) {
    const { engine } = await server(t, answer)
    await assert.rejects(eventsOf(engine.run('asr', {}, signal, sound(1))), (error) => {
      assert.ok(error instanceof Failure && error.code === 'RECOGNITION_FAILED' && words.test(error.message), String(error))
      assert.ok(!error.message.includes(KEY))
      return true
    })
  }
  const unreachable = createCompat(() => ({ baseUrl: 'http://127.0.0.1:1/v1', model: 'm', apiKey: '' }))
  await assert.rejects(eventsOf(unreachable.run('asr', {}, signal, sound(1))), /cannot be reached/)
})

test('a cancellation ends the wait for a server that does not answer', async (t) => {
  const abort = new AbortController()
  const { engine } = await server(t, () => abort.abort(new Failure('CANCELLED', 'cancelled')))
  await assert.rejects(eventsOf(engine.run('asr', {}, abort.signal, sound(1))), { code: 'CANCELLED' })
})

test('without an endpoint, the capability and the failure say so', async () => {
  const engine = createCompat(() => null)
  const [row] = engine.describe()
  assert.deepEqual(
    [row!.installed, row!.downloaded, row!.reason],
    [false, false, 'No recognition endpoint is configured. Name one in the settings.'],
  )
  await assert.rejects(eventsOf(engine.run('asr', {}, signal, sound(1))), { code: 'MODEL_NOT_INSTALLED' })
})

test('invalid endpoints are rejected: other schemes, passwords in the address, keys with header syntax', () => {
  const good = { baseUrl: 'http://h/v1', model: 'm', apiKey: KEY }
  assert.ok(Endpoint.safeParse(good).success)
  for (const wrong of [
    { baseUrl: 'file:///etc/passwd' },
    { baseUrl: 'nowhere' },
    { baseUrl: 'http://me:secret@h/v1' },
    { model: '' },
    { apiKey: `${KEY}\r\nX-Evil: 1` },
    { more: 1 },
  ])
    assert.ok(!Endpoint.safeParse({ ...good, ...wrong }).success, JSON.stringify(wrong))
})
