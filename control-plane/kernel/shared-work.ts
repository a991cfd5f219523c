// Work that several callers wait for: it runs once for all calls with the same key, and goes on when a caller leaves.
import { Failure } from '#shared/protocol/failure.ts'

export function createSharedWork<T>() {
  const running = new Map<string, Promise<T>>()
  const stopping = new AbortController()
  return {
    /** `make` receives the signal of the studio. Rejects with its error, or with the reason of `signal` when the caller leaves; null: it stays. */
    join(key: string, make: (signal: AbortSignal) => Promise<T>, signal: AbortSignal | null): Promise<T> {
      let shared = running.get(key)
      if (!shared) {
        shared = make(stopping.signal).finally(() => running.delete(key))
        // All callers may have left when it fails.
        shared.catch(() => {})
        running.set(key, shared)
      }
      return signal === null ? shared : untilLeft(shared, signal)
    },
    /** Aborts everything and resolves when it has ended. */
    async stop(): Promise<void> {
      stopping.abort(new Failure('NOT_READY', 'The studio is stopping.'))
      await Promise.allSettled(running.values())
    },
  }
}

function untilLeft<T>(shared: Promise<T>, signal: AbortSignal): Promise<T> {
  return new Promise((resolve, reject) => {
    const leave = () => reject(signal.reason)
    if (signal.aborted) return leave()
    signal.addEventListener('abort', leave, { once: true })
    shared.then(resolve, reject).finally(() => signal.removeEventListener('abort', leave))
  })
}
