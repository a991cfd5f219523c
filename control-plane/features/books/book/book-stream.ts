// The events of a book as server-sent events. A client that disconnects cancels its book, unless it asked for the book to continue.

import { type FollowedEvent, PAUSED_FRAME } from '#control-plane/jobs/events.ts'
import type { Jobs } from '#control-plane/jobs/jobs.ts'
import { Failure } from '#shared/protocol/failure.ts'
import type { Clock } from '#shared/runtime/clock.ts'
import type { Log } from '#shared/runtime/log.ts'

type Deps = { readonly jobs: Pick<Jobs, 'follow' | 'cancel' | 'isStopping'>; readonly clock: Clock; readonly log: Log }
export type BookStream = ReturnType<typeof createBookStream>

const KEEPALIVE_MS = 15_000
const KEEPALIVE = ': keepalive\n\n'

export function createBookStream({ jobs, clock, log }: Deps) {
  async function cancel(id: string): Promise<void> {
    try {
      await jobs.cancel(id)
    } catch (error) {
      const { code, message } = Failure.from(error)
      if (code !== 'NOT_FOUND') log.warn({ job: id, err: message }, 'a book whose client disconnected could not be cancelled')
    }
  }

  async function* frames(events: AsyncGenerator<FollowedEvent>): AsyncGenerator<string> {
    yield ': book\n\n' // proxies pass on the headers with the first bytes
    let next = events.next()
    try {
      for (;;) {
        const tick = Promise.withResolvers<null>()
        const stop = clock.after(KEEPALIVE_MS, () => tick.resolve(null))
        const result = await Promise.race([next, tick.promise]).finally(stop)
        if (result === null) yield KEEPALIVE
        else if (result.done) {
          if (jobs.isStopping()) yield PAUSED_FRAME
          return
        } else {
          yield `data: ${result.value.payload}\n\n`
          next = events.next()
        }
      }
    } finally {
      next.catch(() => {})
      void events.return(undefined).catch(() => {})
    }
  }

  return {
    /** `signal`: aborts when the client disconnects. A connection that closes because the studio stops cancels nothing. */
    async follow(id: string, keepRunning: boolean, signal: AbortSignal): Promise<AsyncIterable<string>> {
      const leave = () => void (keepRunning || jobs.isStopping() || cancel(id))
      signal.addEventListener('abort', leave, { once: true })
      if (signal.aborted) leave()
      try {
        return frames(await jobs.follow(id, 0, signal))
      } catch (error) {
        leave() // such as when too many clients follow: the book would have no listener
        throw error
      }
    },
  }
}
