// Limits how much work of one kind runs at the same time; more of it waits, in order.

export type Turns = ReturnType<typeof createTurns>

/** `atOnce` runs, and `refuse` returns the error for a caller when `mostWaiting` wait already. */
export function createTurns(atOnce: number, { mostWaiting = Number.POSITIVE_INFINITY, refuse = () => new Error('too many wait') } = {}) {
  let running = 0
  const waiting: (() => void)[] = []

  function wait(signal: AbortSignal): Promise<void> {
    const turn = Promise.withResolvers<void>()
    waiting.push(turn.resolve)
    const leave = () => {
      const at = waiting.indexOf(turn.resolve)
      if (at < 0) return // its turn has come
      waiting.splice(at, 1)
      turn.reject(signal.reason)
    }
    signal.addEventListener('abort', leave, { once: true })
    return turn.promise.finally(() => signal.removeEventListener('abort', leave))
  }

  /** The result of `work`. Throws what it throws, the reason of the signal while it waits, and what `refuse` returns. */
  return async <T>(signal: AbortSignal, work: () => Promise<T>): Promise<T> => {
    signal.throwIfAborted()
    if (running < atOnce) running++
    else if (waiting.length >= mostWaiting) throw refuse()
    else await wait(signal)
    try {
      return await work()
    } finally {
      // The permit passes to the next waiter.
      const next = waiting.shift()
      if (next) next()
      else running--
    }
  }
}
