// Time as an argument. `now` is for people and records and may jump; `mono` is for leases and waits and never goes back.

export type Clock = {
  /** Epoch milliseconds. */
  readonly now: () => number
  /** Milliseconds on a monotonic clock with an arbitrary zero. */
  readonly mono: () => number
  /** Resolves after `ms`, or rejects with the signal's reason as soon as it aborts. */
  readonly sleep: (ms: number, signal?: AbortSignal) => Promise<void>
  /** Calls `fn` once after `ms`; the returned function cancels it. The timer does not keep the process alive. */
  readonly after: (ms: number, fn: () => void) => () => void
}

export const systemClock: Clock = {
  now: () => Date.now(),
  mono: () => performance.now(),
  sleep: (ms, signal) =>
    new Promise((resolve, reject) => {
      if (signal?.aborted) return reject(signal.reason)
      const stop = () => {
        clearTimeout(timer)
        reject(signal?.reason)
      }
      const timer = setTimeout(() => {
        signal?.removeEventListener('abort', stop)
        resolve()
      }, ms)
      signal?.addEventListener('abort', stop, { once: true })
    }),
  after: (ms, fn) => {
    const timer = setTimeout(fn, ms).unref()
    return () => clearTimeout(timer)
  },
}

/**
 * Epoch milliseconds that no jump of the wall clock moves forward while this process runs: for deciding what is old enough to be deleted.
 * A wall clock that is set back moves it back.
 */
export function createSteadyNow(clock: Pick<Clock, 'now' | 'mono'>): () => number {
  const ahead = clock.now() - clock.mono()
  return () => Math.min(clock.now(), clock.mono() + ahead)
}
