// Sign-ins that failed, by address, and identities that were refused: a limit for what a sender can make the studio ask of a provider, and for the
// entries of the log of decisions.
import type { Clock } from '#shared/runtime/clock.ts'

const WINDOW_MS = 60_000
/** Failures of one address within the window. Behind a proxy all browsers have one. */
const MANY = 30
const ADDRESSES = 1_024
const NEWS_MS = 3600_000
/** Identities in the log within that time. */
const MOST_NEWS = 20

export function createFailedSignIns(clock: Pick<Clock, 'mono'>) {
  // Monotonic times by source, oldest first.
  const failures = new Map<string, readonly number[]>()
  const news = new Map<string, number>()
  const recent = (source: string) => (failures.get(source) ?? []).filter((at) => at > clock.mono() - WINDOW_MS)

  return {
    /** True if the address has to wait. */
    areMany: (source: string): boolean => recent(source).length >= MANY,
    count(source: string): void {
      const times = [...recent(source), clock.mono()].slice(-MANY)
      failures.delete(source)
      failures.set(source, times)
      for (const oldest of failures.keys()) if (failures.size > ADDRESSES) failures.delete(oldest)
    },
    /** True if this identity was not refused within an hour, and few others were. */
    isNews(identity: string): boolean {
      for (const [one, at] of news) if (at <= clock.mono() - NEWS_MS) news.delete(one)
      if (news.has(identity) || news.size >= MOST_NEWS) return false
      news.set(identity, clock.mono())
      return true
    },
  }
}
