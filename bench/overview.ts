// `GET /system/info` of a studio that runs: every client asks for it at start and again and again. Goal: p99 under 50 ms over 2,000 calls.
import { restrictNewFiles } from '#shared/runtime/access/private-folder.ts'
import { startStudio } from './support/peers.ts'
import { flood, median, quantile, title } from './support/rounds.ts'

const CALLS = 2_000
const WARM_CALLS = 50

/** Milliseconds. */
export async function measureOverview(calls: number, warmCalls: number): Promise<{ readonly p50: number; readonly p99: number }> {
  const studio = await startStudio()
  const read = async () => {
    const reply = await fetch(`http://127.0.0.1:${studio.port}/system/info`)
    await reply.arrayBuffer()
    if (reply.status !== 200) throw new Error(`/system/info answered with ${reply.status}.`)
  }
  try {
    await flood(warmCalls, 1, read)
    const { each } = await flood(calls, 1, read)
    return { p50: median(each), p99: quantile(each, 0.99) }
  } finally {
    studio.kill()
  }
}

export async function run(): Promise<void> {
  restrictNewFiles()
  title(`GET /system/info, ${CALLS} calls one after another`)
  const { p50, p99 } = await measureOverview(CALLS, WARM_CALLS)
  process.stdout.write(`p50 ${p50.toFixed(2)} ms, p99 ${p99.toFixed(2)} ms (goal: p99 under 50 ms)\n`)
}
