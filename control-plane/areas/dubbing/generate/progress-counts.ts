// How many lines of each running generation are done, for its events.
export type ProgressCount = { readonly total: number; done: number }

/** The newest ones: an ended job needs none. */
const MOST_JOBS = 200

export function createProgressCounts() {
  const counts = new Map<string, ProgressCount>()
  return {
    start(jobId: string, total: number, done: number): void {
      counts.delete(jobId)
      counts.set(jobId, { total, done })
      if (counts.size > MOST_JOBS) counts.delete(counts.keys().next().value!)
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
