// Rules for every answer: its request id, the methods of its path, and what counts as an error of the studio.
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
    ['PATCH', '/workers/target', 'GET, HEAD, POST'],
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
  const logged = world.studio
    .output()
    .slice(from)
    .split('\n')
    .filter((line) => line.includes('LANGUAGE_MODEL_MISSING'))
  const INFO = 30
  for (const line of logged) assert.equal(JSON.parse(line).level, INFO, line)
  const { errors } = (await world.get('/system/errors/recent')).json()
  assert.deepEqual(
    errors.filter(({ route }: { route: string }) => /glossary/.test(route)),
    [],
  )
})

test('texts in place of numbers and flags are read on routes of the studio, and refused on those of the public API', async () => {
  const world = await open()
  const fit = { text: 'One two three.', target_lang: 'en' }
  const asText = await world.post('/tools/rate-fit', { ...fit, slot_seconds: ' 2.5 ' })
  assert.deepEqual([asText.status, asText.json()], [200, (await world.post('/tools/rate-fit', { ...fit, slot_seconds: 2.5 })).json()])
  for (const slot_seconds of ['two', '', '0x10', '2,5', true, [2], null])
    assert.equal((await world.post('/tools/rate-fit', { ...fit, slot_seconds })).status, 422, String(slot_seconds))
  for (const [cap, status] of [
    ['200', 200],
    ['2e2', 200],
    ['200.5', 422],
    ['-1', 422],
  ] as const)
    assert.equal((await world.put('/api/settings/history-retention', { cap })).status, status, cap)
  for (const [enabled, stored] of [
    ['true', true],
    ['OFF', false],
    [1, true],
    ['0', false],
  ] as const)
    assert.equal((await world.post('/dictation/prefs', { enabled })).json().enabled, stored, String(enabled))
  for (const enabled of ['perhaps', 2, '', []])
    assert.equal((await world.post('/dictation/prefs', { enabled })).status, 422, String(enabled))
  // In lists, in records, and not where a text is meant.
  const lines = [{ id: 'a', text: '7', start: '0', end: '1.5' }]
  const plan = await world.post('/tools/incremental', { segments: lines })
  assert.equal(plan.status, 200, plan.body.toString())
  assert.equal((await world.post('/pronunciation', { term: '1', replacement: 'one' })).json().term, '1')
  const spoken = await world.post('/v1/audio/speech', { input: 'Hello.', speed: '1' })
  assert.deepEqual([spoken.status, spoken.json().error.param], [400, 'speed'])
})

test('unknown parameters of every query are named, and a slash at the end of a path leads to the path', async () => {
  const world = await open()
  const ignored = async (path: string) => (await world.get(path)).headers.get('x-svc-ignored-fields')
  assert.equal(await ignored('/profiles?page=2&sort=name'), 'page, sort')
  assert.equal(await ignored('/history/?x=1'), 'x', 'after a redirect')
  assert.equal(await ignored('/profiles?pin=123456'), null, 'a credential')
  assert.equal(await ignored('/jobs?limit=1'), null)
  const seen: unknown[] = []
  for (const [method, path] of [
    ['GET', '/profiles/?a=b'],
    ['POST', '/dictation/prefs/'],
    ['DELETE', '/profiles/'],
    ['GET', '/nothing/'],
    ['GET', '//example.org/'],
    ['GET', '/\\example.org/'],
    ['GET', '/profiles//'],
  ] as const) {
    const { status, headers } = await request(world.url + path, { method })
    seen.push([status, headers['location']])
  }
  assert.deepEqual(seen, [[307, '/profiles?a=b'], [307, '/dictation/prefs'], ...Array.from({ length: 5 }, () => [404, undefined])])
})

test('a form without files may be sent in either encoding, and another type of body is a validation error', async () => {
  const world = await open()
  const send = (path: string, type: string, body: string) =>
    request(world.url + path, { method: 'POST', headers: { 'content-type': type }, body })
  const plain = 'application/x-www-form-urlencoded'
  const made = await send('/profiles', plain, `name=Mia&kind=design&vd_states=${encodeURIComponent('{"Gender":"female"}')}&colour=red`)
  assert.deepEqual([made.status, made.headers['x-svc-ignored-fields'], made.json().name], [200, 'colour', 'Mia'])
  const refused = await send('/generate', plain, 'text=Hello.&speed=9')
  assert.deepEqual([refused.status, refused.json().detail[0].loc], [422, ['body', 'speed']])
  for (const [path, type, body] of [
    ['/transcribe', plain, 'language=en'],
    ['/generate', 'application/json', '{"text":"Hello."}'],
    ['/generate', 'text/plain', 'text=Hello.'],
    ['/tools/direction', 'text/plain', '{"text":"Hello."}'],
    ['/tools/direction', plain, 'text=Hello.'],
  ] as const) {
    const reply = await send(path, type, body)
    assert.deepEqual([reply.status, reply.json().detail[0].loc], [422, ['body']], `${path} ${type}`)
  }
  assert.equal((await send('/v1/audio/speech', 'text/plain', '{"input":"Hello."}')).status, 400)
})
