// What a host has sent for one run and its consumer has not taken yet. It is bounded by the credit that the sender was given, not here.

export type EventQueue<T> = {
  readonly push: (event: T) => void
  readonly end: () => void
  /** Forgets what was not taken: the consumer meets the error next, because events of a failed run are worth nothing. */
  readonly fail: (error: Error) => void
  readonly events: AsyncIterableIterator<T>
}

/** `onTaken` tells the sender that there is room again; `onAbandoned` that the consumer left before the end. */
export function createEventQueue<T>(onTaken: (event: T) => void, onAbandoned: () => void): EventQueue<T> {
  let waiting: T[] = []
  let outcome: { error: Error | null } | null = null
  let wake: () => void = () => {}

  const close = (error: Error | null) => {
    if (outcome) return
    outcome = { error }
    if (error) waiting = []
    wake()
  }
  const next = async (): Promise<IteratorResult<T>> => {
    for (;;) {
      const event = waiting.shift()
      if (event !== undefined) {
        onTaken(event)
        return { done: false, value: event }
      }
      if (outcome) {
        const { error } = outcome
        outcome = { error: null } // an error is thrown once; after that the iteration is simply over
        if (error) throw error
        return { done: true, value: undefined }
      }
      await new Promise<void>((resolve) => {
        wake = resolve
      })
    }
  }
  // Written out rather than as a generator: a generator whose consumer leaves before the first event never runs its own clean-up.
  const events: AsyncIterableIterator<T> = {
    next,
    return: async () => {
      waiting = []
      if (!outcome) onAbandoned()
      close(null)
      return { done: true, value: undefined }
    },
    [Symbol.asyncIterator]: () => events,
  }
  return {
    push: (event) => {
      if (outcome) return
      waiting.push(event)
      wake()
    },
    end: () => close(null),
    fail: close,
    events,
  }
}
