// The readers of the bus. Each has its own queue. A slow reader loses its oldest events and then receives `reset` first, which means that it
// must read every list again.

import { createPlaces } from '#control-plane/clients/places.ts'
import type { Clock } from '#shared/runtime/clock.ts'
import type { BusEvent, ReaderEvent } from './event.ts'

export type Readers = ReturnType<typeof createReaders>
type Reader = { readonly queue: BusEvent[]; hasLost: boolean; wake: () => void }

const READERS_PER_CLIENT = 64
export const QUEUE_EVENTS = 64
export const QUIET_MS = 25_000

export function createReaders(clock: Clock) {
  const readers = new Set<Reader>()
  const places = createPlaces({ perClient: READERS_PER_CLIENT, what: 'connections that follow events' })
  let isOver = false

  function listen(signal: AbortSignal): AsyncGenerator<ReaderEvent> {
    const giveBack = places.take()
    const reader: Reader = { queue: [], hasLost: false, wake: () => {} }
    const leave = () => {
      signal.removeEventListener('abort', leave)
      readers.delete(reader)
      giveBack()
      reader.wake()
    }
    readers.add(reader)
    // Not inside the generator, because an unread generator runs no code.
    signal.addEventListener('abort', leave, { once: true })
    if (signal.aborted) leave()
    return read(reader, leave)
  }

  async function* read(reader: Reader, leave: () => void): AsyncGenerator<ReaderEvent> {
    try {
      while (readers.has(reader) && !isOver) {
        if (reader.hasLost) {
          reader.hasLost = false
          yield { kind: 'reset', at: clock.now() }
          continue
        }
        const event = reader.queue.shift()
        if (event) yield event
        else if (await isQuiet(reader)) yield { kind: 'ping' }
      }
    } finally {
      leave()
    }
  }

  /** True after a quiet interval. */
  function isQuiet(reader: Reader): Promise<boolean> {
    return new Promise((resolve) => {
      const forget = clock.after(QUIET_MS, () => resolve(true))
      reader.wake = () => {
        forget()
        resolve(false)
      }
    })
  }

  return {
    count: (): number => readers.size,
    listen,
    deliver(event: BusEvent): void {
      for (const reader of readers) {
        reader.queue.push(event)
        if (reader.queue.length > QUEUE_EVENTS) {
          reader.queue.shift()
          reader.hasLost = true
        }
        reader.wake()
      }
    },
    end(): void {
      isOver = true
      for (const { wake } of readers) wake()
    },
  }
}
