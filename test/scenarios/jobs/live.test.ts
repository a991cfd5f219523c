// The socket of events: its frames, its access rules, and clients that misbehave.
import assert from 'node:assert/strict'
import { once } from 'node:events'
import { request } from 'node:http'
import { connect, type Socket } from 'node:net'
import { networkInterfaces } from 'node:os'
import { type TestContext, test } from 'node:test'
import { WebSocket } from 'ws'
import { form } from '#test/support/world/http.ts'
import { eventually, openWorld, sharedWorld } from '#test/support/world/world.ts'

const KEY = 'a-key-of-more-than-sixteen-characters'
const PATH = '/ws/events'
type Frame = {
  readonly kind: string
  readonly ts?: number
  readonly action?: string
  readonly id?: string
  readonly job?: { status: string }
}

async function listen(t: TestContext, url: string): Promise<Frame[]> {
  const socket = new globalThis.WebSocket(url.replace('http', 'ws') + PATH)
  t.after(() => socket.close())
  const frames: Frame[] = []
  socket.onmessage = ({ data }) => void frames.push(JSON.parse(data as string) as Frame)
  await new Promise((resolve) => (socket.onopen = resolve))
  return frames
}
/** The status of a handshake with these headers; 101 when it succeeds. */
function handshake(
  url: string,
  path: string,
  headers: Record<string, string>,
): Promise<{ readonly status: number; readonly socket: Socket | null }> {
  const all = {
    connection: 'Upgrade',
    upgrade: 'websocket',
    'sec-websocket-version': '13',
    'sec-websocket-key': 'AAAAAAAAAAAAAAAAAAAAAA==',
    ...headers,
  }
  return new Promise((resolve, reject) => {
    const call = request(url + path, { headers: all })
    call.on('upgrade', (_answer, socket) => resolve({ status: 101, socket }))
    call.on('response', (answer) => {
      answer.resume()
      resolve({ status: answer.statusCode!, socket: null })
    })
    call.on('error', reject)
    call.end()
  })
}

const open = sharedWorld()

test('the socket of events', async (t) => {
  const world = await open()

  await t.test('changes of takes and jobs arrive as they happen', async (t) => {
    const frames = await listen(t, world.url)
    const take = await world.post('/generate', form({ text: 'Hello.' }))
    assert.equal(take.status, 200, String(take.body))
    const id = take.headers.get('x-audio-id')!
    await world.put(`/history/${id}/starred`, { starred: true })
    await world.delete(`/history/${id}`)
    await world.delete('/history')
    const history = await eventually(() => {
      const found = frames.filter(({ kind }) => kind === 'generation_history')
      return found.length === 4 && found
    })
    assert.deepEqual(
      history.map(({ ts, ...rest }) => rest),
      [
        { kind: 'generation_history', action: 'created', id },
        { kind: 'generation_history', action: 'starred', id },
        { kind: 'generation_history', action: 'deleted', id },
        { kind: 'generation_history' },
      ],
    )
    assert.ok(Math.abs(history[0]!.ts! - Date.now() / 1000) < 60, 'epoch seconds')
  })

  await t.test('the socket has the access rules of the routes', async () => {
    const { port } = new URL(world.url)
    const status = async (headers: Record<string, string>, path = PATH) => {
      const { status, socket } = await handshake(world.url, path, headers)
      socket?.destroy()
      return status
    }
    assert.equal(await status({}), 101)
    assert.equal(await status({ origin: `http://127.0.0.1:${port}` }), 101)
    assert.equal(await status({ origin: 'http://localhost:3901' }), 101)
    for (const origin of ['https://evil.example', 'null', 'http://localhost:9999', `http://evil.example:${port}`])
      assert.equal(await status({ origin }), 403, origin)
    for (const host of ['evil.example', `evil.example:${port}`]) assert.equal(await status({ host }), 403, host)
    assert.equal(await status({ 'sec-fetch-site': 'cross-site' }), 403)
    assert.equal(await status({}, '/ws/nothing'), 404)
    assert.equal(await status({ 'sec-websocket-version': '1' }), 400)
    assert.equal(await status({ upgrade: 'h2c' }, '/health'), 200, 'another protocol is offered and not taken')
  })

  await t.test('messages of clients are ignored, and an oversized or malformed one closes the socket', async (t) => {
    const socket = new WebSocket(world.url.replace('http', 'ws') + PATH)
    await once(socket, 'open')
    await new Promise((resolve) => socket.send('{"kind":"job"}', resolve))
    const quiet = await listen(t, world.url)
    const closed = once(socket, 'close') as Promise<[number]>
    socket.on('error', () => {})
    await new Promise((resolve) => socket.send('x'.repeat(10_000), resolve))
    assert.equal((await closed)[0], 1009)
    assert.deepEqual(quiet, [])

    const { port } = new URL(world.url)
    for (const bytes of ['\x00\xff\xff', '\xc1\x00', '\x81\xff\xff\xff\xff\xff\xff\xff\xff\xff']) {
      const { socket: raw } = await handshake(world.url, PATH, {})
      raw!.on('error', () => {})
      const gone = once(raw!, 'close')
      raw!.resume()
      raw!.write(Buffer.from(bytes, 'latin1'))
      await gone
    }
    const half = connect(Number(port), '127.0.0.1')
    half.write(`GET ${PATH} HTTP/1.1\r\nHost: 127.0.0.1:${port}\r\nUpgrade: websocket\r\nConnection: Upgrade\r\n`)
    half.destroy()
    assert.equal((await world.get('/health')).status >= 200, true)
    assert.equal((await handshake(world.url, PATH, {})).status, 101)
  })
})

test('from another machine a key is needed: without it the socket closes with 1008', async (t) => {
  const address = Object.values(networkInterfaces())
    .flat()
    .find((each) => each?.family === 'IPv4' && !each.internal)?.address
  if (!address) return t.skip('this machine has no address but loopback')
  const world = await openWorld(t, { withoutAgent: true, env: { STUDIO_HOST: '0.0.0.0', STUDIO_API_KEY: KEY } })
  const origin = `ws://${address}:${new URL(world.url).port}`
  const closeOf = async (headers: Record<string, string>, path = PATH): Promise<number> => {
    const socket = new WebSocket(origin + path, { headers })
    const [code] = (await once(socket, 'close')) as [number]
    return code
  }
  assert.equal(await closeOf({}), 1008)
  assert.equal(await closeOf({ authorization: 'Bearer wrong' }), 1008)
  for (const path of ['/ws/transcribe?pcm=1&model=tone', '/ws/tts']) assert.equal(await closeOf({}, path), 1008, path)
  const speaking = new WebSocket(`${origin}/ws/tts`, { headers: { authorization: `Bearer ${KEY}` } })
  await once(speaking, 'open')
  const stopped = once(speaking, 'close')
  const socket = new WebSocket(origin + PATH, { headers: { authorization: `Bearer ${KEY}` } })
  await once(socket, 'open')
  const closed = once(socket, 'close')
  await world.studio.end()
  assert.equal(((await closed) as [number])[0], 1012, 'the studio stops, and may start again')
  assert.equal(((await stopped) as [number])[0], 1012)
})
