// The bytes that a peer without a certificate may send, counted on a real TLS connection with a gRPC server.
import assert from 'node:assert/strict'
import { once } from 'node:events'
import net, { type AddressInfo } from 'node:net'
import { type TestContext, test } from 'node:test'
import type { TLSSocket } from 'node:tls'
import type { handleUnaryCall } from '@grpc/grpc-js'
import { enrolmentDefinition, mapEnrolmentMethods } from '#shared/link/rpc.ts'
import { limitBytes } from '#shared/link/transport/limit-bytes.ts'
import { ENROLMENT_OPTIONS } from '#shared/link/transport/options.ts'
import { serveOn } from '#shared/link/transport/serve.ts'
import { createTlsServer } from '#shared/link/transport/tls-server.ts'
import { systemClock as clock } from '#shared/runtime/clock.ts'
import { silentLog as log } from '#shared/runtime/log.ts'
import { sharedCertificates } from '#test/support/doubles/link-certificates.ts'
import { eventually } from '#test/support/doubles/link-pair.ts'
import { announce, connectTls, openCall, PREFACE, zeros } from '#test/support/world/stranger.ts'

const MAX_BYTES = 16 * 1024
const REDEEM = '/voice.enrolment.v1.Enrolment/Redeem'
const PING = Buffer.concat([Buffer.from([0, 0, 8, 6, 0, 0, 0, 0, 0]), Buffer.alloc(8)])
const isAcknowledged = (bytes: Buffer) => bytes.includes(Buffer.from([0, 0, 8, 6, 1, 0, 0, 0, 0]))
const unused: handleUnaryCall<unknown, unknown> = (_call, reply) => reply(new Error('unused'))
const IMPLEMENTATION = mapEnrolmentMethods(() => unused)

async function openServer(t: TestContext) {
  const { studio } = await sharedCertificates()
  const served: { socket: TLSSocket; exceeded: number }[] = []
  const server = createTlsServer({
    keyPem: studio.key,
    certificatePem: studio.certificate,
    clientAuthorityPem: null,
    handshakeMs: 10_000,
    log,
    onSecure(socket) {
      const entry = { socket, exceeded: 0 }
      served.push(entry)
      limitBytes(socket, MAX_BYTES, clock, () => entry.exceeded++)
      serveOn(socket, enrolmentDefinition, IMPLEMENTATION, ENROLMENT_OPTIONS)
    },
  })
  const door = net.createServer((raw) => server.inject(raw)).listen(0, '127.0.0.1')
  await once(door, 'listening')
  t.after(() => {
    server.cut()
    door.close()
  })
  return { port: (door.address() as AddressInfo).port, served }
}

test('data beyond the limit ends the connection, also in frames of one byte', async (t) => {
  const { port, served } = await openServer(t)
  const socket = await connectTls(t, port)
  socket.write(Buffer.concat([PREFACE, openCall(1, REDEEM), announce(1, 12 * 1024), zeros(1, 3_000, 1)]))
  await once(socket, 'close')
  assert.equal(served[0]!.exceeded, 1)
})

test('frames that reach no stream count as well', async (t) => {
  const { port, served } = await openServer(t)
  const socket = await connectTls(t, port)
  socket.write(Buffer.concat([PREFACE, ...Array<Buffer>(980).fill(PING)])) // the library ends a session after 1,000
  await once(socket, 'close')
  assert.equal(served[0]!.exceeded, 1)
})

test('a peer within the limit is answered, and the session reads from the TLS socket itself', async (t) => {
  const { port, served } = await openServer(t)
  const socket = await connectTls(t, port)
  let received = Buffer.alloc(0)
  const answered = new Promise<void>((resolve) =>
    socket.on('data', (bytes: Buffer) => {
      received = Buffer.concat([received, bytes])
      if (isAcknowledged(received)) resolve()
    }),
  )
  socket.write(Buffer.concat([PREFACE, PING]))
  await answered
  const [{ socket: server, exceeded }] = served as [(typeof served)[number]]
  assert.equal(exceeded, 0)
  // Node's adapter for streams would read from it with a listener.
  assert.equal(server.listenerCount('data'), 0)
  assert.ok(server.bytesRead >= PREFACE.length + PING.length)
})

test('a server does not take a closed socket', async (t) => {
  const { port, served } = await openServer(t)
  await connectTls(t, port)
  await eventually('it is secured', () => served.length === 1)
  const [{ socket }] = served as [(typeof served)[number]]
  socket.destroy()
  const errors: unknown[] = []
  socket.on('error', (error) => errors.push(error))
  serveOn(socket, enrolmentDefinition, IMPLEMENTATION, ENROLMENT_OPTIONS)
  await once(socket, 'close')
  assert.deepEqual(errors, [])
})
