// Follows the events of a job. A follower stores the number of its last event and reads the next ones from the table, so a slow follower
// misses none, repeats none and uses no memory while it does not read.

import { createPlaces } from '#control-plane/clients/places.ts'
import { Failure } from '#shared/protocol/failure.ts'
import type { JobFault } from './job.ts'
import type { JobFailed, JobFrame } from './job-type.ts'
import type { StoredEvent } from './record.ts'

export type JobFollowers = ReturnType<typeof createJobFollowers>
export type FollowedEvent = { readonly seq: number; readonly payload: string }
type Follower = { isBehind: boolean; wake: () => void }
type Membership = { readonly follower: Follower; readonly leave: () => void }
type Deps = {
  readonly eventsAfter: (id: string, after: number, limit: number) => Promise<StoredEvent[]>
  readonly isEnded: (id: string) => Promise<boolean>
}

/** Last piece of a stream of server-sent events that ends before its job: a browser comes back after this time, in milliseconds. */
export const PAUSED_FRAME = 'retry: 1000\n: The studio is stopping. The job goes on at its next start.\n\n'

const FOLLOWERS_PER_CLIENT = 128
const PAGE = 100
const PAYLOAD_CHARS = 256 * 1024

export function createJobFollowers({ eventsAfter, isEnded }: Deps) {
  const followers = new Map<string, Set<Follower>>()
  const places = createPlaces({ perClient: FOLLOWERS_PER_CLIENT, what: 'connections that follow jobs' })
  let isOver = false

  function join(id: string, signal: AbortSignal): Membership {
    const giveBack = places.take()
    const follower: Follower = { isBehind: true, wake: () => {} }
    const those = followers.get(id) ?? new Set()
    followers.set(id, those.add(follower))
    const leave = () => {
      signal.removeEventListener('abort', leave)
      if (!those.delete(follower)) return
      giveBack()
      if (those.size === 0) followers.delete(id)
      follower.wake()
    }
    // Not inside the generator, because an unread generator runs no code.
    signal.addEventListener('abort', leave, { once: true })
    if (signal.aborted) leave()
    return { follower, leave }
  }

  async function* read(id: string, after: number, signal: AbortSignal, { follower, leave }: Membership): AsyncGenerator<FollowedEvent> {
    let last = after
    try {
      while (!signal.aborted && !isOver) {
        follower.isBehind = false
        const ended = await isEnded(id) // read before the events: an end becomes durable together with its last event
        const page = await eventsAfter(id, last, PAGE)
        for (const { seq, payload } of page) {
          if (signal.aborted) return
          yield { seq, payload }
          last = seq
        }
        if (page.length > 0) continue
        if (ended) return
        if (!follower.isBehind && !signal.aborted) await new Promise<void>((resolve) => (follower.wake = resolve))
      }
    } finally {
      leave()
    }
  }

  return {
    /** Call when new events of the job are durable. */
    appended(id: string): void {
      for (const follower of followers.get(id) ?? []) {
        follower.isBehind = true
        follower.wake()
      }
    },
    /** Stored events from `after` on, then live ones, until the job has ended or the signal aborts. Throws QUEUE_FULL at once. */
    follow(id: string, after: number, signal: AbortSignal): AsyncGenerator<FollowedEvent> {
      return read(id, after, signal, join(id, signal))
    },
    count: places.taken,
    /** Ends every stream when the studio stops. */
    end(): void {
      isOver = true
      for (const those of followers.values()) for (const follower of those) follower.wake()
    },
  }
}

/** The stored text of a frame. Throws BODY_TOO_LARGE for more than 256 KiB. */
export function payloadOf(frame: JobFrame, framing: 'sse' | 'json'): string {
  const json = JSON.stringify(frame)
  if (json.length > PAYLOAD_CHARS) throw new Failure('BODY_TOO_LARGE', `An event of type ${frame.type} is larger than 256 KiB.`)
  return framing === 'sse' ? `data: ${json}\n\n` : json
}

/** The failure event of the API. */
export const failureFrame = ({ code, message, needs }: JobFault): JobFailed => {
  const { hint } = new Failure(code, message)
  return {
    type: 'error',
    reason: message,
    error: message,
    error_class: code,
    stage: null,
    hint,
    docs_topic: null,
    docs_url: null,
    detail: message,
    ...(needs && { needs }),
  }
}
