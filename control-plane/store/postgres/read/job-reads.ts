// Reads of the tables of jobs: what a start needs, and what people ask for.
import type { JobEventRow, JobFilter, JobReads, StepResultRow, StoredJob } from '#control-plane/store/job-rows.ts'
import type { Ask } from './task-reads.ts'

const NEWEST = Number.MAX_SAFE_INTEGER
const JOB = `seq, id, type, project_id, source, params, meta, status, cancel_wanted, resumes, interrupted, error_code, error, last_seq,
  step_name, step_ordinal, step_total, created_at, updated_at, finished_at`
const EVENT = 'job_id, seq, created_at, kind, payload'
const STEP = 's.job_id, s.name, s.ordinal, s.state, s.key, s.task_id, s.result_key, s.failure_code, s.failure'
const RESULT = 'key, kind, json, digest, bytes, cost_ms, used_at'
const UNFINISHED = `status in ('pending','running')`
const ENDED = `status in ('done','failed','cancelled')`
const NEEDED = `(${UNFINISHED} or error_code = 'JOB_SET_ASIDE')`
// A pool has no record of who made a job, so one client sees none and the owner sees all.
const MATCHES = `cell = $1 and $2::text is null and ($3::text is null or type = $3) and ($4::text is null or project_id = $4)
  and ($5::text is null or id ilike $5 or type ilike $5 or meta ilike $5)`

export const NEEDED_JOBS = {
  jobs: `select ${JOB} from job where cell = $1 and ${NEEDED} order by seq`,
  steps: `select ${STEP} from job_step s join job j on j.cell = s.cell and j.id = s.job_id where s.cell = $1 and ${NEEDED}
    order by j.seq, s.ordinal`,
  results: `select ${RESULT} from step_result where cell = $1 and key in (
    select s.result_key from job_step s join job j on j.cell = s.cell and j.id = s.job_id where s.cell = $1 and ${NEEDED})`,
}

const values = (cell: string, { viewer, type, projectId, text }: JobFilter) => [
  ...[cell, viewer, type, projectId],
  text === null ? null : `%${text.replaceAll(/[\\%_]/g, '\\$&')}%`,
]

export function createJobReadsOf(ask: Ask, cell: string): Omit<JobReads, 'purge'> {
  const find = async (id: string) =>
    (await ask<StoredJob>({ name: 'job', text: `select ${JOB} from job where cell = $1 and id = $2`, values: [cell, id] }))[0] ?? null
  return {
    find,
    async page({ status, before: id, limit, ...query }) {
      const before = id === null ? NEWEST : (await find(id))?.seq
      if (before === undefined) return []
      return ask<StoredJob>({
        name: 'jobs',
        text: `select ${JOB} from job where ${MATCHES} and seq < $6 and ($7::text is null or status = $7 or ($7 = 'active' and ${UNFINISHED}))
          order by seq desc limit $8`,
        values: [...values(cell, query), before, status, limit],
      })
    },
    async counts(query) {
      const text = `select status, count(*) as n from job where ${MATCHES} group by status`
      const rows = await ask<{ status: StoredJob['status']; n: number }>({ name: 'job_counts', text, values: values(cell, query) })
      return new Map(rows.map(({ status, n }) => [status, n]))
    },
    events: (id, after, limit) =>
      ask<JobEventRow>({
        name: 'job_events',
        text: `select ${EVENT} from job_event where cell = $1 and job_id = $2 and seq > $3 order by seq limit $4`,
        values: [cell, id, after, limit],
      }),
    async result(key) {
      const text = `select ${RESULT} from step_result where cell = $1 and key = $2`
      return (await ask<StepResultRow>({ name: 'step_result', text, values: [cell, key] }))[0] ?? null
    },
    async resultFilesAmong(digests) {
      const text = `select digest from unnest($2::text[]) as digest where exists (
        select from step_result s where s.cell = $1 and s.digest = digest.digest)`
      const rows = await ask<{ digest: string }>({ name: 'job_files', text, values: [cell, digests] })
      return new Set(rows.map(({ digest }) => digest))
    },
  }
}

const HELD = 'c as materialized (select term from cell where id = $1 and term = $2 and writer = $3 for share)'
/** Run in this order. $4: jobs that ended before; $5: results last used before, and progress of jobs that ended before. Epoch ms. */
export const JOB_PURGES: readonly string[] = [
  `with ${HELD} delete from job where cell = $1 and exists (select from c) and finished_at < $4 and ${ENDED}`,
  `with ${HELD} delete from step_result r where cell = $1 and exists (select from c) and used_at < $4 and not exists (
    select from job_step s join job j on j.cell = s.cell and j.id = s.job_id where s.cell = r.cell and s.result_key = r.key and ${NEEDED})`,
  `with ${HELD} delete from job_event where cell = $1 and exists (select from c) and kind = 'progress' and job_id in (
    select id from job where cell = $1 and finished_at < $4 and ${ENDED})`,
]
