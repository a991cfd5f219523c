// One snapshot on request. The regular ones come every few seconds, which is too late for a client that has just loaded or unloaded a model.
import type { Link } from '#shared/link/rpc.ts'
import { Failure } from '#shared/protocol/failure.ts'
import { parseMessage } from '#shared/protocol/message-fields.ts'
import { SnapshotMessage } from '#shared/protocol/messages.ts'
import type { Clock } from '#shared/runtime/clock.ts'
import type { Log } from '#shared/runtime/log.ts'

type Deps = {
  readonly link: Pick<Link, 'watch'>
  readonly take: (snapshot: SnapshotMessage) => void
  readonly clock: Clock
  readonly log: Log
}
const WITHIN_MS = 1_000
/** The call ends with its first message. */
const NO_SECOND_MS = 60_000

/**
 * Resolves with true when a snapshot that was made after the call has been taken, with false after a second without one. Never rejects.
 * Any number of callers cause at most two requests: the one under way, whose snapshot may be older, and one more.
 */
export function createFreshSnapshot({ link, take, clock, log }: Deps): () => Promise<boolean> {
  let running: Promise<boolean> | null = null
  let following: Promise<boolean> | null = null

  async function request(): Promise<boolean> {
    const over = new AbortController()
    const cancelTimer = clock.after(WITHIN_MS, () => over.abort(new Failure('WORKER_UNREACHABLE', 'The machine sent no snapshot in time.')))
    try {
      for await (const message of link.watch({ interval_ms: NO_SECOND_MS }, over.signal)) {
        take(parseMessage(SnapshotMessage, message))
        return true
      }
    } catch (error) {
      log.debug({ code: Failure.from(error).code }, 'a machine sent no snapshot on request')
    } finally {
      cancelTimer()
      over.abort()
    }
    return false
  }
  function begin(): Promise<boolean> {
    const mine = request().finally(() => {
      running = null
    })
    running = mine
    return mine
  }

  return () => {
    if (!running) return begin()
    following ??= running.then(() => {
      following = null
      return begin()
    })
    return following
  }
}
