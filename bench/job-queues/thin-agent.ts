// The far end of the thinnest durable path: a gRPC server over mutual TLS that answers each message of one bidirectional stream with its payload.
import { Server, type ServerDuplexStream, type ServiceDefinition } from '@grpc/grpc-js'
import { listen, type RawKeys } from '../support/raw-agent.ts'

const same = (bytes: Buffer) => bytes
const service: ServiceDefinition = {
  Jobs: {
    path: '/thin.Thin/Jobs',
    requestStream: true,
    responseStream: true,
    requestSerialize: same,
    requestDeserialize: same,
    responseSerialize: same,
    responseDeserialize: same,
  },
}

function serve(keys: RawKeys): void {
  const server = new Server()
  server.addService(service, {
    Jobs(call: ServerDuplexStream<Buffer, Buffer>) {
      call.on('data', (bytes: Buffer) => {
        const { id, job } = JSON.parse(bytes.toString())
        call.write(Buffer.from(JSON.stringify({ id, result: { echo: job.params.echo } })))
      })
      call.on('end', () => call.end())
    },
  })
  listen(server, keys)
  process.on('message', () => process.exit(0))
}

process.once('disconnect', () => process.exit())
process.once('message', (keys) => serve(keys as RawKeys))
