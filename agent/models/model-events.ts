// Events for any number of listeners. Each has a queue of its own with an end; a newcomer gets what is needed to understand the next event.
const QUEUE = 512

export type ModelEvents<Event> = {
  /** `standing`: a newcomer gets the newest of these first. */
  readonly tell: (event: Event, standing: boolean) => void
  /** The listeners get what is queued and are then done. */
  readonly end: () => void
  readonly listen: (signal: AbortSignal) => AsyncIterable<Event>
}

export function createModelEvents<Event>(): ModelEvents<Event> {
  const queues = new Set<{ events: Event[]; wake: () => void }>()
  let standing: Event | null = null
  let last: Event | null = null
  let isOver = false
  return {
    tell(event, isStanding) {
      if (isStanding) standing = event
      last = event
      for (const queue of queues) {
        // The oldest goes: what counts is how things stand, and the last event says how they ended.
        if (queue.events.length >= QUEUE) queue.events.shift()
        queue.events.push(event)
        queue.wake()
      }
    },
    end() {
      isOver = true
      for (const { wake } of queues) wake()
    },
    listen(signal) {
      const first = [standing, last].filter((event): event is Event => event !== null)
      const queue = { events: [...new Set(first)], wake: () => {} }
      queues.add(queue) // now, not with the first pull: nothing told in between may be missed
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
