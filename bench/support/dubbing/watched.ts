// Resources that a studio uses while it works: memory over the level before, and the longest block of its event loop.
import { systemClock as clock } from '#shared/runtime/clock.ts'
import { startPeer, type startStudio } from '../peers.ts'
import { apart, type Block } from './loop-blocks.ts'

const LOOK_MS = 100
export type BenchStudio = Awaited<ReturnType<typeof startStudio>>
export type Watched<T> = {
  readonly result: T
  readonly grownBytes: number
  /** By the time of the clock. */
  readonly blockMs: number
  /** The longest block by processor time, without the moments at which the machine stood still; null if these are most of the time. */
  readonly workMs: number | null
  /** The longest one at those moments, and how long they are together. */
  readonly stalledMs: number
  readonly stalledSeconds: number
  readonly seconds: number
}

/** `idleBytes`: resident memory before the first work. */
export const residentBytes = async (studio: BenchStudio): Promise<number> =>
  (await studio.ask<{ studioRss: number }>({ memory: true })).studioRss

export async function watched<T>(studio: BenchStudio, idleBytes: number, work: () => Promise<T>): Promise<Watched<T>> {
  const witness = await startPeer('dubbing/witness.ts')
  await witness.ask({}) // its start is no stall
  await studio.ask({ delay: 'start' })
  const from = performance.now()
  let isOver = false
  let most = idleBytes
  const watching = (async () => {
    while (!isOver) {
      most = Math.max(most, await residentBytes(studio))
      await clock.sleep(LOOK_MS)
    }
  })()
  const result = await work().finally(async () => {
    isOver = true
    await watching
  })
  const seconds = (performance.now() - from) / 1000
  const { maxMs: blockMs, blocks } = await studio.ask<{ maxMs: number; blocks: Block[] }>({ delay: 'read' })
  const stalls = await witness.ask<Block[]>({})
  await witness.end()
  const { workMs, ...stalled } = apart(blocks, stalls)
  const isQuiet = stalled.stalledSeconds <= seconds / 2
  return { result, grownBytes: most - idleBytes, blockMs, seconds, workMs: isQuiet ? workMs : null, ...stalled }
}
