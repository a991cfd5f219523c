// Counts the finished lines of each running generation, and makes the event that reports them.
import type { SpeakProgress } from '#control-plane/features/dubbing/voice/speak/speak-events.schema.ts'

export type ProgressCount = { readonly total: number; done: number }

const TEXT_CHARS = 200
/** `done`: lines, at least 1. Clients count lines from 0 and add 1 to `current`. */
export const progressFrame = (done: number, total: number, text: string): SpeakProgress => ({
  type: 'progress',
  current: done - 1,
  total,
  text: text.slice(0, TEXT_CHARS),
})

/** The newest ones: an ended job needs none. */
const MAX_JOBS = 200

export function createProgressCounts() {
  const counts = new Map<string, ProgressCount>()
  return {
    start(jobId: string, total: number, done: number): void {
      counts.delete(jobId)
      counts.set(jobId, { total, done })
      if (counts.size > MAX_JOBS) counts.delete(counts.keys().next().value!)
    },
    of: (jobId: string): Readonly<ProgressCount> | null => counts.get(jobId) ?? null,
    /** One more line; returns the lines that are done. */
    add(jobId: string): number {
      const count = counts.get(jobId)
      if (!count) return 0
      count.done = Math.min(count.total, count.done + 1)
      return count.done
    },
  }
}
