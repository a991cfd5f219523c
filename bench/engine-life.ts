// Start, restart and cancellation of engines: from the start of an agent process to the first sample of the embedded voice, the same after an
// engine host was killed, and from a cancellation to its acknowledgement. Without a studio; other benchmarks measure the link.
import { type ChildProcess, fork } from 'node:child_process'
import { once } from 'node:events'
import { loadavg } from 'node:os'
import { join } from 'node:path'
import { median, title } from './support/rounds.ts'

const ROUNDS = 9
const LIMITS_MS = { start: 700, restart: 500, cancel: 100 }
const LABELS = {
  start: 'agent started, to its first sample',
  restart: 'engine host killed, to the next sample',
  cancel: 'cancelled, to the acknowledgement',
}
type Measure = keyof typeof LABELS

async function request(child: ChildProcess, measure: 'restart' | 'cancel'): Promise<number> {
  child.send(measure)
  const [{ ms }] = (await once(child, 'message')) as [{ ms: number }]
  return ms
}

async function round(times: Record<Measure, number[]>): Promise<void> {
  const from = performance.now()
  const child = fork(join(import.meta.dirname, 'support/agent-alone.ts'), [], { execArgv: [], env: { ...process.env } })
  await once(child, 'message')
  times.start.push(performance.now() - from)
  times.cancel.push(await request(child, 'cancel'))
  times.restart.push(await request(child, 'restart'))
  const exited = once(child, 'exit')
  child.send('end')
  await exited
}

export async function run(): Promise<void> {
  title(`Engine start, restart and cancellation (load ${loadavg()[0]!.toFixed(1)} at the start)`)
  await round({ start: [], restart: [], cancel: [] }) // warm-up: fills the compile caches
  const times: Record<Measure, number[]> = { start: [], restart: [], cancel: [] }
  for (let index = 0; index < ROUNDS; index++) await round(times)
  for (const measure of Object.keys(LABELS) as Measure[]) {
    const [middle, limit] = [median(times[measure]), LIMITS_MS[measure]]
    const extremes = `${Math.min(...times[measure]).toFixed(0)}..${Math.max(...times[measure]).toFixed(0)}`
    process.stdout.write(
      `${LABELS[measure].padEnd(46)} ${middle.toFixed(0).padStart(7)} ms  (${extremes})  limit ${String(limit).padStart(4)} ms  ratio ${(middle / limit).toFixed(2)}\n`,
    )
  }
}
