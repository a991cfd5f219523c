// Kills this process when its parent has exited, even while the main thread hangs in a driver.

import { isMainThread, Worker } from 'node:worker_threads'

const CHECK_INTERVAL_MS = 1_000

/** Starts the watch in a separate thread. */
export function endWithParent(): void {
  new Worker(new URL(import.meta.url), { execArgv: [] }).unref()
}

if (!isMainThread) {
  const parent = process.ppid
  const sleeper = new Int32Array(new SharedArrayBuffer(4))
  while (process.ppid === parent) Atomics.wait(sleeper, 0, 0, CHECK_INTERVAL_MS)
  process.kill(process.pid, 'SIGKILL')
}
