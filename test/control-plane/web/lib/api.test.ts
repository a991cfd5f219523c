// The message of a refusal, and the cases in which the page gives its place to the sign-in.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { ApiError, get, messageOf, post, request } from '#control-plane/web/lib/api.ts'
import { replaceGlobals } from '#test/support/web/globals.ts'

test('a message says what to do, where the studio wrote it', () => {
  assert.equal(messageOf(new ApiError(507, 'The disk is full.', null, 'Delete files.')), 'The disk is full. Delete files.')
  assert.equal(messageOf(new ApiError(400, 'speed: too fast', null, 'Send less.')), 'speed: too fast. Send less.')
  assert.equal(messageOf(new ApiError(404, 'No such voice.', null)), 'No such voice.')
  assert.equal(messageOf(new Error('It broke.')), 'It broke.')
  assert.equal(messageOf('text'), 'text')
})

test('the hint of an answer is shown, and a hint about ids, routes or commands is not', async (t) => {
  const shown = async (status: number, body: object) => {
    replaceGlobals(t, { fetch: async () => Response.json({ detail: 'It failed.', ...body }, { status }) })
    return get('/jobs').then(String, messageOf)
  }
  assert.equal(await shown(404, { hint: 'Check its id.' }), 'It failed.')
  assert.equal(await shown(507, { hint: 'Free some space.', code: 'STORAGE_FULL' }), 'It failed. Free some space.')
  assert.match(await shown(503, { hint: 'Run studio workers.', code: 'NO_CAPABLE_WORKER' }), /^It failed\. .*Machines page/)
  assert.equal(await shown(400, { code: 'of a later version', values: 5 }), 'It failed.')
})

test('a missing key or PIN opens the sign-in, and a refusal of another machine does not', async (t) => {
  let reloads = 0
  replaceGlobals(t, { location: { reload: () => reloads++ }, sessionStorage: { setItem: () => {} } })
  const refused = async (status: number, detail: string) => {
    replaceGlobals(t, { fetch: async () => Response.json({ detail }, { status }) })
    await assert.rejects(get('/jobs'), ApiError)
    return reloads
  }
  assert.equal(await refused(401, 'API key required'), 1)
  assert.equal(await refused(401, 'PIN required'), 2, 'as the port for the local network answers')
  assert.equal(await refused(401, 'The other studio refuses the key.'), 2)
  assert.equal(await refused(403, 'PIN required'), 2)
})

test('a request waits for a studio that starts, and for nothing else', async (t) => {
  const answers = (...list: readonly Response[]) => {
    const left = [...list]
    replaceGlobals(t, { fetch: async () => left.shift()! })
    return left
  }
  const starting = (code = 'NOT_READY') =>
    Response.json({ detail: 'The engines of this machine are starting.', code }, { status: 503, headers: { 'x-svc-retryable': 'true' } })
  answers(starting(), starting(), Response.json({ models: [] }))
  assert.deepEqual(await get('/models'), { models: [] })
  const left = answers(Response.json({ detail: 'No disk.' }, { status: 503 }), Response.json({}))
  await assert.rejects(get('/models'), ApiError)
  assert.equal(left.length, 1)
  answers(starting(), Response.json({ id: 'a' }))
  assert.deepEqual(await post('/projects', { name: 'A', state: {} }), { id: 'a' })
  // Only a read may be repeated after a failure that comes later.
  answers(starting('PROGRAM_KILLED'), Response.json({}))
  await assert.rejects(post('/projects', { name: 'A', state: {} }), ApiError)
  const over = new AbortController()
  over.abort()
  answers(starting(), Response.json({}))
  await assert.rejects(get('/models', over.signal), ApiError)
})

test('the pauses while a studio starts grow, a full queue is waited for with its own pause, and the end of the wait is immediate', async (t) => {
  const pauses: number[] = []
  const fetched: number[] = []
  const refused = (code: string, status: number, headers: Record<string, string> = {}) =>
    Response.json({ detail: 'Not now.', code }, { status, headers: { 'x-svc-retryable': 'true', ...headers } })
  let left: Response[] = []
  const own = globalThis.setTimeout
  replaceGlobals(t, {
    fetch: async () => {
      fetched.push(1)
      return left.shift()!
    },
    // A pause of half an hour is one that only its signal ends.
    setTimeout: (end: () => void, ms: number) => {
      pauses.push(ms)
      return own(end, ms > 60_000 ? ms : 0)
    },
  })
  left = [...Array.from({ length: 5 }, () => refused('NOT_READY', 503)), Response.json({ id: 'a' })]
  assert.deepEqual(await post('/projects', { name: 'A', state: {} }), { id: 'a' })
  assert.deepEqual(pauses.splice(0), [500, 1000, 2000, 2000, 2000])
  // Another request has no place to say so.
  left = [refused('QUEUE_FULL', 429, { 'retry-after': '7' })]
  await assert.rejects(post('/projects', { name: 'A', state: {} }), ApiError)
  const seen: [string, number][] = []
  const over = new AbortController()
  const held = { signal: over.signal, onHeld: (code: string, ms: number) => void seen.push([code, ms]) }
  left = [refused('QUEUE_FULL', 429, { 'retry-after': '7' }), refused('NOT_READY', 503, { 'retry-after': '2' }), Response.json({ id: 'b' })]
  assert.equal((await (await request('POST', '/generate', { held })).json()).id, 'b')
  assert.deepEqual(seen.splice(0), [
    ['QUEUE_FULL', 7000],
    ['NOT_READY', 2000],
  ])
  left = [
    refused('QUEUE_FULL', 429, { 'retry-after': 'Mon, 30 Nov 2026 09:00:00 GMT' }),
    refused('QUEUE_FULL', 429),
    Response.json({ id: 'd' }),
  ]
  assert.equal((await (await request('POST', '/generate', { held })).json()).id, 'd')
  assert.deepEqual(
    seen.splice(0).map(([, ms]) => ms),
    [1000, 1000],
  )
  fetched.length = 0
  left = [refused('QUEUE_FULL', 429, { 'retry-after': '1000000000' }), Response.json({ id: 'c' })]
  const waiting = request('POST', '/generate', { held: { ...held, onHeld: () => queueMicrotask(() => over.abort()) } })
  await assert.rejects(waiting, ApiError)
  assert.equal(fetched.length, 1, 'nothing was sent after the end of the wait')
  assert.equal(pauses.at(-1), 600_000, 'a pause is not longer than the wait')
})
