// The last lines of a log, in memory, for whoever may ask. It takes what the logger writes, so what is redacted there is redacted here.

export type LogEntry = {
  /** Counts up by one with every line that was ever written. */
  readonly seq: number
  readonly text: string
}
export type LineRing = ReturnType<typeof createLineRing>

const CAPACITY = 1_000
/** A longer line is not kept: half of it would be no JSON any more. */
const LONGEST = 8 * 1024

export function createLineRing(capacity = CAPACITY) {
  const lines: LogEntry[] = []
  let lastSeq = 0
  const listeners = new Set<() => void>()

  return {
    /** What the logger writes, a line or several. */
    take(written: string): void {
      for (const text of written.split('\n')) {
        if (text === '') continue
        lastSeq++
        if (text.length <= LONGEST) lines.push({ seq: lastSeq, text })
        if (lines.length > capacity) lines.shift()
      }
      for (const wake of [...listeners]) wake()
    },
    /** Those after `seq` that are still here, oldest first. */
    after: (seq: number): LogEntry[] => lines.filter((line) => line.seq > seq),
    get lastSeq() {
      return lastSeq
    },
    /** Resolves with the next line, or when the signal aborts. */
    changed: (signal: AbortSignal): Promise<void> =>
      new Promise((resolve) => {
        const stop = () => {
          listeners.delete(stop)
          signal.removeEventListener('abort', stop)
          resolve()
        }
        listeners.add(stop)
        signal.addEventListener('abort', stop, { once: true })
        if (signal.aborted) stop()
      }),
  }
}
