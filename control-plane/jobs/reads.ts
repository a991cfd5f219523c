// Reads jobs: unfinished ones from memory, which has their progress, all others from the tables.
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
  /** Those of `digests` that a step result or an unfinished job needs. */
  async names(digests: readonly string[]): Promise<ReadonlySet<string>> {
    const inputs = [...live.values()].flatMap(({ type, params }) => type.inputs?.(params) ?? [])
    return new Set([...(await lists.resultFilesAmong(digests)), ...inputs])
  },
})
