// The client against a local server that behaves like real providers do on bad days.
import assert from 'node:assert/strict'
import { once } from 'node:events'
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { type TestContext, test } from 'node:test'
import { createLlmClient, type LlmRequest } from '#control-plane/llm/client.ts'
import { LLM_FAILURES, LlmFailure, retryAfterOf } from '#control-plane/llm/failure.ts'
import { systemClock as clock } from '#shared/runtime/clock.ts'

const KEY = 'sk-canary-of-the-client'
const REQUEST: LlmRequest = { messages: [{ role: 'user', content: 'secret-prompt' }] }
const completion = (content: unknown) => JSON.stringify({ model: 'm-1', choices: [{ message: { role: 'assistant', content } }] })
type Answer = (request: IncomingMessage, response: ServerResponse, body: string) => void

async function serve(t: TestContext, answer: Answer) {
  const seen: { url: string; headers: IncomingMessage['headers']; body: string }[] = []
  const server = createServer(async (request, response) => {
    let body = ''
    for await (const piece of request) body += piece
    seen.push({ url: request.url!, headers: request.headers, body })
    answer(request, response, body)
  }).listen(0, '127.0.0.1')
  await once(server, 'listening')
  t.after(() => {
    server.closeAllConnections()
    server.close()
  })
  const client = createLlmClient({ clock, version: '1.2.3' })
  const baseUrl = `http://127.0.0.1:${(server.address() as AddressInfo).port}/v1`
  const target = { baseUrl, model: 'm', apiKey: KEY as string | null }
  const options = (timeoutMs = 10_000, signal = new AbortController().signal) => ({ timeoutMs, signal })
  return { seen, client, target, options }
}

async function failing(call: Promise<unknown>): Promise<LlmFailure> {
  const error = await call.then(
    () => assert.fail('the call succeeded'),
    (caught: unknown) => caught,
  )
  assert.ok(error instanceof LlmFailure, String(error))
  assert.equal(error.message, LLM_FAILURES[error.kind], 'the text of the provider is not repeated')
  return error
}

test('a completion sends the request once, with the key and without headers about this machine', async (t) => {
  const { seen, client, target, options } = await serve(t, (_, response) =>
    response.setHeader('content-type', 'application/json').end(completion('Bonjour')),
  )
  const { latencyMs, ...reply } = await client.complete(target, { ...REQUEST, temperature: 0, maxTokens: 5, json: true }, options())
  assert.deepEqual(reply, { text: 'Bonjour', model: 'm-1' })
  assert.ok(latencyMs >= 0)
  const [{ url, headers, body }] = seen as [(typeof seen)[0]]
  assert.equal(url, '/v1/chat/completions')
  assert.equal(headers.authorization, `Bearer ${KEY}`)
  assert.equal(headers['user-agent'], 'voice-studio/1.2.3')
  assert.deepEqual(
    Object.keys(headers).filter((name) => name.startsWith('x-')),
    [],
  )
  assert.deepEqual(JSON.parse(body), {
    model: 'm',
    messages: [{ role: 'user', content: 'secret-prompt' }],
    stream: false,
    temperature: 0,
    max_tokens: 5,
    response_format: { type: 'json_object' },
  })
  await client.complete({ ...target, apiKey: null }, REQUEST, options())
  assert.equal(seen[1]!.headers.authorization, undefined, 'a server without keys receives none')
})

test('statuses have fixed kinds, and no request is repeated', async (t) => {
  let status = 0
  const { seen, client, target, options } = await serve(t, (_, response) =>
    response.writeHead(status, { 'retry-after': '7', location: 'http://127.0.0.1:9/v1' }).end(`{"error":{"message":"key ${KEY} is bad"}}`),
  )
  const kinds = { 302: 'error', 400: 'error', 401: 'auth', 403: 'auth', 404: 'not_found', 429: 'rate_limit', 500: 'error', 503: 'error' }
  for (const [each, kind] of Object.entries(kinds)) {
    status = Number(each)
    const failure = await failing(client.complete(target, REQUEST, options()))
    assert.equal(failure.kind, kind, each)
    if (status === 429) assert.equal(failure.retryAfterSeconds, 7)
    assert.equal((await failing(client.models(target, options()))).kind, kind, each)
  }
  assert.equal(seen.length, Object.keys(kinds).length * 2)
})

test('the status of a response whose body never ends is what counts', async (t) => {
  let status = 0
  const closed: Promise<unknown>[] = []
  const { client, target, options } = await serve(t, (_, response) => {
    closed.push(once(response, 'close'))
    response.writeHead(status, { 'retry-after': '7', location: 'http://127.0.0.1:9/v1' }).write('{"error":')
  })
  for (const [each, kind] of Object.entries({
    302: 'error',
    401: 'auth',
    403: 'auth',
    404: 'not_found',
    429: 'rate_limit',
    500: 'error',
  })) {
    status = Number(each)
    const failure = await failing(client.complete(target, REQUEST, options(60_000)))
    assert.deepEqual([failure.kind, failure.retryAfterSeconds, failure.isTimeout], [kind, 7, false], each)
  }
  await Promise.all(closed)
})

test('a Retry-After header is a number of seconds, at most an hour', () => {
  for (const [text, seconds] of [
    ['7', 7],
    [' 0 ', 0],
    ['999999999', 3600],
    ['-1', null],
    ['Wed, 21 Oct 2026 07:28:00 GMT', null],
    [null, null],
  ] as const)
    assert.equal(retryAfterOf(text), seconds)
})

test('slow, silent and cut responses are network failures', async (t) => {
  let behaviour: Answer = () => {}
  const { client, target, options } = await serve(t, (...all) => behaviour(...all))
  assert.equal((await failing(client.complete(target, REQUEST, options(150)))).kind, 'network', 'no response')
  behaviour = (_, response) => void response.writeHead(200, { 'content-type': 'application/json' }).write('{"choices":')
  assert.equal((await failing(client.complete(target, REQUEST, options(150)))).kind, 'network', 'a body that stops')
  behaviour = (_, response) => {
    response.writeHead(200, { 'content-type': 'application/json', 'content-length': '1000' }).write('{"choices":')
    setTimeout(() => response.destroy(), 20)
  }
  assert.equal((await failing(client.complete(target, REQUEST, options()))).kind, 'network', 'a body that is cut')
  behaviour = (request) => void request.socket.destroy()
  assert.equal((await failing(client.complete(target, REQUEST, options()))).kind, 'network', 'a closed connection')
  assert.equal((await failing(client.complete({ ...target, baseUrl: 'http://127.0.0.1:9/v1' }, REQUEST, options()))).kind, 'network')
  assert.equal((await failing(client.complete({ ...target, baseUrl: '' }, REQUEST, options()))).kind, 'config')
  assert.equal((await failing(client.complete({ ...target, model: '' }, REQUEST, options()))).kind, 'config')
})

test('the caller ends a call with the reason of its signal', async (t) => {
  const { client, target, options } = await serve(t, () => {})
  const abort = new AbortController()
  const call = client.complete(target, REQUEST, options(10_000, abort.signal))
  setTimeout(() => abort.abort(new Error('the client left')), 20)
  await assert.rejects(call, /the client left/)
})

test('invalid, empty and oversized responses are errors', async (t) => {
  let body = ''
  let type = 'application/json'
  const { client, target, options } = await serve(t, (_, response) => response.writeHead(200, { 'content-type': type }).end(body))
  const kind = async () => (await failing(client.complete(target, REQUEST, options()))).kind
  for (body of ['', '{', 'null', '[]', '{}', '{"choices":[]}', completion(null), completion(5), completion(['x'])])
    assert.equal(await kind(), 'error', body)
  body = `${'['.repeat(1_000_000)}${']'.repeat(1_000_000)}`
  assert.equal(await kind(), 'error', 'a million levels')
  body = completion('x'.repeat(10 * 1024 * 1024))
  assert.equal(await kind(), 'error', '10 MiB')
  type = 'text/html'
  body = '<html>'
  assert.equal(await kind(), 'error', 'a page')
})

test('the list of models has at most 200 valid ids', async (t) => {
  let data: unknown[] = [{ id: 'a' }, { id: '' }, 5, { name: 'b' }, { id: 'c', owned_by: 'x' }]
  const { client, target, options } = await serve(t, (_, response) =>
    response.setHeader('content-type', 'application/json').end(JSON.stringify({ data })),
  )
  assert.deepEqual(await client.models(target, options()), { ids: ['a', 'c'], truncated: false })
  data = Array.from({ length: 300 }, (_, index) => ({ id: `m${index}` }))
  const { ids, truncated } = await client.models(target, options())
  assert.deepEqual([ids.length, truncated], [200, true])
})
