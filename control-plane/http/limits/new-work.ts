// The end of new work before an update: requests for it are refused, and those that run may end.
import { Failure } from '#shared/protocol/failure.ts'
import type { Clock } from '#shared/runtime/clock.ts'

/** Seconds after which a refused client tries again: the next version is there then, as a rule. */
const RETRY_SECONDS = 3

/** The requests that make something, and the end of their admission before an update. */
export type NewWork = {
  /** The refusal of new work; null while it is accepted. */
  readonly refusal: () => Failure | null
  /** Counts a piece of work until the function that it returns is called. Throws the refusal. */
  readonly begin: () => () => void
  /**
   * Refuses new work from now on, and hands over to the next version when what runs has ended, or after `waitMs`. Returns the number of pieces that run.
   * Throws CONFLICT for a program that has no next version.
   */
  readonly finish: (waitMs: number) => number
}

/** `handOver`: null for a program that no package brought. */
export function createNewWork(clock: Clock, handOver: (() => void) | null): NewWork {
  let running = 0
  let end: (() => void) | null = null
  const refusal = () =>
    end &&
    new Failure('NOT_READY', 'The studio is being updated. Send the request again in a few seconds.', { retryAfterSeconds: RETRY_SECONDS })
  return {
    refusal,
    begin() {
      const refused = refusal()
      if (refused) throw refused
      running++
      let isOver = false
      return () => {
        if (isOver) return
        isOver = true
        if (--running === 0) end?.()
      }
    },
    finish(waitMs) {
      if (handOver === null)
        throw new Failure('CONFLICT', 'This studio does not run from the program folder. Stop it, then start it again.')
      if (end === null) {
        let isHanded = false
        end = () => {
          if (!isHanded) handOver()
          isHanded = true
        }
      }
      // Not before the request that asks for it is answered. Who asks again with a shorter time does not wait for the longer one.
      clock.after(running === 0 ? 0 : waitMs, end)
      return running
    },
  }
}
