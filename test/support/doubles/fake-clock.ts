// A manual clock. Timers run inside `advance`, in order; a sleeping caller continues in the next turn of the event loop.
import type { Clock } from '#shared/runtime/clock.ts'

export type FakeClock = ReturnType<typeof createFakeClock>
const START = Date.UTC(2027, 0, 1)

export function createFakeClock() {
  let mono = 1_000_000
  let wallAhead = START - mono
  const timers = new Set<{ readonly at: number; readonly run: () => void }>()
  const after = (ms: number, run: () => void) => {
    const timer = { at: mono + ms, run }
    timers.add(timer)
    return () => void timers.delete(timer)
  }
  return {
    now: () => mono + wallAhead,
    mono: () => mono,
    after,
    sleep: (ms, signal) =>
      new Promise((resolve, reject) => {
        if (signal?.aborted) return reject(signal.reason)
        const forget = after(ms, resolve)
        signal?.addEventListener('abort', () => {
          forget()
          reject(signal.reason)
        })
      }),
    advance(ms: number): void {
      const until = mono + ms
      for (;;) {
        const next = [...timers].sort((a, b) => a.at - b.at).find(({ at }) => at <= until)
        if (!next) break
        timers.delete(next)
        mono = Math.max(mono, next.at)
        next.run()
      }
      mono = until
    },
    /** Sets the wall clock to another time; the monotonic clock is unchanged. */
    jump(ms: number): void {
      wallAhead += ms
    },
    waiting: () => timers.size,
  } satisfies Clock & Record<string, unknown>
}

/** Resolves when all pending continuations have run. */
export const turn = (): Promise<void> => new Promise((resolve) => setImmediate(resolve))
