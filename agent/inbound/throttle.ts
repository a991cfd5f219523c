// Slows down guessing: five wrong keys from one host within five minutes lock that host out for a minute. A network (IPv6 /64) is one host.
import { limitKey } from '#shared/link/port/admission.ts'
import { Failure } from '#shared/protocol/failure.ts'
import type { Clock } from '#shared/runtime/clock.ts'

const FAILURES = 5
const WINDOW_MS = 300_000
const LOCKED_MS = 60_000
// Dropping an entry only restarts the count of one host, and a flood from many addresses must not fill the memory.
const MAX_HOSTS = 10_000

export type Throttle = ReturnType<typeof createThrottle>

export function createThrottle(clock: Clock) {
  const hosts = new Map<string, { wrongAt: number[]; lockedUntil: number }>()
  return {
    /** Throws QUEUE_FULL with the seconds to wait. */
    check(host: string): void {
      const waitMs = (hosts.get(limitKey(host))?.lockedUntil ?? 0) - clock.mono()
      if (waitMs > 0) throw new Failure('QUEUE_FULL', `Too many wrong keys from this address. Try again in ${Math.ceil(waitMs / 1000)} s.`)
    },
    recordFailure(address: string): void {
      const host = limitKey(address)
      const now = clock.mono()
      const entry = hosts.get(host)
      const wrongAt = [...(entry?.wrongAt ?? []).filter((at) => now - at < WINDOW_MS), now]
      hosts.delete(host)
      if (hosts.size >= MAX_HOSTS) hosts.delete(hosts.keys().next().value!)
      const isLocked = wrongAt.length >= FAILURES
      hosts.set(host, { wrongAt: isLocked ? [] : wrongAt, lockedUntil: isLocked ? now + LOCKED_MS : 0 })
    },
  }
}
