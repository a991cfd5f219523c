// MCP clients at two addresses, one of which opens sessions, sends calls and large arguments, and reads nothing. It is told what is full; the other
// client works on.

import assert from 'node:assert/strict'
import { once } from 'node:events'
import { connect, type Socket } from 'node:net'
import { test } from 'node:test'
import { MIB } from '#shared/runtime/memory/bytes.ts'
import { slowHosts } from '#test/support/chaos/slow-hosts.ts'
import { type Neighbour, neighbourAt } from '#test/support/clients/neighbour.ts'
import { eventsIn, INITIALIZE, MCP_HEADERS } from '#test/support/mcp/client.ts'
import type { Ending } from '#test/support/world/process.ts'
import { residentBytes } from '#test/support/world/stranger.ts'
import { eventually, sharedWorld, type World } from '#test/support/world/world.ts'

const KEY = 'k8-one-key-for-all-agents-9876543210'
const bearer = { authorization: `Bearer ${KEY}` }
const NOISY = '127.0.8.1'
const open = sharedWorld({ env: { STUDIO_API_KEY: KEY } })
const clientsOf = (t: Ending, world: World) => ({
  noisy: neighbourAt(t, world, NOISY, bearer),
  quiet: neighbourAt(t, world, '127.0.8.2', bearer),
})

const call = (id: number, name: string, input: unknown) => ({
  jsonrpc: '2.0',
  id,
  method: 'tools/call',
  params: { name, arguments: input },
})
const send = (client: Neighbour, body: Record<string, unknown>, session: string | null) =>
  client.send('POST', '/mcp', body, { ...MCP_HEADERS, ...(session !== null && { 'mcp-session-id': session }) })
async function sessionOf(client: Neighbour): Promise<string> {
  const { status, headers, body } = await send(client, INITIALIZE, null)
  assert.equal(status, 200, body.toString())
  return String(headers['mcp-session-id'])
}
async function speaks(client: Neighbour): Promise<void> {
  const session = await sessionOf(client)
  const { body } = await send(client, call(1, 'generate_speech', { text: 'All is well.', engine: 'tone' }), session)
  const { result } = eventsIn(body.toString()).at(-1)
  assert.equal(result.isError, undefined, JSON.stringify(result).slice(0, 300))
}

/** Sends a call and reads no byte of its answer. */
async function unread(t: Ending, world: World, body: unknown, session: string): Promise<Socket> {
  const { port } = new URL(world.url)
  const text = JSON.stringify(body)
  const socket = connect({ host: '127.0.0.1', port: Number(port), localAddress: NOISY })
  socket.on('error', () => {})
  t.after(() => socket.destroy())
  await once(socket, 'connect')
  socket.pause()
  const headers = {
    ...MCP_HEADERS,
    ...bearer,
    host: `127.0.0.1:${port}`,
    'mcp-session-id': session,
    'content-length': String(Buffer.byteLength(text)),
  }
  socket.write(
    `POST /mcp HTTP/1.1\r\n${Object.entries(headers)
      .map(([name, value]) => `${name}: ${value}\r\n`)
      .join('')}\r\n${text}`,
  )
  return socket
}

test('sessions that are all in use are refused for their client, and idle ones give way; another client opens its own', async (t) => {
  const world = await open()
  const { noisy, quiet } = clientsOf(t, world)
  const own = await sessionOf(quiet)
  const before = residentBytes(world.studio.pid)
  const release = slowHosts(t, world.studio)
  const sessions: string[] = []
  for (let at = 0; at < 150; at++) sessions.push(await sessionOf(noisy))
  const kept = await Promise.all(
    sessions.map(async (session) => (await send(noisy, { jsonrpc: '2.0', id: 1, method: 'ping' }, session)).status === 200),
  )
  assert.equal(kept.filter(Boolean).length, 64)
  assert.equal((await send(quiet, { jsonrpc: '2.0', id: 2, method: 'ping' }, own)).status, 200, 'the session of another client stays')
  assert.ok(residentBytes(world.studio.pid) - before < 96 * MIB)
  // Every session has a call that takes long, and nothing reads its answer.
  const long = 'Word after word, and no end in sight. '.repeat(300)
  const open64 = sessions.filter((_, at) => kept[at])
  const sockets: Socket[] = []
  for (const session of open64.slice(0, 16))
    sockets.push(await unread(t, world, call(3, 'generate_speech', { text: long, engine: 'tone' }), session))
  const answer = await eventually(async () => {
    const { body } = await send(noisy, call(4, 'generate_speech', { text: 'One more.', engine: 'tone' }), open64[20]!)
    const { result } = eventsIn(body.toString()).at(-1)
    return result.isError === true && result
  })
  assert.match(answer.content[0].text, /^One client has at most 16 places for MCP calls that run tasks, and this one has 16\. Try again/)
  await speaks(quiet)
  for (const socket of sockets) socket.destroy()
  release()
  await eventually(async () => {
    const { body } = await send(noisy, call(5, 'generate_speech', { text: 'Now.', engine: 'tone' }), open64[20]!)
    return eventsIn(body.toString()).at(-1).result.isError === undefined
  })
})

test('large arguments of one client leave room for those of another, and little memory is used', async (t) => {
  const world = await open()
  const { noisy, quiet } = clientsOf(t, world)
  const [session, own] = [await sessionOf(noisy), await sessionOf(quiet)]
  const before = residentBytes(world.studio.pid)
  const large = (id: number) => call(id, 'check_health', { remark: `${id}`.padEnd(3.9 * MIB, 'y') })
  const flood = Array.from({ length: 48 }, (_, id) => send(noisy, large(id), session))
  for (let id = 0; id < 5; id++) assert.equal((await send(quiet, large(id), own)).status, 200)
  const answers = await Promise.all(flood)
  assert.ok(answers.every(({ status }) => status === 200 || status === 429))
  const refused = answers.filter(({ status }) => status === 429)
  for (const { body, headers } of refused) {
    assert.match(
      JSON.parse(body.toString()).detail,
      /^(One client has at most (4 places|64 MiB)|This client has ([1-4] places?|\d\d? MiB)) for large requests/,
    )
    assert.ok(headers['retry-after'])
  }
  assert.ok(residentBytes(world.studio.pid) - before < 400 * MIB)
  await speaks(noisy)
})
