// Long work whose steps are turns of the event loop.
import { setImmediate as turn } from 'node:timers/promises'

/** Runs each step of long work in its own turn of the event loop, and returns the result. Throws the reason of the signal. */
export async function inTurns<T>(steps: Generator<void, T>, signal: AbortSignal): Promise<T> {
  for (;;) {
    await turn()
    signal.throwIfAborted()
    const { done, value } = steps.next()
    if (done) return value
  }
}
