// Lists of jobs: pages, counts, events. Every read is async, so that the tables can move to a database on another machine.
import type { JobFilter, JobQuery } from '#control-plane/store/job-rows.ts'
import type { Journal } from '#control-plane/store/journal.ts'
import { JOB_STATUSES, type JobStatus } from '../job.ts'
import type { JobRecord, StoredEvent } from '../record.ts'
import { toRecord } from './job.store.ts'

export type JobLists = ReturnType<typeof createJobLists>
export type JobCounts = Readonly<Record<JobStatus, number>>

export function createJobLists({ journal: { jobs } }: { readonly journal: Pick<Journal, 'jobs'> }) {
  return {
    /** Newest first. */
    page: async (query: JobQuery): Promise<JobRecord[]> => (await jobs.page(query)).map(toRecord),
    /** Jobs in each status. */
    async counts(filter: JobFilter): Promise<JobCounts> {
      const found = await jobs.counts(filter)
      return Object.fromEntries(JOB_STATUSES.map((status) => [status, found.get(status) ?? 0])) as JobCounts
    },
    async get(id: string): Promise<JobRecord | null> {
      const row = await jobs.find(id)
      return row ? toRecord(row) : null
    },
    /** Events with a higher number than `after`, ascending. An unfinished job may have written some that are not durable yet. */
    events: async (id: string, after: number, limit: number): Promise<StoredEvent[]> =>
      (await jobs.events(id, after, limit)).map(({ seq, created_at, payload }) => ({ seq, createdAt: created_at, payload })),
    /** Returns those of `digests` that are the file of a step result. */
    resultFilesAmong: jobs.resultFilesAmong,
    /** Same as `JobReads.purge`. */
    purge: jobs.purge,
  }
}
