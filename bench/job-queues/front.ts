// One POST of fastify in front of a queue library, or of the thinnest durable path. In its own process.
import { join } from 'node:path'
import fastify from 'fastify'
import { temporary } from '../support/peers.ts'
import type { RawKeys } from '../support/raw-agent.ts'
import { rawClient } from '../support/raw-front.ts'
import { ADAPTERS, type Name } from './adapter.ts'
import { openThinStore } from './thin-store.ts'

export type Job = { readonly params: { readonly echo: string } }
export type Behind = { readonly name: Name; readonly server: string } | { readonly agentPort: number; readonly keys: RawKeys }
type Run = (job: Job) => Promise<unknown>

async function ofLibrary(name: Name, server: string): Promise<Run> {
  const { run } = await ADAPTERS[name].submit(server)
  return ({ params }) => run(params)
}

/** Accepts the job durably, sends it on one stream, stores its result durably, and answers. */
function ofThinPath(agentPort: number, keys: RawKeys): Run {
  const folder = temporary()
  process.once('exit', folder.remove)
  const store = openThinStore(join(folder.path, 'jobs.db'))
  const same = (bytes: Buffer) => bytes
  const stream = rawClient(agentPort, keys).makeBidiStreamRequest('/thin.Thin/Jobs', same, same)
  const waiting = new Map<number, (result: unknown) => void>()
  stream.on('data', (bytes: Buffer) => {
    const { id, result } = JSON.parse(bytes.toString())
    waiting.get(id)!(result)
    waiting.delete(id)
  })
  return async (job) => {
    const id = await store.accept(JSON.stringify(job))
    const result = await new Promise<unknown>((resolve) => {
      waiting.set(id, resolve)
      stream.write(Buffer.from(JSON.stringify({ id, job })))
    })
    await store.finish(id, JSON.stringify(result))
    return result
  }
}

async function serve(behind: Behind): Promise<void> {
  const run = 'keys' in behind ? ofThinPath(behind.agentPort, behind.keys) : await ofLibrary(behind.name, behind.server)
  const app = fastify()
  app.post('/task', (request) => run(request.body as Job))
  await app.listen({ host: '127.0.0.1', port: 0 })
  const address = app.server.address()
  process.on('message', () => process.exit(0))
  process.send?.({ ready: true, port: typeof address === 'object' && address ? address.port : 0 })
}

process.once('disconnect', () => process.exit())
process.once('message', (first: Behind) => void serve(first))
