// The newest lines of a log in memory, as the logger wrote them, already redacted.

export type LogEntry = {
  /** Number of the line since the program started. */
  readonly seq: number
  readonly text: string
}
export type LineRing = ReturnType<typeof createLineRing>

const CAPACITY = 1_000
/** A longer line is dropped: a truncated one would not be JSON. */
const LINE_LIMIT = 8 * 1024

export function createLineRing(capacity = CAPACITY) {
  const lines: LogEntry[] = []
  let lastSeq = 0
  const listeners = new Set<() => void>()

  return {
    /** Adds the output of the logger, one or more lines. */
    append(written: string): void {
      for (const text of written.split('\n')) {
        if (text === '') continue
        lastSeq++
        if (text.length <= LINE_LIMIT) lines.push({ seq: lastSeq, text })
        if (lines.length > capacity) lines.shift()
      }
      for (const wake of [...listeners]) wake()
    },
    /** The lines after `seq` that are still in memory, oldest first. */
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
