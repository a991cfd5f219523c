// Long work whose steps are turns of the event loop.
import { setImmediate as turn } from 'node:timers/promises'

/** The result of long work, of which each step has a turn of the event loop. Throws the reason of the signal. */
export async function inTurns<T>(steps: Generator<void, T>, signal: AbortSignal): Promise<T> {
  for (;;) {
    await turn()
    signal.throwIfAborted()
    const { done, value } = steps.next()
    if (done) return value
  }
}
