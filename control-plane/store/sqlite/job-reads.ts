// Reads of the tables of jobs: what a start needs, and what people ask for.
import { type Database, storageChecked } from '../database.ts'
import type { JobEventRow, JobFilter, JobReads, JobState, JobStepRow, StepResultRow, StoredJob } from '../job-rows.ts'
import { seenBy } from './made-by.ts'

const NEWEST = Number.MAX_SAFE_INTEGER
const MATCHES = `${seenBy('job')} and (@type is null or type = @type) and (@project is null or project_id = @project) and (@text is null or
  id like @text escape '\\' or type like @text escape '\\' or meta like @text escape '\\')`
const UNFINISHED = `status in ('pending','running')`
const NEEDED = `(${UNFINISHED} or error_code = 'JOB_SET_ASIDE')`

export function readJobState(db: Database): JobState {
  const results = db
    .prepare<[], StepResultRow>(
      `select * from step_result where key in (select result_key from job_step join job on job.id = job_id where ${NEEDED})`,
    )
    .all()
  return {
    jobs: db.prepare<[], StoredJob>(`select * from job where ${NEEDED} order by seq`).all(),
    jobSteps: db
      .prepare<[], JobStepRow>(`select job_step.* from job_step join job on job.id = job_id where ${NEEDED} order by seq, ordinal`)
      .all(),
    stepResults: new Map(results.map((row) => [row.key, row])),
    lastJobSeq: db.prepare<[], number>('select coalesce(max(seq), 0) from job').pluck().get()!,
  }
}

export function createJobReads(db: Database): JobReads {
  const page = db.prepare<[object], StoredJob>(`select * from job where seq < @before and ${MATCHES}
    and (@status is null or status = @status or (@status = 'active' and ${UNFINISHED})) order by seq desc limit @limit`)
  const counts = db.prepare<[object], { status: StoredJob['status']; n: number }>(
    `select status, count(*) as n from job where ${MATCHES} group by status`,
  )
  const seqOf = db.prepare<[string], number>('select seq from job where id = ?').pluck()
  const byId = db.prepare<[string], StoredJob>('select * from job where id = ?')
  const events = db.prepare<[string, number, number], JobEventRow>(
    'select * from job_event where job_id = ? and seq > ? order by seq limit ?',
  )
  const result = db.prepare<[string], StepResultRow>('select * from step_result where key = ?')
  const resultFiles = db
    .prepare<[string], string>('select value from json_each(?) where exists (select 1 from step_result where digest = value)')
    .pluck()
  const oldJobs = db.prepare(`delete from job where finished_at < ? and status in ('done','failed','cancelled')`)
  const oldResults = db.prepare(`delete from step_result where used_at < ? and not exists (
    select 1 from job_step join job on job.id = job_id where result_key = step_result.key and ${NEEDED})`)
  const oldProgress = db.prepare(`delete from job_event where kind = 'progress' and job_id in (
    select id from job where finished_at < ? and status in ('done','failed','cancelled'))`)
  const purge = db.transaction((jobsBefore: number, resultsBefore: number) => {
    oldJobs.run(jobsBefore)
    oldResults.run(resultsBefore)
    oldProgress.run(resultsBefore)
  })

  const filter = ({ viewer, type, projectId, text }: JobFilter) => ({
    viewer,
    type,
    project: projectId,
    text: text === null ? null : `%${text.replaceAll(/[\\%_]/g, '\\$&')}%`,
  })

  return {
    find: async (id) => byId.get(id) ?? null,
    async page({ status, before: id, limit, ...query }) {
      const before = id === null ? NEWEST : seqOf.get(id)
      return before === undefined ? [] : page.all({ ...filter(query), status, before, limit })
    },
    counts: async (query) => new Map(counts.all(filter(query)).map(({ status, n }) => [status, n])),
    events: async (id, after, limit) => events.all(id, after, limit),
    result: async (key) => result.get(key) ?? null,
    resultFilesAmong: async (digests) => new Set(resultFiles.all(JSON.stringify(digests))),
    async purge(jobsBefore, resultsBefore) {
      storageChecked('Old jobs could not be removed', () => purge(jobsBefore, resultsBefore))
    },
  }
}
