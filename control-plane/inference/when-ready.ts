// Waits before a request: the engines of this machine start after the studio, and a limit of its client may refuse it now. A caller that waits for
// an answer gets that refusal at once; a step of a job keeps what it has and goes on when the limit allows.
import { currentPatience } from '#control-plane/clients/client.ts'
import { Failure } from '#shared/protocol/failure.ts'
import type { Clock } from '#shared/runtime/clock.ts'

const READY_WITHIN_MS = 120_000
const READY_CHECK_MS = 250
const STARTING: ReadonlySet<string> = new Set(['NOT_READY', 'NO_CAPABLE_WORKER'])

/** Repeats `run` while no engine is ready, for two minutes at most. Throws its error, and the reason of the signal. */
export async function whenReady<T>(run: () => Promise<T>, clock: Pick<Clock, 'mono' | 'sleep'>, signal: AbortSignal): Promise<T> {
  const until = clock.mono() + READY_WITHIN_MS
  for (;;) {
    try {
      return await run()
    } catch (error) {
      signal.throwIfAborted()
      if (!STARTING.has(Failure.from(error).code) || clock.mono() > until) throw error
      await clock.sleep(READY_CHECK_MS, signal)
    }
  }
}

type Waiting = {
  /** Waits for another attempt, for `ms` at most. Rejects with the reason of the signal. */
  readonly rest: (ms: number) => Promise<void>
}
/** Another attempt is made this often, because limits can change without notice and inputs are kept for an hour. */
const LONGEST_MS = 60_000
/** A refusal that ends sooner is for work of the same person that runs now. */
const RUNNING_S = 10

/** Throws what `attempt` throws, and what `rest` rejects with. A limit that can never allow the request refuses it also for a job. */
export async function whenAllowed<T>(attempt: () => Promise<T>, { rest }: Waiting): Promise<T> {
  for (;;) {
    try {
      return await attempt()
    } catch (error) {
      const patience = currentPatience()
      if (!patience || !(error instanceof Failure) || error.code !== 'QUOTA_EXCEEDED' || error.retryAfterSeconds === undefined) throw error
      const seconds = error.retryAfterSeconds
      await patience.wait(error, () => rest(Math.min(LONGEST_MS, seconds * 1000)), seconds > RUNNING_S)
    }
  }
}
