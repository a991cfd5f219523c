// How quickly engines come, come back and stop: from the start of an agent's process to the first sample of the embedded voice, the same after
// an engine host was killed, and from a cancellation to its acknowledgement. Without a studio: what its link costs is measured elsewhere.
import { type ChildProcess, fork } from 'node:child_process'
import { once } from 'node:events'
import { loadavg } from 'node:os'
import { join } from 'node:path'
import { median, title } from './support/rounds.ts'

const ROUNDS = 9
const LIMITS_MS = { start: 700, restart: 500, cancel: 100 }
const WORDS = {
  start: 'agent started, to its first sample',
  restart: 'engine host killed, to the next sample',
  cancel: 'cancelled, to the acknowledgement',
}
type What = keyof typeof WORDS

async function ask(child: ChildProcess, what: 'restart' | 'cancel'): Promise<number> {
  child.send(what)
  const [{ ms }] = (await once(child, 'message')) as [{ ms: number }]
  return ms
}

async function round(seen: Record<What, number[]>): Promise<void> {
  const from = performance.now()
  const child = fork(join(import.meta.dirname, 'support/agent-alone.ts'), [], { execArgv: [], env: { ...process.env } })
  await once(child, 'message')
  seen.start.push(performance.now() - from)
  seen.cancel.push(await ask(child, 'cancel'))
  seen.restart.push(await ask(child, 'restart'))
  const gone = once(child, 'exit')
  child.send('end')
  await gone
}

export async function run(): Promise<void> {
  title(`Life of an engine (load ${loadavg()[0]!.toFixed(1)} at the start)`)
  await round({ start: [], restart: [], cancel: [] }) // the first fills the caches of compiled code
  const seen: Record<What, number[]> = { start: [], restart: [], cancel: [] }
  for (let index = 0; index < ROUNDS; index++) await round(seen)
  for (const what of Object.keys(WORDS) as What[]) {
    const [middle, limit] = [median(seen[what]), LIMITS_MS[what]]
    const extremes = `${Math.min(...seen[what]).toFixed(0)}..${Math.max(...seen[what]).toFixed(0)}`
    process.stdout.write(
      `${WORDS[what].padEnd(46)} ${middle.toFixed(0).padStart(7)} ms  (${extremes})  limit ${String(limit).padStart(4)} ms  ratio ${(middle / limit).toFixed(2)}\n`,
    )
  }
}
