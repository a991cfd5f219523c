// Ends a process whose parent is gone, also while its main thread hangs in a driver: the parent that would have killed it cannot any more.

import { isMainThread, Worker } from 'node:worker_threads'

const EVERY_MS = 1_000

/** Starts the watch in a thread of its own. */
export function endWithParent(): void {
  new Worker(new URL(import.meta.url), { execArgv: [] }).unref()
}

if (!isMainThread) {
  const parent = process.ppid
  const nap = new Int32Array(new SharedArrayBuffer(4))
  while (process.ppid === parent) Atomics.wait(nap, 0, 0, EVERY_MS)
  process.kill(process.pid, 'SIGKILL')
}
