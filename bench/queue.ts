// The effect of a long queue on interactive latency: one interactive task through the complete system while 10,000 others wait.
import { startStudio } from './support/peers.ts'
import { median, row, title } from './support/rounds.ts'

const ROUNDS = 5
const WAITING = 10_000

export async function run(): Promise<void> {
  const [full, empty] = await Promise.all([startStudio(), startStudio()])
  try {
    const { queued } = await full.ask<{ queued: number }>({ enqueue: { count: WAITING + 4 } })
    if (queued !== WAITING) throw new Error(`${queued} tasks wait instead of ${WAITING}`)
    title(`One interactive task while ${queued} tasks wait for an engine that is busy`)
    const times: { full: number[]; empty: number[] } = { full: [], empty: [] }
    for (let round = -1; round < ROUNDS; round++)
      for (const [name, peer] of [
        ['full', full],
        ['empty', empty],
      ] as const) {
        const { each } = await peer.ask<{ each: number[] }>({ interactive: 300 })
        if (round >= 0) times[name].push(median(each))
      }
    row('p50 from submit to outcome, limit: empty queue', times.full, times.empty, 'ms ', 'at most 1.50')
  } finally {
    for (const peer of [full, empty]) peer.kill() // a graceful stop would process ten thousand tasks
  }
}
