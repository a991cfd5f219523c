// Reads jobs: unfinished ones from memory, which has their progress, all others from the tables.
import type { JobQuery } from '#control-plane/store/job-rows.ts'
import { ENDED } from './job.ts'
import type { StoredEvent } from './record.ts'
import type { LiveJob } from './run/live-job.ts'
import type { JobLists } from './store/list.store.ts'
import { endedView, type JobView } from './view.ts'

type Deps = {
  readonly lists: JobLists
  readonly live: ReadonlyMap<string, LiveJob>
  /** Jobs that were set aside. */
  readonly aside: ReadonlyMap<string, LiveJob>
  readonly viewOf: (job: LiveJob) => JobView
}

type EventDeps = {
  readonly lists: Pick<JobLists, 'events'>
  readonly live: ReadonlyMap<string, Pick<LiveJob, 'record'>>
}
/**
 * Events that are durable, with a higher number than `after`, ascending. An event that a power cut can still undo must not leave the
 * studio: its number would be used again, and a client that resumes from that number would miss the later event.
 */
export const durableEvents =
  ({ lists, live }: EventDeps) =>
  async (id: string, after: number, limit: number): Promise<StoredEvent[]> => {
    const events = await lists.events(id, after, limit)
    const record = live.get(id)?.record()
    // The end of a job is durable, and events may be added to it later.
    const durable = record && !ENDED.has(record.job.status) ? record.lastSeq : Number.POSITIVE_INFINITY
    return events.filter(({ seq }) => seq <= durable)
  }

export const createReads = ({ lists, live, aside, viewOf }: Deps) => ({
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
  /** Every unfinished job, oldest first. `source`: that of the client who asked for it. */
  active: (): { readonly id: string; readonly type: string; readonly source: string }[] =>
    [...live.values()].flatMap(({ id, record }) => {
      const { job, type, source } = record()
      return ENDED.has(job.status) ? [] : [{ id, type, source }]
    }),
  counts: lists.counts,
  events: durableEvents({ lists, live }),
  /** Returns those of `digests` that a step result, an unfinished job or one that was set aside needs. */
  async names(digests: readonly string[]): Promise<ReadonlySet<string>> {
    const inputs = [...live.values(), ...aside.values()].flatMap(({ type, params }) => type.inputs?.(params) ?? [])
    return new Set([...(await lists.resultFilesAmong(digests)), ...inputs])
  },
})
