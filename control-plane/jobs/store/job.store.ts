// The tables of jobs for the job runner: one transaction for each change, and the reads of a start. Lists for people are in list.store.ts.
import { z } from 'zod'
import { Failure, isFailureCode } from '#shared/protocol/failure.ts'
import type { Clock } from '#shared/runtime/clock.ts'
import { type Database, isStorageError } from '../../store/database.ts'
import type { JobStatus, StepState } from '../job.ts'
import type { StepOutput } from '../job-type.ts'
import type { JobChange, JobRecord, StepRow } from '../record.ts'

export type JobStore = ReturnType<typeof createJobStore>
/** Events kept for each job. */
export const EVENTS_KEPT = 500

export type StoredJob = {
  seq: number
  id: string
  type: string
  project_id: string | null
  params: string
  meta: string
  status: JobStatus
  cancel_wanted: 0 | 1
  resumes: number
  interrupted: 0 | 1
  error_code: string | null
  error: string | null
  last_seq: number
  step_name: string | null
  step_ordinal: number | null
  step_total: number | null
  created_at: number
  updated_at: number
  finished_at: number | null
}
type StepSqlRow = {
  name: string
  ordinal: number
  state: StepState
  key: string
  task_id: string | null
  result_key: string | null
  failure_code: string | null
  failure: string | null
}
type ResultRow = { json: string; digest: string | null; bytes: number }

export function createJobStore({ db, clock }: { readonly db: Database; readonly clock: Clock }) {
  const put = db.prepare(`insert into job (seq, id, type, project_id, params, meta, status, cancel_wanted, resumes, interrupted, error_code,
      error, last_seq, step_name, step_ordinal, step_total, created_at, updated_at, finished_at)
    values (@seq, @id, @type, @project_id, @params, @meta, @status, @cancel_wanted, @resumes, @interrupted, @error_code,
      @error, @last_seq, @step_name, @step_ordinal, @step_total, @created_at, @updated_at, @finished_at)
    on conflict (id) do update set seq = @seq, type = @type, project_id = @project_id, params = @params, meta = @meta, status = @status,
      cancel_wanted = @cancel_wanted, resumes = @resumes, interrupted = @interrupted, error_code = @error_code, error = @error,
      last_seq = @last_seq, step_name = @step_name, step_ordinal = @step_ordinal, step_total = @step_total, created_at = @created_at,
      updated_at = @updated_at, finished_at = @finished_at`)
  const append = db.prepare('insert into job_event (job_id, seq, created_at, kind, payload) values (?, ?, ?, ?, ?)')
  const held = db.prepare<[string], { n: number }>('select count(*) as n from job_event where job_id = ?')
  const dropProgress = db.prepare(`delete from job_event where job_id = @id and seq in (
      select seq from job_event where job_id = @id and kind = 'progress'
        and seq < (select max(seq) from job_event where job_id = @id and kind = 'progress') order by seq limit @count)`)
  const dropOldest = db.prepare(`delete from job_event where job_id = @id and seq in (
      select seq from job_event where job_id = @id and kind <> 'terminal' order by seq limit @count)`)
  const dropEvents = db.prepare('delete from job_event where job_id = ?')
  const putStep = db.prepare(`insert into job_step (job_id, name, ordinal, state, key, task_id, result_key, failure_code, failure)
    values (@job_id, @name, @ordinal, @state, @key, @task_id, @result_key, @failure_code, @failure)
    on conflict (job_id, name) do update set ordinal = @ordinal, state = @state, key = @key, task_id = @task_id,
      result_key = @result_key, failure_code = @failure_code, failure = @failure`)
  const dropSteps = db.prepare('delete from job_step where job_id = ?')
  const putResult = db.prepare(`insert into step_result (key, kind, json, digest, bytes, cost_ms, used_at)
    values (@key, @kind, @json, @digest, @bytes, @cost_ms, @used_at) on conflict (key) do update set used_at = @used_at`)
  const useResult = db.prepare('update step_result set used_at = ? where key = ?')
  const dropResults = db.prepare(`delete from step_result where key in (select result_key from job_step where job_id = @id)
    and not exists (select 1 from job_step as other where other.result_key = step_result.key and other.job_id <> @id)`)
  const byKey = db.prepare<[string], ResultRow>('select json, digest, bytes from step_result where key = ?')
  const byId = db.prepare<[string], StoredJob>('select * from job where id = ?')
  const unfinished = db.prepare<[], StoredJob>(`select * from job where status in ('pending','running') order by seq`)
  const stepsOf = db.prepare<[string], StepSqlRow>('select * from job_step where job_id = ? order by ordinal')
  const lastSeq = db.prepare<[], { seq: number }>('select coalesce(max(seq), 0) as seq from job')

  const commit = db.transaction(({ record, events, steps, result, discard, isFresh }: JobChange): JobRecord => {
    const { id } = record.job
    const now = clock.now()
    const seq = record.lastSeq + events.length
    if (isFresh) {
      dropEvents.run(id)
      dropStepsOf(id)
    }
    put.run(toRow({ ...record, lastSeq: seq }))
    for (const [index, { kind, payload }] of events.entries()) append.run(id, record.lastSeq + index + 1, now, kind, payload)
    if (events.length > 0) prune(id)
    if (result) putResult.run({ ...toResultRow(result), used_at: now })
    for (const step of steps) {
      putStep.run(toStepRow(id, step))
      if (step.state === 'skipped') useResult.run(now, step.resultKey)
    }
    if (discard) dropStepsOf(id)
    return { ...record, lastSeq: seq }
  })

  function dropStepsOf(id: string): void {
    dropResults.run({ id })
    dropSteps.run(id)
  }

  function prune(id: string): void {
    const surplus = () => held.get(id)!.n - EVENTS_KEPT
    if (surplus() > 0) dropProgress.run({ id, count: surplus() })
    if (surplus() > 0) dropOldest.run({ id, count: surplus() })
  }

  return {
    /** Writes the change in one transaction and resolves with the record when it is durable. Rejects with STORAGE_FULL. */
    async write(change: JobChange): Promise<JobRecord> {
      try {
        return commit.immediate(change)
      } catch (error) {
        if (!isStorageError(error)) throw error
        throw new Failure('STORAGE_FULL', `The job could not be written to the database: ${(error as Error).message}.`, { cause: error })
      }
    },
    result: async (key: string): Promise<StepOutput | null> => {
      const row = byKey.get(key)
      return row ? toOutput(row) : null
    },
    get: async (id: string): Promise<JobRecord | null> => {
      const row = byId.get(id)
      return row ? toRecord(row) : null
    },

    /** Unfinished jobs, oldest first, for the start. */
    unfinished: (): JobRecord[] => unfinished.all().map(toRecord),
    /** Every started step, with its output if it has one. */
    stepsOf: (id: string): { readonly step: StepRow; readonly output: StepOutput | null }[] =>
      stepsOf.all(id).map((row) => {
        const found = row.result_key === null ? undefined : byKey.get(row.result_key)
        return { step: toStep(row), output: found ? toOutput(found) : null }
      }),
    lastSeq: (): number => lastSeq.get()!.seq,
  }
}

const toOutput = ({ json, digest, bytes }: ResultRow): StepOutput => ({ json: z.json().parse(JSON.parse(json)), digest, bytes })
const toResultRow = ({ key, kind, json, digest, bytes, costMs }: NonNullable<JobChange['result']>) => ({
  key,
  kind,
  json: JSON.stringify(json),
  digest,
  bytes,
  cost_ms: Math.round(costMs),
})

const toStepRow = (job_id: string, { name, ordinal, state, key, taskId, resultKey, failure }: StepRow) => ({
  job_id,
  name,
  ordinal,
  state,
  key,
  task_id: taskId,
  result_key: resultKey,
  failure_code: failure?.code ?? null,
  failure: failure?.message ?? null,
})
const toStep = ({ name, ordinal, state, key, task_id, result_key, failure_code, failure }: StepSqlRow): StepRow => ({
  name,
  ordinal,
  state,
  key,
  taskId: task_id,
  resultKey: result_key,
  failure: failure_code === null ? null : faultOf(failure_code, failure),
})

const toRow = ({ job, step, ...record }: JobRecord): StoredJob => ({
  seq: record.seq,
  id: job.id,
  type: record.type,
  project_id: record.projectId,
  params: record.params,
  meta: record.meta,
  status: job.status,
  cancel_wanted: job.cancelWanted ? 1 : 0,
  resumes: job.resumes,
  interrupted: job.interrupted ? 1 : 0,
  error_code: job.failure?.code ?? null,
  error: job.failure?.message ?? null,
  last_seq: record.lastSeq,
  step_name: step?.name ?? null,
  step_ordinal: step?.ordinal ?? null,
  step_total: step?.total ?? null,
  created_at: record.createdAt,
  updated_at: record.updatedAt,
  finished_at: record.finishedAt,
})
export const toRecord = (row: StoredJob): JobRecord => ({
  seq: row.seq,
  type: row.type,
  projectId: row.project_id,
  params: row.params,
  meta: row.meta,
  job: {
    id: row.id,
    status: row.status,
    cancelWanted: row.cancel_wanted === 1,
    resumes: row.resumes,
    interrupted: row.interrupted === 1,
    failure: row.error_code === null ? null : faultOf(row.error_code, row.error),
  },
  lastSeq: row.last_seq,
  step: row.step_name === null ? null : { name: row.step_name, ordinal: row.step_ordinal!, total: row.step_total! },
  createdAt: row.created_at,
  updatedAt: row.updated_at,
  finishedAt: row.finished_at,
})
/** A code of a newer version is shown as UNKNOWN. */
const faultOf = (code: string, message: string | null) => ({
  code: isFailureCode(code) ? code : ('UNKNOWN' as const),
  message: message ?? '',
})
