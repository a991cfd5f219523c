// The sessions whose TLS handshake is under way. Each costs signatures at both ends, so after a restart of the studio the machines come in
// turns: the surplus is asked to come later, and their times are spread so that they arrive at the rate at which handshakes end. That rate is
// measured while all places are taken: at other times the arrivals decide it.
import type { Clock } from '#shared/runtime/clock.ts'

export type HandshakeLimits = {
  /** Machines with a handshake under way. One machine counts once, so that a caller that claims its name cannot use up the places of others. */
  readonly atOnce: number
  /** Proven keys a second that are expected before any are measured. */
  readonly perSecond: number
}
/** A connection costs a studio 6 to 7 ms of processor time. */
export const HANDSHAKES: HandshakeLimits = { atOnce: 128, perSecond: 140 }

/** Bounds of the measured rate, to the expected one. Callers that keep places without proving a key would lower it without end. */
const SLOWEST = 1 / 8
const FASTEST = 16
/**
 * A measurement begins as if this many had ended at the rate before it: the answers to a first rush of callers leave little time for handshakes, and
 * a rate that is too low leaves the port idle, while one that is too high only asks some machines again.
 */
const ASSUMED = 512
/** Milliseconds after the last machine that was asked to come later. */
const CROWDED_MS = 2_000

export type Handshake = {
  /** Its key is proven. The place is free. */
  readonly proven: () => void
  /** The place is free. No effect on one that is free already. */
  readonly end: () => void
}
export type Handshakes = {
  /** Begins one, or returns the seconds to wait. */
  readonly begin: (workerId: string) => Handshake | number
  /** Machines may wait for an answer: some have been asked to come later just now. */
  readonly isCrowded: () => boolean
}

export function createHandshakes(limits: HandshakeLimits, clock: Clock): Handshakes {
  const running = new Map<string, number>()
  const pace = createPace(limits, clock)
  let bookedUntil = 0
  let askedAt = Number.NEGATIVE_INFINITY
  return {
    isCrowded: () => clock.mono() - askedAt < CROWDED_MS,
    begin(workerId) {
      const count = running.get(workerId) ?? 0
      if (count === 0 && running.size >= limits.atOnce) {
        pace.full()
        const now = clock.mono()
        askedAt = now
        bookedUntil = Math.max(now, bookedUntil) + 1_000 / pace.perSecond()
        return (bookedUntil - now) / 1_000
      }
      running.set(workerId, count + 1)
      let isRunning = true
      const end = () => {
        if (!isRunning) return
        isRunning = false
        const rest = (running.get(workerId) ?? 1) - 1
        if (rest === 0) running.delete(workerId)
        else running.set(workerId, rest)
        if (running.size < limits.atOnce / 2) pace.idle()
      }
      return {
        proven() {
          if (isRunning) pace.proven()
          end()
        },
        end,
      }
    },
  }
}

/** The rate of proven keys while the places are taken. */
function createPace({ atOnce, perSecond }: HandshakeLimits, clock: Clock) {
  let rate = perSecond
  let since: number | null = null
  let count = 0
  const measured = () => {
    if (since === null) return rate
    const now = (count + ASSUMED) / ((clock.mono() - since) / 1_000 + ASSUMED / rate)
    return Math.min(perSecond * FASTEST, Math.max(perSecond * SLOWEST, now))
  }
  /** Keeps the rate; a later measurement begins with it. */
  const settle = (next: number | null) => {
    rate = measured()
    since = next
    count = 0
  }
  return {
    perSecond: measured,
    full: () => void (since === null && settle(clock.mono())),
    proven() {
      count += 1
      if (since !== null && count >= atOnce) settle(clock.mono())
    },
    idle: () => settle(null),
  }
}
