// The sessions whose TLS handshake is under way. Each costs signatures at both ends, so after a restart of the studio the machines come in
// turns: the surplus is asked to come later, and their times are spread so that they arrive at the rate at which handshakes end.
import type { Clock } from '#shared/runtime/clock.ts'

export type HandshakeLimits = {
  /** Machines with a handshake under way. One machine counts once, so that a caller that claims its name cannot use up the places of others. */
  readonly atOnce: number
  /** The rate at which machines that were asked to come later are expected. */
  readonly perSecond: number
}
export const HANDSHAKES: HandshakeLimits = { atOnce: 128, perSecond: 200 }

export type Handshakes = {
  /** Begins one, and returns the function that ends it, which may be called again without effect; or the seconds to wait. */
  readonly begin: (workerId: string) => (() => void) | number
}

export function createHandshakes(limits: HandshakeLimits, clock: Clock): Handshakes {
  const running = new Map<string, number>()
  let bookedUntil = 0
  return {
    begin(workerId) {
      const count = running.get(workerId) ?? 0
      if (count === 0 && running.size >= limits.atOnce) {
        const now = clock.mono()
        bookedUntil = Math.max(now, bookedUntil) + 1_000 / limits.perSecond
        return (bookedUntil - now) / 1_000
      }
      running.set(workerId, count + 1)
      let isRunning = true
      return () => {
        if (!isRunning) return
        isRunning = false
        const rest = (running.get(workerId) ?? 1) - 1
        if (rest === 0) running.delete(workerId)
        else running.set(workerId, rest)
      }
    },
  }
}
