// Events for any number of subscribers. Each has its own bounded queue; a new one first receives the newest state.
const QUEUE_LIMIT = 512

export type ModelEvents<Event> = {
  /** `isState`: a new subscriber receives the newest of these first. */
  readonly publish: (event: Event, isState: boolean) => void
  /** Subscribers receive their queued events and then end. */
  readonly end: () => void
  readonly subscribe: (signal: AbortSignal) => AsyncIterable<Event>
}

export function createModelEvents<Event>(): ModelEvents<Event> {
  const queues = new Set<{ events: Event[]; wake: () => void }>()
  let state: Event | null = null
  let last: Event | null = null
  let isOver = false
  return {
    publish(event, isState) {
      if (isState) state = event
      last = event
      for (const queue of queues) {
        // The oldest is dropped: the newest state and the last event matter.
        if (queue.events.length >= QUEUE_LIMIT) queue.events.shift()
        queue.events.push(event)
        queue.wake()
      }
    },
    end() {
      isOver = true
      for (const { wake } of queues) wake()
    },
    subscribe(signal) {
      const first = [state, last].filter((event): event is Event => event !== null)
      const queue = { events: [...new Set(first)], wake: () => {} }
      queues.add(queue) // now, not at the first pull, so that no event in between is missed
      const onAbort = () => queue.wake()
      signal.addEventListener('abort', onAbort, { once: true })
      async function* events(): AsyncGenerator<Event> {
        try {
          while (!signal.aborted) {
            const event = queue.events.shift()
            if (event) yield event
            else if (isOver) return
            else await new Promise<void>((resolve) => (queue.wake = resolve))
          }
        } finally {
          queues.delete(queue)
          signal.removeEventListener('abort', onAbort)
        }
      }
      return events()
    },
  }
}
