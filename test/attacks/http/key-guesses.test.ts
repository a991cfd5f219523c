// Guesses of the API key at every kind of route, by every way on which an answer could reveal whether the guess was right. Each guess is
// counted before it is answered, and a flood of them is not compared at the speed of the server.
import assert from 'node:assert/strict'
import { once } from 'node:events'
import { Agent, type IncomingMessage, request as open } from 'node:http'
import { connect } from 'node:net'
import { text } from 'node:stream/consumers'
import { test } from 'node:test'
import { MOUNTED } from '#control-plane/http/mount/folders.ts'
import { CONTRACTS } from '#control-plane/registry/contracts.ts'
import { openWorld, type World } from '#test/support/world/world.ts'

const KEY = 'a-key-of-more-than-sixteen-characters'
const HANDSHAKE = {
  connection: 'Upgrade',
  upgrade: 'websocket',
  'sec-websocket-version': '13',
  'sec-websocket-key': 'dGhlIHNhbXBsZSBub25jZQ==',
}

type Kind = { readonly name: string; readonly method: string; readonly path: string; readonly headers?: Record<string, string> }
/** One route of each kind of access, and what is answered without one. */
const kinds: readonly Kind[] = [
  ...(['open', 'consume', 'local', 'admin', 'loopback', 'native'] as const).map((access) => {
    const { method, path } = CONTRACTS.find((row) => row.access === access && !row.path.includes('{'))!
    return { name: access, method, path }
  }),
  { name: 'the page', method: 'GET', path: '/' },
  { name: 'the sign-in page', method: 'GET', path: '/sign-in' },
  { name: 'the figures', method: 'GET', path: '/metrics' },
  { name: 'a mounted file', method: 'GET', path: MOUNTED[0]!.path.replace(/\{\w+\}/, 'x.wav') },
  { name: 'a file by HEAD', method: 'HEAD', path: MOUNTED[0]!.path.replace(/\{\w+\}/, 'x.wav') },
  { name: 'MCP', method: 'POST', path: '/mcp' },
  { name: 'a path that does not exist', method: 'GET', path: '/no/such/path' },
  { name: 'another method', method: 'PATCH', path: '/history' },
  { name: 'OPTIONS without a preflight', method: 'OPTIONS', path: '/history' },
  { name: 'a sign-in', method: 'POST', path: '/api/auth/session' },
  { name: 'the events', method: 'GET', path: '/ws/events', headers: HANDSHAKE },
  { name: 'dictation', method: 'GET', path: '/ws/transcribe', headers: HANDSHAKE },
  { name: 'a socket that does not exist', method: 'GET', path: '/ws/nothing', headers: HANDSHAKE },
]
const ways: Readonly<Record<string, Record<string, string>>> = {
  directly: {},
  'under a foreign name': { host: 'studio.attacker.example' },
  'through a proxy': { 'x-forwarded-for': '203.0.113.5' },
  'from a foreign page': { origin: 'https://attacker.example' },
  'from another site': { 'sec-fetch-site': 'cross-site' },
}

const counted = async (world: World): Promise<number> => {
  const figures = (await world.get('/metrics')).body.toString()
  return Number(/^studio_wrong_api_keys_total (\d+)$/m.exec(figures)?.[1] ?? 0)
}

test('each wrong key is counted, on every kind of route and by every way, and no right key is', async (t) => {
  const world = await openWorld(t, { withoutAgent: true, env: { STUDIO_API_KEY: KEY } })
  const { share_port: shared } = (await world.post('/system/network/enable')).json()
  let sender = 0
  /** Each from an address of its own: a wrong key delays only the answers to its own address. */
  async function send(port: number, { method, path, headers }: Kind, more: Record<string, string>): Promise<void> {
    sender++
    const localAddress = `127.1.${sender >> 8}.${sender & 255}`
    const call = open({ host: '127.0.0.1', port, method, path, localAddress, headers: { ...headers, ...more } })
    call.on('error', () => {})
    const answered = once(call, 'response').then(([answer]) => void (answer as IncomingMessage).resume())
    const upgraded = once(call, 'upgrade').then(([, socket]) => void socket.destroy())
    for (const outcome of [answered, upgraded]) outcome.catch(() => {})
    call.end()
    await Promise.race([answered, upgraded, once(call, 'close')])
    call.destroy()
  }
  const port = Number(new URL(world.url).port)
  for (const [way, headers] of Object.entries(ways))
    for (const kind of kinds)
      for (const at of [port, shared]) {
        const before = await counted(world)
        await send(at, kind, { ...headers, authorization: 'Bearer a-guess-that-is-wrong' })
        const wrong = await counted(world)
        await send(at, kind, { ...headers, authorization: `Bearer ${KEY}` })
        const right = await counted(world)
        assert.deepEqual([wrong - before, right - wrong], [1, 0], `${kind.name}, ${way}, port ${at === port ? 'of the studio' : 'shared'}`)
      }
})

test('a flood of guesses is counted one by one, and most are refused without a comparison that shows', async (t) => {
  const world = await openWorld(t, { withoutAgent: true, env: { STUDIO_API_KEY: KEY } })
  const { port } = new URL(world.url)
  const GUESSES = 60
  for (const [index, head] of ['GET / HTTP/1.1\r\nHost: other.example', 'GET /nothing HTTP/1.1\r\nVia: x\r\nHost: localhost'].entries()) {
    const before = await counted(world)
    const socket = connect({ port: Number(port), host: '127.0.0.1', localAddress: `127.2.0.${index + 1}` })
    const guesses = Array.from({ length: GUESSES }, (_, at) => `${head}\r\nAuthorization: Bearer guess-number-${at}\r\n\r\n`)
    const last = `${head}\r\nAuthorization: Bearer guess-of-the-end\r\nConnection: close\r\n\r\n`
    socket.write(guesses.join('') + last)
    const statuses = [...(await text(socket)).matchAll(/HTTP\/1\.1 (\d{3}) /g)].map(([, status]) => status)
    assert.equal(statuses.length, GUESSES + 1)
    assert.equal((await counted(world)) - before, GUESSES + 1)
    const refused = statuses.filter((status) => status === '429').length
    assert.ok(refused > GUESSES / 2, `${refused} of ${GUESSES} were refused`)
  }
  const agent = new Agent({ keepAlive: true })
  t.after(() => agent.destroy())
  const call = open({
    port,
    agent,
    path: '/v1/models',
    localAddress: '127.2.0.1',
    headers: { authorization: `Bearer ${KEY}`, via: 'x' },
  }).end()
  const [answer] = (await once(call, 'response')) as [IncomingMessage]
  answer.resume()
  assert.equal(answer.statusCode, 200, 'the right key works at once')
})
