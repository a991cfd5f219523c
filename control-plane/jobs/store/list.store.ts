// Lists of jobs: pages, counts, events. Every read is async, so that the tables can move to a database on another machine.
import type { Database } from '../../store/database.ts'
import { JOB_STATUSES, type JobStatus } from '../job.ts'
import type { JobRecord, StoredEvent } from '../record.ts'
import { type StoredJob, toRecord } from './job.store.ts'

export type JobLists = ReturnType<typeof createJobLists>
export type JobQuery = {
  /** Null: every status. `active`: pending and running. An unknown status matches nothing. */
  readonly status: string | null
  readonly type: string | null
  readonly projectId: string | null
  /** Part of the id, the type or the text of `meta`, case-insensitive. */
  readonly text: string | null
  /** Only jobs created before the one with this id. An unknown id matches nothing. */
  readonly before: string | null
  readonly limit: number
}
export type JobCounts = Readonly<Record<JobStatus, number>>

const NEWEST = Number.MAX_SAFE_INTEGER
const MATCHES = `(@type is null or type = @type) and (@project is null or project_id = @project) and (@text is null or
  id like @text escape '\\' or type like @text escape '\\' or meta like @text escape '\\')`

export function createJobLists({ db }: { readonly db: Database }) {
  const page = db.prepare<
    [object],
    StoredJob
  >(`select * from job where seq < @before and ${MATCHES} and (@status is null or status = @status
      or (@status = 'active' and status in ('pending','running'))) order by seq desc limit @limit`)
  const counts = db.prepare<[object], { status: JobStatus; n: number }>(
    `select status, count(*) as n from job where ${MATCHES} group by status`,
  )
  const seqOf = db.prepare<[string], { seq: number }>('select seq from job where id = ?')
  const byId = db.prepare<[string], StoredJob>('select * from job where id = ?')
  const events = db.prepare<[string, number, number], { seq: number; created_at: number; payload: string }>(
    'select seq, created_at, payload from job_event where job_id = ? and seq > ? order by seq limit ?',
  )
  const resultFiles = db
    .prepare<[string], string>('select value from json_each(?) where exists (select 1 from step_result where digest = value)')
    .pluck()
  const oldJobs = db.prepare(`delete from job where finished_at < ? and status in ('done','failed','cancelled')`)
  const oldResults =
    db.prepare(`delete from step_result where used_at < ? and not exists (select 1 from job_step join job on job.id = job_id
    where result_key = step_result.key and status in ('pending','running'))`)

  const filter = ({ type, projectId, text }: Pick<JobQuery, 'type' | 'projectId' | 'text'>) => ({
    type,
    project: projectId,
    text: text === null ? null : `%${text.replaceAll(/[\\%_]/g, '\\$&')}%`,
  })

  return {
    /** Newest first. */
    async page(query: JobQuery): Promise<JobRecord[]> {
      const before = query.before === null ? NEWEST : seqOf.get(query.before)?.seq
      if (before === undefined) return []
      return page.all({ ...filter(query), status: query.status, before, limit: query.limit }).map(toRecord)
    },
    /** Jobs in each status; `status`, `before` and `limit` of the query do not matter. */
    async counts(query: Pick<JobQuery, 'type' | 'projectId' | 'text'>): Promise<JobCounts> {
      const found = new Map(counts.all(filter(query)).map(({ status, n }) => [status, n]))
      return Object.fromEntries(JOB_STATUSES.map((status) => [status, found.get(status) ?? 0])) as JobCounts
    },
    async get(id: string): Promise<JobRecord | null> {
      const row = byId.get(id)
      return row ? toRecord(row) : null
    },
    /** Events with a higher number than `after`, ascending. */
    events: async (id: string, after: number, limit: number): Promise<StoredEvent[]> =>
      events.all(id, after, limit).map(({ seq, created_at, payload }) => ({ seq, createdAt: created_at, payload })),
    /** Those of `digests` that are the file of a step result. */
    resultFilesAmong: async (digests: readonly string[]): Promise<readonly string[]> => resultFiles.all(JSON.stringify(digests)),
    /** Removes jobs that ended, and results last used, before the two times (epoch milliseconds). Unfinished jobs keep everything. */
    async purge(jobsBefore: number, resultsBefore: number): Promise<void> {
      db.transaction(() => {
        oldJobs.run(jobsBefore)
        oldResults.run(resultsBefore)
      })()
    },
  }
}
