// Makes and drops buffers in this thread. As the entry of a thread it does so at once and sends the result.
import { constants, type PerformanceEntry, PerformanceObserver } from 'node:perf_hooks'
import { isMainThread, parentPort } from 'node:worker_threads'
import { nextTurn } from '#shared/runtime/builtin/next-turn.ts'
import { bytesPassed } from '#shared/runtime/memory/collect-garbage.ts'

/** `mostBytes`: of buffers that were kept at one time. `minor`: collections of young objects. */
export type Passed = { readonly mostBytes: number; readonly minor: number }
const PIECE_BYTES = 48_000
const PIECES = 4_000

export async function passBuffers(): Promise<Passed> {
  let minor = 0
  const observer = new PerformanceObserver((list) => {
    const entries = list.getEntries() as (PerformanceEntry & { readonly detail: { readonly kind: number } })[]
    minor += entries.filter(({ detail }) => detail.kind === constants.NODE_PERFORMANCE_GC_MINOR).length
  })
  observer.observe({ entryTypes: ['gc'] })
  let mostBytes = 0
  const before = process.memoryUsage().arrayBuffers
  for (let count = 0; count < PIECES; count++) {
    const buffer = new Uint8Array(PIECE_BYTES)
    buffer[count % PIECE_BYTES] = 1
    bytesPassed(PIECE_BYTES)
    mostBytes = Math.max(mostBytes, process.memoryUsage().arrayBuffers - before)
  }
  await nextTurn() // the entries are reported in the next turn
  await nextTurn()
  observer.disconnect()
  return { mostBytes, minor }
}

if (!isMainThread) parentPort!.postMessage(await passBuffers())
