import assert from 'node:assert/strict'
import { once } from 'node:events'
import net, { type AddressInfo } from 'node:net'
import { test } from 'node:test'
import tls from 'node:tls'
import fc from 'fast-check'
import { HELLO_LIMIT_BYTES, serverNameOf } from '#shared/link/port/client-hello.ts'

/** First bytes of a real client. */
async function helloOf(servername: string): Promise<Buffer> {
  const server = net.createServer().listen(0, '127.0.0.1')
  await once(server, 'listening')
  const client = tls.connect({ port: (server.address() as AddressInfo).port, host: '127.0.0.1', servername, ALPNProtocols: ['h2'] })
  client.on('error', () => {})
  const [socket] = (await once(server, 'connection')) as [net.Socket]
  let bytes = Buffer.alloc(0)
  while (bytes.length < 5 || bytes.length < 5 + bytes.readUInt16BE(3))
    bytes = Buffer.concat([bytes, (await once(socket, 'data'))[0] as Buffer])
  client.destroy()
  socket.destroy()
  server.close()
  return bytes
}
const [named, nameless] = await Promise.all([helloOf('gpu_1-a.renewal.studio'), helloOf('')])

test('the server name is read as soon as the hello is complete', () => {
  assert.equal(serverNameOf(named), 'gpu_1-a.renewal.studio')
  assert.equal(serverNameOf(nameless), null)
  for (let length = 1; length < named.length; length++) assert.equal(serverNameOf(named.subarray(0, length)), undefined, String(length))
  assert.equal(serverNameOf(Buffer.concat([named, Buffer.from('more')])), 'gpu_1-a.renewal.studio')
})

test('other data has no server name, and a hello that is too long is refused', () => {
  assert.equal(serverNameOf(Buffer.from('SVA1 x\n')), null)
  assert.equal(serverNameOf(Buffer.from([0x16, 3, 1, 0, 3, 9, 9, 9])), null)
  assert.equal(serverNameOf(Buffer.from([0x16, 3, 1, 255, 255])), null)
  assert.ok(named.length < HELLO_LIMIT_BYTES)
})

test('a corrupt hello is never read beyond its end', () => {
  const change = fc.tuple(fc.nat(named.length - 1), fc.nat(255))
  fc.assert(
    fc.property(fc.array(change, { minLength: 1, maxLength: 8 }), (changes) => {
      const bytes = Buffer.from(named)
      for (const [at, value] of changes) bytes[at] = value
      const name = serverNameOf(bytes)
      assert.ok(name === null || name === undefined || (typeof name === 'string' && name.length <= bytes.length))
    }),
    { numRuns: 20_000, seed: 7 },
  )
})
