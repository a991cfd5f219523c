// Reading jobs: those that have not ended from memory, where their progress is, all others from the tables.
import type { LiveJob } from './run/live-job.ts'
import type { JobLists, JobQuery } from './store/list.store.ts'
import { endedView, type JobView } from './view.ts'

type Deps = {
  readonly lists: JobLists
  readonly live: ReadonlyMap<string, LiveJob>
  readonly viewOf: (job: LiveJob) => JobView
}

export const createReads = ({ lists, live, viewOf }: Deps) => ({
  /** Null for an unknown id. */
  async get(id: string): Promise<JobView | null> {
    const job = live.get(id)
    if (job) return viewOf(job)
    const record = await lists.get(id)
    return record && endedView(record)
  },
  /** Newest first. */
  page: async (query: JobQuery): Promise<JobView[]> =>
    (await lists.page(query)).map((record) => {
      const job = live.get(record.job.id)
      return job ? viewOf(job) : endedView(record)
    }),
  counts: lists.counts,
  events: lists.events,
  /** Whether a step result or an unfinished job needs the artifact with this digest. */
  isNamed: (digest: string): boolean =>
    lists.isNamed(digest) || [...live.values()].some(({ type, params }) => type.inputs?.(params).includes(digest) === true),
})
