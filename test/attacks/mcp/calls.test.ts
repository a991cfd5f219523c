// An MCP client that holds what it can: sessions, calls, large and deep messages, streams that it never reads. Others must be served.

import assert from 'node:assert/strict'
import { readFileSync } from 'node:fs'
import { connect, type Socket } from 'node:net'
import { test } from 'node:test'
import { MIB } from '#shared/runtime/memory/bytes.ts'
import { slowHosts } from '#test/support/chaos/slow-hosts.ts'
import { eventsIn, MCP_HEADERS, openSession } from '#test/support/mcp/client.ts'
import { cpuSeconds } from '#test/support/world/process.ts'
import { allEnded, tasksOf } from '#test/support/world/tasks.ts'
import { eventually, sharedWorld } from '#test/support/world/world.ts'

const LONG = 'Many words follow one another here and there. '.repeat(400)
const PING = { jsonrpc: '2.0', id: 1, method: 'ping' }
const call = (id: number, name: string, input: unknown) => ({
  jsonrpc: '2.0',
  id,
  method: 'tools/call',
  params: { name, arguments: input },
})

const open = sharedWorld({ remote: true })

test('a hostile MCP client', async (t) => {
  const world = await open()
  const send = (body: unknown, headers: Record<string, string>) => world.send('POST', '/mcp', body, headers)
  const memoryMib = () => Number(/VmRSS:\s+(\d+)/.exec(readFileSync(`/proc/${world.studio.pid}/status`, 'utf8'))![1]) / 1024
  const sessions = [await openSession(world)]

  await t.test('a hundred sessions leave 64, the last used ones, and little memory', async () => {
    const before = memoryMib()
    while (sessions.length < 100) sessions.push(await openSession(world))
    const statuses = await Promise.all(sessions.map(async (session) => (await send(PING, session)).status))
    assert.deepEqual([statuses.filter((status) => status === 404).length, statuses.lastIndexOf(404)], [36, 35])
    assert.ok(memoryMib() - before < 64, `${Math.round(memoryMib() - before)} MiB more`)
  })
  const session = sessions.at(-1)!

  await t.test('session ids that were ended, guessed or sent twice open nothing', async () => {
    for (const id of [sessions[0]!['mcp-session-id']!, '0'.repeat(32), 'x'.repeat(8_000), '__proto__', ', '])
      assert.equal((await send(PING, { ...MCP_HEADERS, 'mcp-session-id': id })).status, 404, id.slice(0, 40))
  })

  await t.test('large and deep messages are refused before they hold the event loop', async () => {
    const fill = (piece: string, open = '', close = '') => open + piece.repeat(Math.floor((4 * MIB - 4_096) / piece.length)) + close
    const wrap = (text: string) =>
      `{"jsonrpc":"2.0","id":2,"method":"tools/call","params":{"name":"check_health","arguments":{"a":${text}}}}`
    const bodies: [string, string, number][] = [
      ['wide', wrap(fill('[],', '[', '0]')), 422],
      ['deep', wrap('['.repeat(2_000_000) + ']'.repeat(2_000_000)), 422],
      ['keys', wrap(`{${Array.from({ length: 250_000 }, (_, at) => `"k${at}":0`).join(',')}}`), 422],
      ['numbers', wrap(fill('1,', '[', '1]')), 422],
      ['text', wrap(JSON.stringify(fill('x'))), 200],
      ['batch', `[${fill('{"jsonrpc":"2.0"},', '', '{"jsonrpc":"2.0"}')}]`, 422],
      ['larger', wrap(JSON.stringify('x'.repeat(5 * MIB))), 413],
    ]
    for (const [name, body, status] of bodies) {
      const before = cpuSeconds(world.studio.pid)
      const reply = await send(body, session)
      const seconds = cpuSeconds(world.studio.pid) - before
      assert.equal(reply.status, status, name)
      assert.ok(reply.body.length < 10_000, `${name}: an answer of ${reply.body.length} bytes`)
      t.diagnostic(`${name}: ${reply.status} after ${seconds} s of processor time`)
      assert.ok(seconds < 3, `${name}: ${seconds} s of processor time`)
    }
  })

  await t.test('a megabyte in any field is a short refusal', async () => {
    const large = 'x'.repeat(MIB)
    for (const field of ['text', 'language', 'profile_id', 'instruct', 'engine']) {
      const reply = await send(call(3, 'generate_speech', { text: 'hi', [field]: large }), session)
      const [{ result }] = eventsIn(reply.body.toString())
      assert.equal(result.isError, true)
      assert.ok(result.content[0].text.length < 500 && result.content[0].text.includes(field), result.content[0].text.slice(0, 200))
    }
    const unknown = eventsIn((await send(call(4, large, {}), session)).body.toString())
    assert.ok(JSON.stringify(unknown).length < 500)
  })

  await t.test('streams that are never read hold four calls; the fifth is refused, and closing them ends the tasks', async (t) => {
    const { port } = new URL(world.url)
    const release = slowHosts(t, world.studio)
    const earlier = new Set((await tasksOf(world)).map(({ task_id }) => task_id))
    const sockets: Socket[] = []
    t.after(() => {
      for (const socket of sockets) socket.destroy()
    })
    const head = Object.entries({ ...session, host: `127.0.0.1:${port}` }).map(([name, value]) => `${name}: ${value}\r\n`)
    for (let id = 10; id < 14; id++) {
      const body = JSON.stringify(call(id, 'generate_speech', { text: LONG, engine: 'tone' }))
      const socket = connect({ port: Number(port), host: '127.0.0.1' })
      socket.on('error', () => {})
      socket.pause()
      socket.write(`POST /mcp HTTP/1.1\r\n${head.join('')}content-length: ${Buffer.byteLength(body)}\r\n\r\n${body}`)
      sockets.push(socket)
    }
    await eventually(async () => (await tasksOf(world)).filter(({ task_id }) => !earlier.has(task_id)).length >= 4)
    const [{ result }] = eventsIn((await send(call(14, 'generate_speech', { text: 'hi', engine: 'tone' }), session)).body.toString())
    assert.match(result.content[0].text, /4 calls of this session are running/)
    const taken = await send(call(10, 'check_health', {}), session)
    assert.equal(taken.status, 400, 'an id that is in use')
    const [other] = eventsIn((await send(call(1, 'check_health', {}), sessions.at(-2)!)).body.toString())
    assert.equal(other.result.isError, undefined)
    for (const socket of sockets) socket.destroy()
    const ended = await allEnded(world)
    release()
    assert.deepEqual(new Set(ended.slice(0, 4).map(({ state }) => state)), new Set(['cancelled']))
    const again = eventsIn((await send(call(10, 'generate_speech', { text: 'hi', engine: 'tone' }), session)).body.toString())
    assert.equal(again.at(-1).result.isError, undefined)
  })
})
