// What a studio uses while it works: memory over what it had before, and the longest block of its event loop.
import { systemClock as clock } from '#shared/runtime/clock.ts'
import type { startStudio } from '../peers.ts'

const LOOK_MS = 100
export type BenchStudio = Awaited<ReturnType<typeof startStudio>>
export type Watched<T> = {
  readonly result: T
  readonly grownBytes: number
  /** By the time of the clock. */
  readonly blockMs: number
  /** The longest block without the time in which other programs had the processors. */
  readonly workMs: number
  readonly seconds: number
}

/** `idleBytes`: resident memory before the first work. */
export const residentBytes = async (studio: BenchStudio): Promise<number> =>
  (await studio.ask<{ studioRss: number }>({ memory: true })).studioRss

export async function watched<T>(studio: BenchStudio, idleBytes: number, work: () => Promise<T>): Promise<Watched<T>> {
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
  const { maxMs: blockMs, workMs } = await studio.ask<{ maxMs: number; workMs: number }>({ delay: 'read' })
  return { result, grownBytes: most - idleBytes, blockMs, workMs, seconds: (performance.now() - from) / 1000 }
}
