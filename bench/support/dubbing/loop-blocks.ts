// Blocks of the event loop by the processor time of the main thread: without the time in which other programs had the processors.
import { systemClock as clock } from '#shared/runtime/clock.ts'

/** `at`: its end, epoch milliseconds. */
export type Block = { readonly at: number; readonly ms: number }
const TICK_MS = 4
const MAX_BLOCKS = 100_000
/** A stall of a machine comes with others: see `apart`. */
const NEAR_MS = 1_000

/**
 * Notes when the main thread used at least `leastMs` of processor time between two ticks. The returned function takes the blocks since its last
 * call.
 */
export function noteBlocks(leastMs: number): () => Block[] {
  const used = () => {
    const { user, system } = process.threadCpuUsage()
    return (user + system) / 1000
  }
  const blocks: Block[] = []
  let before = used()
  setInterval(() => {
    const now = used()
    if (now - before >= leastMs && blocks.length < MAX_BLOCKS) blocks.push({ at: clock.now(), ms: now - before })
    before = now
  }, TICK_MS).unref()
  return () => blocks.splice(0)
}

/**
 * The longest block, and the longest one within a second of a block of the witness, a process without work: at such moments the host of a virtual
 * machine had its processors, which the kernel charges to the processes that it believes to run. `stalledSeconds`: how long all of them last.
 */
export function apart(blocks: readonly Block[], witness: readonly Block[]): { workMs: number; stalledMs: number; stalledSeconds: number } {
  const isStalled = ({ at, ms }: Block) => witness.some((stall) => stall.at > at - ms - NEAR_MS && stall.at - stall.ms < at + NEAR_MS)
  const longest = (list: readonly Block[]) => list.reduce((most, { ms }) => Math.max(most, ms), 0)
  let [stalled, until] = [0, 0]
  for (const { at, ms } of witness) {
    const from = Math.max(until, at - ms - NEAR_MS)
    until = at + NEAR_MS
    stalled += until - from
  }
  return {
    workMs: longest(blocks.filter((block) => !isStalled(block))),
    stalledMs: longest(blocks.filter(isStalled)),
    stalledSeconds: stalled / 1000,
  }
}
