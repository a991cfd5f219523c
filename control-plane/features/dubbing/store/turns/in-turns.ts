// Long work whose steps are turns of the event loop.
import { nextTurn } from '#shared/runtime/builtin/next-turn.ts'

/** Runs each step of long work in its own turn of the event loop, and returns the result. Throws the reason of the signal. */
export async function inTurns<T>(steps: Generator<void, T>, signal: AbortSignal): Promise<T> {
  for (;;) {
    await nextTurn()
    signal.throwIfAborted()
    const { done, value } = steps.next()
    if (done) return value
  }
}
