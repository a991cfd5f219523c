import assert from 'node:assert/strict'
import { once } from 'node:events'
import http2 from 'node:http2'
import { test } from 'node:test'
import tls from 'node:tls'
import { createMessageCounter, SESSION_BYTES } from '#shared/link/transport/session-limits.ts'
import { sharedCertificates } from '#test/support/doubles/link-certificates.ts'
import { eventually, openPair } from '#test/support/doubles/link-pair.ts'

const MIB = 1024 * 1024
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
