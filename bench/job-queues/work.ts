// The worker of a queue library, in its own process.
import { ADAPTERS, type Name } from './adapter.ts'

async function serve({ name, server }: { readonly name: Name; readonly server: string }): Promise<void> {
  await ADAPTERS[name].work(server)
  process.on('message', () => process.exit(0))
  process.send?.({ ready: true })
}

process.once('disconnect', () => process.exit())
process.once('message', (first: { name: Name; server: string }) => void serve(first))
