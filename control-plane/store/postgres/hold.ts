// The term as its writer holds it: confirmed by each batch, and by a beat where there are none. Without a confirmation for four seconds the
// writer is suspended: it writes nothing, keeps its memory, and goes on if the next beat still meets its term.
import type { Clock } from '#shared/runtime/clock.ts'
import type { Fence } from './batch/statement.ts'

/** Milliseconds between two beats of a writer without batches. */
export const TERM_BEAT_MS = 2_000
/** Milliseconds after which a writer without a confirmation is suspended, counted from the moment at which the confirmed statement was sent. */
export const SUSPEND_MS = 4_000

export type Hold = ReturnType<typeof createHold>

export function createHold(first: Fence, clock: Pick<Clock, 'mono'>, takenAt: number) {
  let fence = first
  let confirmedAt = takenAt
  let isLost = false
  return {
    fence: () => fence,
    /** The statement that was sent at `sentAt`, by the monotonic clock, met the term. */
    confirm(sentAt: number): void {
      confirmedAt = Math.max(confirmedAt, sentAt)
    },
    retaken(term: number, sentAt: number): void {
      fence = { ...fence, term }
      confirmedAt = Math.max(confirmedAt, sentAt)
    },
    lose(): void {
      isLost = true
    },
    isLost: () => isLost,
    isHeld: () => !isLost && clock.mono() - confirmedAt < SUSPEND_MS,
    /** Milliseconds since the last confirmed statement was sent. */
    age: () => clock.mono() - confirmedAt,
  }
}
