// What a long queue costs somebody who is in a hurry: one interactive task through the whole house while 10,000 others wait.
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
    const seen: { full: number[]; empty: number[] } = { full: [], empty: [] }
    for (let round = -1; round < ROUNDS; round++)
      for (const [name, peer] of [
        ['full', full],
        ['empty', empty],
      ] as const) {
        const { each } = await peer.ask<{ each: number[] }>({ interactive: 300 })
        if (round >= 0) seen[name].push(median(each))
      }
    row('p50 from submit to outcome, queue empty beside', seen.full, seen.empty, 'ms ', 'at most 1.50')
  } finally {
    for (const peer of [full, empty]) peer.kill() // ten thousand tasks that nobody wants need no graceful stop
  }
}
