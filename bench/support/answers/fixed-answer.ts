// Answers every request with the same bytes, which the first message carries: what the client and the transfer need alone.
import { once } from 'node:events'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'

const [{ bytes }] = (await once(process, 'message')) as [{ bytes: Uint8Array }]
const server = createServer((_request, response) => {
  response.writeHead(200, { 'content-type': 'application/json; charset=utf-8', 'content-length': bytes.length })
  response.end(bytes)
}).listen(0, '127.0.0.1')
await once(server, 'listening')
process.on('message', () => process.exit(0))
process.send!({ ready: true, port: (server.address() as AddressInfo).port })
