// Collects garbage where V8 would do so too late: unused heap at a moment when a person asked for memory or when much was used once, and buffers while
// sound passes.
import { setFlagsFromString } from 'node:v8'
import { runInNewContext } from 'node:vm'
import { isMainThread } from 'node:worker_threads'

type Collect = (options: { readonly type: 'minor' } | { readonly type: 'major'; readonly flavor: 'last-resort' }) => void
let collector: Collect | null = null
const MAX_PASSED_BYTES = 2 * 1024 * 1024
let passed = 0

function collect(options: Parameters<Collect>[0]): void {
  if (!collector) {
    setFlagsFromString('--expose-gc')
    collector = runInNewContext('gc') as Collect
  }
  collector(options)
}

/**
 * From now on the heap grows by 40 percent between full collections. V8 would begin one for each 8 MiB that the heap of a studio or its sound grows,
 * which while a film is spoken is more than one in a second. Called when a program has started: on the command line the flag makes V8 reject the
 * code that is stored with Node, which costs a start a sixth of its processor time.
 */
export const letHeapGrow = (): void => setFlagsFromString('--heap-growing-percent=40')

/** Blocks the process for about 100 ms. */
export function collectGarbage(): void {
  // A collection of the usual flavor keeps the freed pages for later objects.
  collect({ type: 'major', flavor: 'last-resort' })
}

/**
 * Call where a thread makes and drops buffers of this many bytes. V8 does not count them as young objects, so it keeps up to 100 MB of them until a
 * full collection. A collection of young objects frees them in about a millisecond.
 *
 * In the main thread this does nothing. V8 finishes a full collection that is under way at once when a collection of young objects is asked for,
 * which with the heap of a studio blocks the event loop four times as long as one that it finishes in its own time (57 ms instead of 15, medians).
 */
export function bytesPassed(bytes: number): void {
  if (isMainThread) return
  passed += bytes
  if (passed < MAX_PASSED_BYTES) return
  passed = 0
  collect({ type: 'minor' })
}
