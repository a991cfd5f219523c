// The baseline client: fastify that forwards each request in one unary call over mutual TLS.
import { Client, credentials } from '@grpc/grpc-js'
import fastify from 'fastify'
import { requireTls13 } from '#shared/link/transport/options.ts'
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
/** Reads `bytes` in messages of `piece`; resolves with the seconds it took. */
export const stream = (client: Client, bytes: number, piece: number): Promise<number> =>
  new Promise((resolve, reject) => {
    const from = performance.now()
    const call = client.makeServerStreamRequest('/raw.Raw/Stream', same, same, Buffer.from(JSON.stringify({ bytes, piece })))
    let received = 0
    call.on('data', (message: Buffer) => {
      received += message.length
    })
    call.on('error', reject)
    call.on('end', () =>
      received === bytes ? resolve((performance.now() - from) / 1000) : reject(new Error(`${received} of ${bytes} bytes`)),
    )
  })

async function serve(agentPort: number, keys: RawKeys): Promise<void> {
  const client = rawClient(agentPort, keys)
  const app = fastify()
  app.post('/task', async (request) => JSON.parse((await echo(client, Buffer.from(JSON.stringify(request.body)))).toString()))
  await app.listen({ host: '127.0.0.1', port: 0 })
  const address = app.server.address()
  process.on('message', async (message: { end?: boolean; flood?: { count: number; width: number }; bytes?: number }) => {
    if (message.bytes) process.send?.({ seconds: await stream(client, message.bytes, 256 * 1024) })
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
