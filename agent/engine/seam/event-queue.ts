// Events of one run between the host and its consumer. The credit of the sender bounds the queue.

export type EventQueue<T> = {
  readonly push: (event: T) => void
  readonly end: () => void
  /** Drops pending events: the consumer receives the error next. */
  readonly fail: (error: Error) => void
  readonly events: AsyncIterableIterator<T>
}

/** `onTaken` is called for each consumed event, `onAbandoned` when the consumer leaves before the end. */
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
        outcome = { error: null } // an error is thrown once; then the iteration is done
        if (error) throw error
        return { done: true, value: undefined }
      }
      await new Promise<void>((resolve) => {
        wake = resolve
      })
    }
  }
  // Not a generator: a generator whose consumer leaves before the first event does not run its clean-up.
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
