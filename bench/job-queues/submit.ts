// The submitter of a queue library, in its own process: submits jobs and waits for their results. Answers `{count, width}` with figures.
import { flood, quantile } from '../support/rounds.ts'
import { ADAPTERS, type Name } from './adapter.ts'

const PAYLOAD = { echo: 'x'.repeat(1024) }

export type Figures = { readonly p50: number; readonly p99: number; readonly perSecond: number }

async function serve({ name, server }: { readonly name: Name; readonly server: string }): Promise<void> {
  const { run } = await ADAPTERS[name].submit(server)
  const job = async () => {
    const result = (await run(PAYLOAD)) as typeof PAYLOAD | null
    if (result?.echo !== PAYLOAD.echo) throw new Error(`${name} answered ${JSON.stringify(result)?.slice(0, 100)}`)
  }
  process.on('message', async ({ count = 0, width = 1, end }: { count?: number; width?: number; end?: boolean }) => {
    if (end) process.exit(0)
    const { each, perSecond } = await flood(count, width, job)
    process.send?.({ p50: quantile(each, 0.5), p99: quantile(each, 0.99), perSecond } satisfies Figures)
  })
  process.send?.({ ready: true })
}

process.once('disconnect', () => process.exit())
process.once('message', (first: { name: Name; server: string }) => void serve(first))
