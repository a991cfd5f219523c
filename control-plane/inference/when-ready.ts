// The engines of this machine start after the studio.
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
