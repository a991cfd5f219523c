// What holds for every answer: its request id, the methods of its path, and what counts as an error of the studio.
import assert from 'node:assert/strict'
import { once } from 'node:events'
import { connect } from 'node:net'
import { test } from 'node:test'
import { request } from '#test/support/world/http.ts'
import { sharedWorld } from '#test/support/world/world.ts'

const open = sharedWorld({ env: { PATH: '/nowhere' }, withoutAgent: true })
const ID = /^req_[0-9a-f]{24}$/

/** The head of the answer to bytes that a client library would not send. */
async function headOf(origin: string, bytes: string): Promise<string> {
  const { hostname, port } = new URL(origin)
  const socket = connect(Number(port), hostname)
  socket.on('error', () => {})
  socket.end(bytes)
  let text = ''
  socket.on('data', (piece) => {
    text += piece
  })
  await once(socket, 'close')
  return text.split('\r\n\r\n')[0]!
}

test('every answer has a request id of its own', async () => {
  const { url } = await open()
  const ids: string[] = []
  for (const [method, path, body, status] of [
    ['GET', '/health', undefined, 200],
    ['GET', '/audio/none.wav', undefined, 404],
    ['GET', '/nothing', undefined, 404],
    ['PUT', '/health', undefined, 405],
    ['GET', '/%', undefined, 400],
    ['GET', `/profiles/${'x'.repeat(3_000)}`, undefined, 404],
    ['POST', '/tools/rate-fit', '{', 422],
    ['OPTIONS', '/health', undefined, 405],
  ] as const) {
    const headers = { 'content-type': 'application/json' }
    const reply = await request(url + path, { method, ...(body !== undefined && { body, headers }) })
    assert.equal(reply.status, status, path)
    ids.push(String(reply.headers['x-request-id']))
  }
  for (const bytes of [
    'HELLO\r\n\r\n',
    `GET / HTTP/1.1\r\nHost: x\r\nA: ${'a'.repeat(40_000)}\r\n\r\n`,
    'GET /ws/none HTTP/1.1\r\nHost: 127.0.0.1\r\nConnection: Upgrade\r\nUpgrade: websocket\r\nSec-WebSocket-Version: 13\r\nSec-WebSocket-Key: AAAAAAAAAAAAAAAAAAAAAA==\r\n\r\n',
  ])
    ids.push(/x-request-id: (.*)/i.exec(await headOf(url, bytes))?.[1] ?? '')
  for (const id of ids) assert.match(id, ID)
  assert.equal(new Set(ids).size, ids.length)
})

test('the path of a route is not an id or a file name of a sibling', async () => {
  const world = await open()
  for (const [method, path, allow] of [
    ['GET', '/preview/upload', 'POST'],
    ['DELETE', '/models/verify', 'POST'],
    ['DELETE', '/gallery/voices/batch-delete', 'POST'],
    ['PUT', '/glossary/film/auto-extract', 'POST'],
    ['PATCH', '/workers/target', 'GET, POST'],
  ] as const) {
    for (const tried of [method, 'OPTIONS']) {
      const reply = await request(world.url + path, { method: tried })
      assert.deepEqual([reply.status, reply.headers['allow']], [405, allow], `${tried} ${path}`)
    }
  }
  assert.equal((await world.delete('/models/verified')).status, 404, 'an id')
})

test('what is not set up is 503 and no error of the studio', async () => {
  const world = await open()
  const from = world.studio.output().length
  const reply = await world.post('/glossary/film/auto-extract', { target_lang: 'es', segments: [{ text: 'The mill at Oakmoor.' }] })
  assert.equal(reply.status, 503, reply.body.toString())
  assert.doesNotMatch(world.studio.output().slice(from), /LANGUAGE_MODEL_MISSING/)
  const { errors } = (await world.get('/system/errors/recent')).json()
  assert.deepEqual(
    errors.filter(({ route }: { route: string }) => /glossary/.test(route)),
    [],
  )
})
