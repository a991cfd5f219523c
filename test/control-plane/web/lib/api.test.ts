// The message of a refusal, and the cases in which the page gives its place to the sign-in.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { ApiError, get, messageOf } from '#control-plane/web/lib/api.ts'

test('a message says what to do, where the studio wrote it', () => {
  assert.equal(messageOf(new ApiError(507, 'The disk is full.', null, 'Delete files.')), 'The disk is full. Delete files.')
  assert.equal(messageOf(new ApiError(400, 'speed: too fast', null, 'Send less.')), 'speed: too fast. Send less.')
  assert.equal(messageOf(new ApiError(404, 'No such voice.', null)), 'No such voice.')
  assert.equal(messageOf(new ApiError(404, 'No such voice.', null, 'Check its id.')), 'No such voice.', 'ids are for programs')
  assert.equal(messageOf(new Error('It broke.')), 'It broke.')
  assert.equal(messageOf('text'), 'text')
})

test('a missing key or PIN opens the sign-in, and a refusal of another machine does not', async () => {
  let reloads = 0
  Object.assign(globalThis, { location: { reload: () => reloads++ }, sessionStorage: { setItem: () => {} } })
  const refused = async (status: number, detail: string) => {
    globalThis.fetch = async () => Response.json({ detail }, { status })
    await assert.rejects(get('/jobs'), ApiError)
    return reloads
  }
  assert.equal(await refused(401, 'API key required'), 1)
  assert.equal(await refused(401, 'PIN required'), 2, 'as the port for the local network answers')
  assert.equal(await refused(401, 'The other studio refuses the key.'), 2)
  assert.equal(await refused(403, 'PIN required'), 2)
})

test('a read waits for a studio that starts, and for nothing else', async () => {
  const answers = (...list: readonly Response[]) => {
    const left = [...list]
    globalThis.fetch = async () => left.shift()!
    return left
  }
  const starting = () =>
    Response.json({ detail: 'The engines of this machine are starting.' }, { status: 503, headers: { 'x-svc-retryable': 'true' } })
  answers(starting(), starting(), Response.json({ models: [] }))
  assert.deepEqual(await get('/models'), { models: [] })
  const left = answers(Response.json({ detail: 'No disk.' }, { status: 503 }), Response.json({}))
  await assert.rejects(get('/models'), ApiError)
  assert.equal(left.length, 1)
  const over = new AbortController()
  over.abort()
  answers(starting(), Response.json({}))
  await assert.rejects(get('/models', over.signal), ApiError)
})
