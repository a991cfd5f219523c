// The writes and reads of the job runner. A change is staged into the batch of all stores. The runner changes its own memory after `write`
// has resolved, so a failed batch leaves nothing to undo here. Lists for people are in list.store.ts.
import { z } from 'zod'
import type { GroupCommit } from '#control-plane/store/group-commit.ts'
import type { JobEventRow, JobState, JobStepRow, StepResultRow, StoredJob } from '#control-plane/store/job-rows.ts'
import type { Journal, Writes } from '#control-plane/store/journal.ts'
import { requireIntegers } from '#control-plane/store/rows.ts'
import { isFailureCode } from '#shared/protocol/failure.ts'
import type { Clock } from '#shared/runtime/clock.ts'
import type { StepOutput } from '../job-type.ts'
import type { JobChange, JobRecord, StepRow, StoredResult } from '../record.ts'

export type JobStore = ReturnType<typeof createJobStore>
/** Events kept for each job. */
export const EVENTS_KEPT = 500

type Deps = {
  readonly state: JobState
  readonly journal: Pick<Journal, 'jobs'>
  readonly commits: Pick<GroupCommit, 'stage' | 'settled'>
  readonly clock: Clock
}

export function createJobStore({ state, journal, commits, clock }: Deps) {
  const outputOf = (key: string): StepOutput | null => {
    const row = state.stepResults.get(key)
    return row ? toOutput(row) : null
  }
  return {
    /**
     * Stages the change and resolves with the record when it is durable. Rejects with STORAGE_FULL when nothing of it was written, with INTERNAL
     * for a row that cannot be stored.
     */
    async write(change: JobChange): Promise<JobRecord> {
      const record = { ...change.record, lastSeq: change.record.lastSeq + change.events.length }
      const now = clock.now()
      if (change.result) requireIntegers('step_result', { bytes: change.result.bytes })
      commits.stage({ write: (writes) => addRows(writes, change, record, now), undo() {} })
      await commits.settled()
      return record
    },
    result: async (key: string): Promise<StepOutput | null> => {
      const row = await journal.jobs.result(key)
      return row ? toOutput(row) : null
    },
    get: async (id: string): Promise<JobRecord | null> => {
      const row = await journal.jobs.find(id)
      return row ? toRecord(row) : null
    },

    /** Jobs that were unfinished or set aside when the journal was opened, oldest first. */
    unfinished: (): JobRecord[] => state.jobs.map(toRecord),
    /** Every started step of an unfinished job, with its output if it has one. */
    stepsOf: (id: string): { readonly step: StepRow; readonly output: StepOutput | null }[] =>
      state.jobSteps
        .filter(({ job_id }) => job_id === id)
        .map((row) => ({ step: toStep(row), output: row.result_key === null ? null : outputOf(row.result_key) })),
    /** The highest job number in use when the journal was opened. */
    lastSeq: (): number => state.lastJobSeq,
  }
}

/** `record`: the state after the change. `now`: epoch milliseconds. */
function addRows(
  writes: Writes,
  { events, steps, result, discard, isFresh, isReopened = false, ...before }: JobChange,
  record: JobRecord,
  now: number,
): void {
  const { id } = record.job
  if (isFresh) writes.clearedJobs.add(id)
  if (isReopened) writes.reopenedJobs.add(id)
  writes.jobs.set(id, toRow(record))
  for (const [index, { kind, payload }] of events.entries()) {
    const row: JobEventRow = { job_id: id, seq: before.record.lastSeq + index + 1, created_at: now, kind, payload }
    writes.jobEvents.push(row)
  }
  if (events.length > 0) writes.trimmedEvents.set(id, EVENTS_KEPT)
  if (result) writes.stepResults.set(result.key, toResultRow(result, now))
  for (const step of steps) {
    writes.jobSteps.set(`${id} ${step.name}`, toStepRow(id, step))
    if (step.state === 'skipped' && step.resultKey !== null) writes.usedResults.set(step.resultKey, now)
  }
  if (discard) writes.discardedSteps.add(id)
}

const toOutput = ({ json, digest, bytes }: StepResultRow): StepOutput => ({ json: z.json().parse(JSON.parse(json)), digest, bytes })
const toResultRow = ({ key, kind, json, digest, bytes, costMs }: StoredResult, now: number): StepResultRow => ({
  key,
  kind,
  json: JSON.stringify(json),
  digest,
  bytes,
  cost_ms: Math.round(costMs),
  used_at: now,
})

const toStepRow = (job_id: string, { name, ordinal, state, key, taskId, resultKey, failure }: StepRow): JobStepRow => ({
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
const toStep = ({ name, ordinal, state, key, task_id, result_key, failure_code, failure }: JobStepRow): StepRow => ({
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
  source: record.source,
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
  source: row.source,
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
