// The baseline server: grpc-js over mutual TLS that echoes a message or streams a given number of bytes, with their digest where asked.
import { createHash } from 'node:crypto'
import { Server, ServerCredentials, type ServiceDefinition } from '@grpc/grpc-js'
import { requireTls13 } from '#shared/link/transport/options.ts'

requireTls13()
const same = (bytes: Buffer) => bytes
const shape = { requestSerialize: same, requestDeserialize: same, responseSerialize: same, responseDeserialize: same }
export const rawService: ServiceDefinition = {
  Echo: { path: '/raw.Raw/Echo', requestStream: false, responseStream: false, ...shape },
  Stream: { path: '/raw.Raw/Stream', requestStream: false, responseStream: true, ...shape },
}
export type RawKeys = { readonly key: string; readonly certificate: string; readonly authority: string }

/** Listens with mutual TLS on a free port, which the parent gets. */
export function listen(server: Server, { authority, key, certificate }: RawKeys): void {
  const pair = { private_key: Buffer.from(key), cert_chain: Buffer.from(certificate) }
  server.bindAsync('127.0.0.1:0', ServerCredentials.createSsl(Buffer.from(authority), [pair], true), (error, port) => {
    if (error) throw error
    process.send?.({ ready: true, port })
  })
}

async function serve(keys: RawKeys): Promise<void> {
  const server = new Server({ 'grpc-node.flow_control_window': 1024 * 1024 })
  server.addService(rawService, {
    Echo: (call: { request: Buffer }, reply: (error: null, message: Buffer) => void) => reply(null, call.request),
    Stream: (call: {
      request: Buffer
      write: (bytes: Buffer) => boolean
      end: () => void
      once: (event: string, run: () => void) => void
    }) => {
      const { bytes, piece, isKept } = JSON.parse(call.request.toString()) as { bytes: number; piece: number; isKept: boolean }
      const hash = createHash('sha256')
      const block = Buffer.alloc(piece, 'voice')
      let left = bytes
      const pump = () => {
        while (left > 0) {
          const message = left < piece ? block.subarray(0, left) : block
          if (isKept) hash.update(message)
          const hasRoom = call.write(message)
          left -= piece
          if (!hasRoom && left > 0) return call.once('drain', pump)
        }
        call.end()
      }
      pump()
    },
  })
  listen(server, keys)
  process.on('message', (message: { end?: boolean }) => {
    if (message.end) server.forceShutdown()
    if (message.end) process.exit(0)
  })
}

if (import.meta.main) {
  process.once('disconnect', () => process.exit())
  // Keys come over the parent channel because all users of the machine can read arguments.
  process.once('message', (keys) => void serve(keys as RawKeys))
}
