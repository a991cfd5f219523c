// The baseline client: fastify that forwards each request in one unary call over mutual TLS.
import { createHash } from 'node:crypto'
import { closeSync, openSync, writeSync } from 'node:fs'
import { join } from 'node:path'
import { Client, credentials } from '@grpc/grpc-js'
import fastify from 'fastify'
import { requireTls13 } from '#shared/link/transport/options.ts'
import { temporary } from './peers.ts'
import type { RawKeys } from './raw-agent.ts'

const same = (bytes: Buffer) => bytes
/** A plain channel to the baseline server. */
export function rawClient(port: number, { key, certificate, authority }: RawKeys): Client {
  requireTls13()
  return new Client(`127.0.0.1:${port}`, credentials.createSsl(Buffer.from(authority), Buffer.from(key), Buffer.from(certificate)), {
    'grpc.ssl_target_name_override': 'bench',
    'grpc-node.flow_control_window': 1024 * 1024,
    'grpc.max_receive_message_length': 4 * 1024 * 1024,
  })
}
export const echo = (client: Client, bytes: Buffer): Promise<Buffer> =>
  new Promise((resolve, reject) =>
    client.makeUnaryRequest('/raw.Raw/Echo', same, same, bytes, (error, reply) => (error ? reject(error) : resolve(reply!))),
  )
/**
 * Reads `bytes` in messages of `piece`; resolves with the seconds it took. With `file`, both ends compute the digest and this one writes the
 * file; otherwise the bytes are discarded.
 */
export const stream = (client: Client, bytes: number, piece: number, file: number | null = null): Promise<number> =>
  new Promise((resolve, reject) => {
    const from = performance.now()
    const request = { bytes, piece, isKept: file !== null }
    const call = client.makeServerStreamRequest('/raw.Raw/Stream', same, same, Buffer.from(JSON.stringify(request)))
    const hash = createHash('sha256')
    let received = 0
    call.on('data', (message: Buffer) => {
      if (file !== null) {
        hash.update(message)
        writeSync(file, message, 0, message.length, received)
      }
      received += message.length
    })
    call.on('error', reject)
    call.on('end', () =>
      received === bytes ? resolve((performance.now() - from) / 1000) : reject(new Error(`${received} of ${bytes} bytes`)),
    )
  })

const PIECE_BYTES = 256 * 1024
async function keep(client: Client, bytes: number): Promise<number> {
  const folder = temporary()
  const file = openSync(join(folder.path, 'bytes'), 'w')
  const seconds = await stream(client, bytes, PIECE_BYTES, file)
  closeSync(file)
  folder.remove()
  return seconds
}

async function serve(agentPort: number, keys: RawKeys): Promise<void> {
  const client = rawClient(agentPort, keys)
  const app = fastify()
  app.post('/task', async (request) => JSON.parse((await echo(client, Buffer.from(JSON.stringify(request.body)))).toString()))
  await app.listen({ host: '127.0.0.1', port: 0 })
  const address = app.server.address()
  type Request = { end?: boolean; flood?: { count: number; width: number }; bytes?: number; isKept?: boolean }
  process.on('message', async (message: Request) => {
    if (message.bytes && message.isKept) process.send?.({ seconds: await keep(client, message.bytes) })
    else if (message.bytes) process.send?.({ seconds: await stream(client, message.bytes, PIECE_BYTES) })
    if (message.flood) {
      const { flood } = await import('./rounds.ts')
      const payload = Buffer.from(JSON.stringify({ echo: 'x'.repeat(1024) }))
      const { perSecond } = await flood(message.flood.count, message.flood.width, () => echo(client, payload))
      process.send?.({ perSecond })
    }
    if (message.end) process.exit(0)
  })
  process.send?.({ ready: true, port: typeof address === 'object' && address ? address.port : 0 })
}

if (import.meta.main) {
  process.once('disconnect', () => process.exit())
  process.once('message', ({ agentPort, keys }: { agentPort: number; keys: RawKeys }) => void serve(agentPort, keys))
}
