// The rows of jobs, and how they are written and read, as every journal stores them. Times are epoch milliseconds.
import type { ClientId } from '#shared/protocol/access/client.ts'

export type StoredJob = {
  readonly seq: number
  readonly id: string
  readonly type: string
  readonly project_id: string | null
  readonly source: string
  readonly params: string
  readonly meta: string
  readonly status: 'pending' | 'running' | 'done' | 'failed' | 'cancelled'
  readonly cancel_wanted: 0 | 1
  readonly resumes: number
  readonly interrupted: 0 | 1
  readonly error_code: string | null
  readonly error: string | null
  readonly last_seq: number
  readonly step_name: string | null
  readonly step_ordinal: number | null
  readonly step_total: number | null
  readonly created_at: number
  readonly updated_at: number
  readonly finished_at: number | null
}
export type JobEventRow = {
  readonly job_id: string
  readonly seq: number
  readonly created_at: number
  readonly kind: 'event' | 'progress' | 'terminal'
  readonly payload: string
}
export type JobStepRow = {
  readonly job_id: string
  readonly name: string
  readonly ordinal: number
  readonly state: 'waiting' | 'running' | 'done' | 'failed' | 'skipped'
  readonly key: string
  readonly task_id: string | null
  readonly result_key: string | null
  readonly failure_code: string | null
  readonly failure: string | null
}
export type StepResultRow = {
  readonly key: string
  readonly kind: string
  readonly json: string
  readonly digest: string | null
  readonly bytes: number
  readonly cost_ms: number
  readonly used_at: number
}

/** Changes of one batch to jobs. A body applies the tables in the order of this type. */
export type JobWrites = {
  /** Ids that a new job takes over from one that has ended: the events and steps of the earlier job are removed first. */
  readonly clearedJobs: Set<string>
  /** By id. */
  readonly jobs: Map<string, StoredJob>
  /** Jobs that had ended and run again: their terminal events are removed. */
  readonly reopenedJobs: Set<string>
  readonly jobEvents: JobEventRow[]
  /**
   * Number of events that a job keeps, by its id. Of a surplus, progress goes first, oldest first, but not the latest progress; then the
   * oldest events. A terminal event stays.
   */
  readonly trimmedEvents: Map<string, number>
  /** By key. A result that exists already keeps everything but `used_at`. */
  readonly stepResults: Map<string, StepResultRow>
  /** When a result was used again, by key. */
  readonly usedResults: Map<string, number>
  /** By job id and step name, joined by a space. */
  readonly jobSteps: Map<string, JobStepRow>
  /**
   * Jobs whose steps are removed. Results that the removed steps named, here and in `clearedJobs`, are removed at the end of the batch
   * unless a remaining step names them.
   */
  readonly discardedSteps: Set<string>
}

export const emptyJobWrites = (): JobWrites => ({
  clearedJobs: new Set(),
  jobs: new Map(),
  reopenedJobs: new Set(),
  jobEvents: [],
  trimmedEvents: new Map(),
  stepResults: new Map(),
  usedResults: new Map(),
  jobSteps: new Map(),
  discardedSteps: new Set(),
})

/** Start state of the job engine. */
export type JobState = {
  /** Jobs that have not ended or were set aside (JOB_SET_ASIDE), oldest first. */
  readonly jobs: readonly StoredJob[]
  /** Their steps, by ordinal. */
  readonly jobSteps: readonly JobStepRow[]
  /** The results that these steps name, by key. */
  readonly stepResults: ReadonlyMap<string, StepResultRow>
  /** The highest job number in use. */
  readonly lastJobSeq: number
}

export type JobFilter = {
  /** Only jobs that this client made; null for all. */
  readonly viewer: ClientId | null
  readonly type: string | null
  readonly projectId: string | null
  /** Part of the id, the type or the text of `meta`, without regard to case. */
  readonly text: string | null
}
export type JobQuery = JobFilter & {
  /** Null: every status. `active`: pending and running. A status that does not exist finds nothing. */
  readonly status: string | null
  /** Only jobs created before the one with this id. An unknown id finds nothing. */
  readonly before: string | null
  readonly limit: number
}

/** A row may be written and not durable yet. */
export type JobReads = {
  readonly find: (id: string) => Promise<StoredJob | null>
  /** Newest first. */
  readonly page: (query: JobQuery) => Promise<readonly StoredJob[]>
  /** Statuses without a job are absent. */
  readonly counts: (filter: JobFilter) => Promise<ReadonlyMap<StoredJob['status'], number>>
  /** Events with a higher number than `after`, ascending. */
  readonly events: (id: string, after: number, limit: number) => Promise<readonly JobEventRow[]>
  readonly result: (key: string) => Promise<StepResultRow | null>
  /** Returns those of `digests` that are the file of a step result. */
  readonly resultFilesAmong: (digests: readonly string[]) => Promise<ReadonlySet<string>>
  /**
   * Removes jobs that ended before `jobsBefore`, results last used before `resultsBefore`, and the progress events of jobs that ended before
   * that. Unfinished jobs keep everything. Rejects with STORAGE_FULL.
   */
  readonly purge: (jobsBefore: number, resultsBefore: number) => Promise<void>
}
