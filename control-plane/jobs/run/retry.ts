// Runs a job again that was set aside because the studio ended while it ran. Its finished steps stay.
import type { Makers } from '#control-plane/store/sqlite/made-by.ts'
import { Failure } from '#shared/protocol/failure.ts'
import type { JobLists } from '../store/list.store.ts'
import type { JobView } from '../view.ts'
import type { Lanes } from './lanes.ts'
import type { LiveJob } from './live-job.ts'
import type { Reservation } from './reservations.ts'

/** Jobs that were set aside, by id. They are kept with their inputs until a person tries them again. */
export type SetAside = Map<string, LiveJob>
type Deps = {
  readonly aside: SetAside
  readonly live: Map<string, LiveJob>
  /** Ids of jobs that ended since the start. */
  readonly recent: Set<string>
  readonly lists: Pick<JobLists, 'get'>
  readonly lanes: Pick<Lanes, 'add'>
  /** Throws QUEUE_FULL. */
  readonly reserve: (type: string) => Reservation
  /** Takes a job that has ended out of the live ones. */
  readonly forget: (job: LiveJob) => void
  readonly viewOf: (job: LiveJob) => JobView
  readonly makers: Pick<Makers, 'hasEnded'>
  /** Aborts when the studio stops. */
  readonly over: AbortSignal
}

/** Durable when it resolves. Throws NOT_FOUND, CONFLICT for a job that was not set aside, FORBIDDEN for one of a person that has ended, QUEUE_FULL, STORAGE_FULL, NOT_READY. */
export const createRetry =
  ({ aside, live, recent, lists, lanes, reserve, forget, viewOf, makers, over }: Deps) =>
  async (id: string): Promise<JobView> => {
    if (over.aborted) throw new Failure('NOT_READY', 'The studio is stopping. Try again in a moment.')
    const job = aside.get(id)
    if (!job && (live.has(id) || (await lists.get(id))))
      throw new Failure('CONFLICT', `The job ${id.slice(0, 64)} was not set aside, so there is nothing to try again.`)
    if (!job) throw new Failure('NOT_FOUND', `There is no job ${id.slice(0, 64)}.`)
    if (makers.hasEnded(job.client)) throw new Failure('FORBIDDEN', 'The access of the person who asked for this has ended.')
    const place = reserve(job.type.type)
    aside.delete(id)
    live.set(id, job)
    try {
      await job.change({ event: { kind: 'retry' } })
    } catch (error) {
      forget(job)
      throw error
    } finally {
      place.giveBack()
    }
    recent.delete(id)
    lanes.add(job)
    return viewOf(job)
  }
