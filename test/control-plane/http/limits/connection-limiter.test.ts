// The limits of connections on a real server, with short times.
import assert from 'node:assert/strict'
import { once } from 'node:events'
import type { IncomingMessage, RequestListener, ServerResponse } from 'node:http'
import { type AddressInfo, connect, type Socket } from 'node:net'
import { type TestContext, test } from 'node:test'
import { answerRaw, unreadableRequest } from '#control-plane/http/contract/errors.ts'
import { type ConnectionLimiter, createConnectionLimiter } from '#control-plane/http/limits/connection-limiter.ts'
import { type ConnectionLimits, connectionLimits, openFileLimit } from '#control-plane/http/limits/connection-limits.ts'
import { sourceOf } from '#control-plane/http/limits/source.ts'
import { systemClock as clock } from '#shared/runtime/clock.ts'
import { silentLog } from '#shared/runtime/log.ts'

type Server = { readonly open: (from: string, text?: string) => Promise<Socket>; readonly connections: ConnectionLimiter }

async function serve(t: TestContext, limits: Partial<ConnectionLimits>, handler: RequestListener): Promise<Server> {
  const connections = createConnectionLimiter({
    newId: () => 'req_0',
    limits: { ...connectionLimits(null), ...limits },
    keepAliveMs: 60_000,
    shouldUpgrade: () => false,
    clock,
    log: silentLog,
  })
  const server = connections.serve(handler).listen(0, '127.0.0.1')
  server.on('clientError', (error, socket) => answerRaw(socket as Socket, unreadableRequest(error as { code?: string }), 'req_1'))
  await once(server, 'listening')
  const clients: Socket[] = []
  t.after(() => {
    for (const client of clients) client.destroy()
    server.closeAllConnections()
    server.close()
  })
  return {
    connections,
    async open(from, text = '') {
      const client = connect({ port: (server.address() as AddressInfo).port, host: '127.0.0.1', localAddress: from })
      clients.push(client.on('error', () => {}))
      await once(client, 'connect')
      if (text !== '') client.write(text)
      return client
    },
  }
}
const ANSWER: RequestListener = (_request, response) => void response.end('ok')
const GET = 'GET / HTTP/1.1\r\nHost: a\r\n\r\n'
const HALF = 'GET / HTTP/1.1\r\nHost: a\r\n'
const upload = (bytes: number, body: string) => `POST / HTTP/1.1\r\nHost: a\r\nContent-Length: ${bytes}\r\n\r\n${body}`

/** Everything the server sends until it closes the connection. */
async function untilClosed(client: Socket): Promise<string> {
  let text = ''
  client.on('data', (data) => {
    text += data
  })
  if (!client.destroyed) await once(client, 'close')
  return text
}
async function answerOf(client: Socket): Promise<string> {
  const [data] = (await once(client, 'data')) as [Buffer]
  return data.toString()
}

test('a full address ends its own oldest idle connection, and no other address is affected', async (t) => {
  const { open } = await serve(t, { total: 10, perAddress: 2 }, ANSWER)
  const other = await open('127.0.0.12', HALF)
  const oldest = await open('127.0.0.11', HALF)
  await open('127.0.0.11', HALF)
  const ended = untilClosed(oldest)
  assert.match(await answerOf(await open('127.0.0.11', GET)), /^HTTP\/1\.1 200/)
  assert.equal(await ended, '')
  other.write('\r\n')
  assert.match(await answerOf(other), /^HTTP\/1\.1 200/)
})

test('a full server ends connections of the address with the most, and those that passed no access check first', async (t) => {
  const trusted = (request: IncomingMessage, response: ServerResponse) => {
    if (request.url === '/trusted') server.connections.trust(request.socket)
    response.end('ok')
  }
  const server = await serve(t, { total: 4, perAddress: 3 }, trusted)
  const known = await server.open('127.0.0.11', GET.replace('/', '/trusted'))
  await answerOf(known)
  const half = await server.open('127.0.0.11', HALF)
  await server.open('127.0.0.11', HALF)
  const single = await server.open('127.0.0.12', HALF)
  const ended = untilClosed(half)
  assert.match(await answerOf(await server.open('127.0.0.13', GET)), /^HTTP\/1\.1 200/)
  assert.equal(await ended, '')
  for (const client of [known, single]) {
    client.write(client === known ? GET : '\r\n')
    assert.match(await answerOf(client), /^HTTP\/1\.1 200/)
  }
})

test('running requests of trusted callers are kept, and the caller for whom there is no room is told', async (t) => {
  const running: ServerResponse[] = []
  const server = await serve(t, { total: 2, perAddress: 2 }, (request, response) => {
    server.connections.trust(request.socket)
    running.push(response)
    if (running.length === 2) bothRun()
  })
  const { promise: both, resolve: bothRun } = Promise.withResolvers<void>()
  const first = await server.open('127.0.0.11', GET)
  const second = await server.open('127.0.0.12', GET)
  await both
  const refusal = await untilClosed(await server.open('127.0.0.13', GET))
  assert.match(refusal, /^HTTP\/1\.1 429 [\s\S]*retry-after: 30[\s\S]*"detail":"Too many connections to the studio are open\."/i)
  const answers = [answerOf(first), answerOf(second)]
  for (const response of running) response.end('ok')
  for (const answer of await Promise.all(answers)) assert.match(answer, /^HTTP\/1\.1 200/)
})

test('headers that do not arrive in time end the connection with 408', async (t) => {
  const { open } = await serve(t, { headersMs: 100, headersCheckMs: 50 }, ANSWER)
  for (const text of [HALF, '', 'G'])
    assert.match(await untilClosed(await open('127.0.0.1', text)), /^HTTP\/1\.1 408 [\s\S]*did not arrive in time/, text)
})

test('a body that arrives too slowly ends the connection with 408; the time grows with what arrives', async (t) => {
  const read: RequestListener = (request, response) => {
    request.on('error', () => {})
    request.resume().on('end', () => response.end('ok'))
  }
  const { open } = await serve(t, { bodyMs: 150, bodyBytesPerSecond: 1_000 }, read)
  assert.match(await untilClosed(await open('127.0.0.1', upload(10, '{'))), /^HTTP\/1\.1 408 [\s\S]*body of the request/)
  const patient = await open('127.0.0.1', upload(20_001, 'x'.repeat(20_000)))
  const early = await Promise.race([untilClosed(patient), clock.sleep(400).then(() => 'open')])
  assert.equal(early, 'open', 'twenty kilobytes buy twenty seconds')
  patient.write('x')
  assert.match(await answerOf(patient), /^HTTP\/1\.1 200/)
})

test('limits follow the number of files that may be open', () => {
  assert.deepEqual(
    [20, 256, 1_024, 1_000_000, null].map((files) => {
      const { total, perAddress } = connectionLimits(files)
      return [total, perAddress]
    }),
    [
      [16, 8],
      [64, 32],
      [256, 128],
      [1_000, 500],
      [256, 128],
    ],
  )
  const limit = openFileLimit()
  assert.ok(limit === null || limit > 16)
})

test('a machine with many IPv6 addresses is one network', () => {
  assert.equal(sourceOf('::ffff:192.0.2.7'), '192.0.2.7')
  assert.equal(sourceOf('192.0.2.7'), '192.0.2.7')
  assert.equal(sourceOf('2001:db8:1:2:3:4:5:6'), '2001:db8:1:2')
  assert.equal(sourceOf('2001:db8::5'), sourceOf('2001:db8::a:6'))
  assert.notEqual(sourceOf('2001:db8:0:1::5'), sourceOf('2001:db8::5'))
  assert.equal(sourceOf('fe80::1%eth0'), 'fe80:0:0:0')
  assert.equal(sourceOf('::1'), '0:0:0:0')
})

test('requests on one connection leave no listener behind', async (t) => {
  let socket: Socket | undefined
  const { open } = await serve(t, {}, (request, response) => {
    socket = request.socket
    request.resume().once('end', () => response.end('ok'))
  })
  const client = await open('127.0.0.1')
  const counts: number[] = []
  for (let index = 0; index < 20; index++) {
    client.write(upload(2, 'ab'))
    await answerOf(client)
    counts.push(socket!.listenerCount('close'))
  }
  assert.equal(counts.at(-1), counts[1])
})
