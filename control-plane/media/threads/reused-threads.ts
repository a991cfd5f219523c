// Threads that work on one thing at a time. One of them waits a while for the next work: a new thread takes a tenth of a second of processor
// time to start, and compiles its loops again.
import type { Worker } from 'node:worker_threads'
import type { Clock } from '#shared/runtime/clock.ts'
import { startThread } from './start-thread.ts'

export type ReusedThreads = {
  /** The thread that waits, or a new one. It has no listeners. */
  readonly take: () => Worker
  /** Takes back a thread that is idle. Terminate a thread that failed or was interrupted, because its state is unknown. */
  readonly keep: (worker: Worker) => void
}
const IDLE_MS = 60_000
const silence = (worker: Worker) => {
  for (const event of ['message', 'error', 'exit']) worker.removeAllListeners(event)
}

export function createReusedThreads(entry: URL, name: string, clock: Clock): ReusedThreads {
  let idle: { readonly worker: Worker; readonly forget: () => void } | null = null
  return {
    take() {
      if (!idle) return startThread(entry, name)
      const { worker, forget } = idle
      idle = null
      forget()
      silence(worker)
      worker.ref()
      return worker
    },
    keep(worker) {
      if (idle) return void worker.terminate()
      silence(worker)
      worker.on('error', () => {}) // its exit says enough
      worker.unref()
      const leave = () => {
        idle = null
        void worker.terminate()
      }
      const forget = clock.after(IDLE_MS, leave)
      idle = { worker, forget }
      worker.once('exit', () => {
        if (idle?.worker !== worker) return
        forget()
        idle = null
      })
    },
  }
}
