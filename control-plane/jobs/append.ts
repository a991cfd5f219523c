// Adds an event to a job that may have ended, such as what was found in its result later. The job stays as it ended.
import { Failure } from '#shared/protocol/failure.ts'
import { type JobFollowers, payloadOf } from './events.ts'
import type { JobFrame, JobType } from './job-type.ts'
import type { LiveJob } from './run/live-job.ts'
import type { JobStore } from './store/job.store.ts'

type Deps = {
  readonly store: Pick<JobStore, 'get' | 'write'>
  readonly live: ReadonlyMap<string, LiveJob>
  /** Ids that change now; a job must not be used again meanwhile. */
  readonly claimed: Set<string>
  readonly types: ReadonlyMap<string, JobType>
  readonly followers: Pick<JobFollowers, 'appended'>
}

export function createAppend({ store, live, claimed, types, followers }: Deps) {
  /** The last append of each id. */
  const last = new Map<string, Promise<unknown>>()

  async function write(id: string, frame: JobFrame): Promise<boolean> {
    const job = live.get(id)
    if (job) {
      if (await job.change({ frames: [{ kind: 'event', frame }] })) return true
      // It has ended meanwhile, and its end is durable.
    }
    if (claimed.has(id)) throw new Failure('CONFLICT', `The job ${id.slice(0, 64)} is being started again.`)
    claimed.add(id)
    try {
      const record = await store.get(id)
      if (!record) return false
      const payload = payloadOf(frame, types.get(record.type)?.framing ?? 'sse')
      const change = { events: [{ kind: 'event' as const, payload }], steps: [], result: null, discard: false, isFresh: false }
      await store.write({ record, ...change })
      followers.appended(id)
      return true
    } finally {
      claimed.delete(id)
    }
  }

  /**
   * Adds an event to a job in any state. Durable when it resolves; false for an unknown id. Throws CONFLICT while a new job takes over the id,
   * BODY_TOO_LARGE, STORAGE_FULL.
   */
  return async (id: string, frame: JobFrame): Promise<boolean> => {
    const before = last.get(id)
    const done = (before ?? Promise.resolve()).then(() => write(id, frame))
    const settled = done.catch(() => {})
    last.set(id, settled)
    try {
      return await done
    } finally {
      if (last.get(id) === settled) last.delete(id)
    }
  }
}
