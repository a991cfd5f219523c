// Starts the threads that work on sound.
import { setFlagsFromString } from 'node:v8'
import { Worker } from 'node:worker_threads'

/**
 * MiB of heap and sound before the first full collection. The heap of such a thread is small, so V8 makes one for each 13 MiB of sound by
 * default: a quarter of the time of mixing a film.
 */
const INITIAL_HEAP_MIB = 32

/** The entry finds `isBackground` in its data. */
export function startThread(entry: URL, name: string, isBackground = false): Worker {
  // Heaps that start later read the flag; that of the main thread does not change.
  setFlagsFromString(`--initial-heap-size=${INITIAL_HEAP_MIB}`)
  return new Worker(entry, { name, workerData: { isBackground } })
}
