import assert from 'node:assert/strict'
import { once } from 'node:events'
import http2 from 'node:http2'
import type { AddressInfo } from 'node:net'
import { test } from 'node:test'
import tls from 'node:tls'
import { createStudioLinks } from '#shared/link/client/studio-links.ts'
import { createMessageCounter, SESSION_BYTES } from '#shared/link/transport/session-limits.ts'
import { systemClock as clock } from '#shared/runtime/clock.ts'
import { silentLog as log } from '#shared/runtime/log.ts'
import { MIB } from '#shared/runtime/memory/bytes.ts'
import { sharedCertificates } from '#test/support/doubles/link-certificates.ts'
import { eventually, header, openPair } from '#test/support/doubles/link-pair.ts'

const prefix = (bytes: number): Buffer => {
  const head = Buffer.alloc(5)
  head.writeUInt32BE(bytes, 1)
  return head
}

test('only the message that is not complete counts, in any pieces', () => {
  const count = createMessageCounter()
  assert.ok(count(prefix(1000)) < 1000)
  assert.ok(count(Buffer.alloc(999)) > 999)
  assert.equal(count(Buffer.alloc(1)), 0)
  const three = Buffer.concat([prefix(0), prefix(3), Buffer.alloc(3), prefix(500), Buffer.alloc(400)])
  assert.ok(count(three) >= 400)
  for (const byte of Buffer.alloc(99)) assert.ok(count(Buffer.of(byte)) > 400)
  assert.equal(count(Buffer.alloc(1)), 0)
})

test('pieces of one byte count with their overhead', () => {
  const count = createMessageCounter()
  count(prefix(10_000))
  let held = 0
  for (let byte = 0; byte < 100; byte++) held = count(Buffer.alloc(1))
  assert.ok(held > 20_000)
})

test('calls of an authenticated studio that withhold their ends are cancelled beyond 64 MiB, and the session goes on', async (t) => {
  const { studio } = await sharedCertificates()
  const pair = await openPair(t, 'inbound')
  const socket = tls.connect({
    socket: await pair.openSocket(),
    key: studio.key,
    cert: studio.certificate,
    ca: studio.authority,
    ALPNProtocols: ['h2'],
    checkServerIdentity: () => undefined,
  })
  await once(socket, 'secureConnect')
  const session = http2.connect('https://agent', { createConnection: () => socket, maxSessionMemory: 1_000 })
  t.after(() => session.destroy())
  const open = (path: string) =>
    session
      .request({ ':method': 'POST', ':path': `/voice.agent.v1.Agent/${path}`, 'content-type': 'application/grpc', te: 'trailers' })
      .on('error', () => {})
      .resume()
  const content = Buffer.alloc(4 * MIB - 1)
  const calls = Array.from({ length: 24 }, () => open('Run'))
  for (const call of calls) {
    call.write(prefix(4 * MIB))
    call.write(content)
  }
  const open64 = Math.floor(SESSION_BYTES / (4 * MIB))
  await eventually('the budget is enforced', () => calls.filter(({ closed }) => !closed).length <= open64)
  assert.ok(calls.every(({ closed, rstCode }) => !closed || rstCode === http2.constants.NGHTTP2_CANCEL))
  const describe = open('Describe')
  describe.end(prefix(0))
  const [headers] = await once(describe, 'response')
  assert.equal(headers[':status'], 200)
})

test('results of an enrolled agent that withhold their ends are cancelled beyond 64 MiB', async (t) => {
  const { agent, authority, studio } = await sharedCertificates()
  const hostile = http2.createSecureServer({ key: agent.key, cert: agent.certificate, ca: authority.certificatePem, minVersion: 'TLSv1.3' })
  hostile.on('stream', (stream) => {
    stream.on('error', () => {})
    stream.respond({ ':status': 200, 'content-type': 'application/grpc' })
    stream.write(prefix(4 * MIB))
    stream.write(Buffer.alloc(4 * MIB - 1))
  })
  hostile.listen(0, '127.0.0.1')
  await once(hostile, 'listening')
  const links = createStudioLinks({ ...studio, authority: authority.certificatePem, log, clock })
  t.after(() => {
    links.close()
    hostile.close()
  })
  const { port } = hostile.address() as AddressInfo
  const link = await links.dial({ host: '127.0.0.1', port }, { workerId: 'gpu-1', pins: new Set([agent.pin]) })
  let ended = 0
  for (let run = 0; run < 24; run++) link.run(header(`attempt-${run}`), { output: () => {}, end: () => ended++ })
  await eventually('the budget is enforced', () => ended >= 24 - Math.floor(SESSION_BYTES / (4 * MIB)))
  assert.equal(link.isOpen, true)
})
