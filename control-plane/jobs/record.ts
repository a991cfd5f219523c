// A job as stored: its state in the edge table, and its request.
import type { Job, JobFault, StepState } from './job.ts'
import type { StepOutput } from './job-type.ts'

export type StepPlace = {
  readonly name: string
  /** From 1 on. */
  readonly ordinal: number
  /** The number of steps so far; later stages may add more. */
  readonly total: number
}
export type JobRecord = {
  /** Order of creation. */
  readonly seq: number
  readonly type: string
  readonly projectId: string | null
  /** Source of the client that created it. */
  readonly source: string
  /** JSON text. */
  readonly params: string
  /** JSON text of an object, shown in lists. */
  readonly meta: string
  readonly job: Job
  /** The highest sequence number of an event so far; 0 for none. */
  readonly lastSeq: number
  /** The step that started last. */
  readonly step: StepPlace | null
  /** Epoch milliseconds, like the other two. */
  readonly createdAt: number
  readonly updatedAt: number
  readonly finishedAt: number | null
}

/** `progress` may be dropped when a later one exists; `terminal` is never dropped. */
export type EventKind = 'event' | 'progress' | 'terminal'
export type EventDraft = { readonly kind: EventKind; readonly payload: string }
/** `createdAt`: epoch milliseconds. */
export type StoredEvent = { readonly seq: number; readonly createdAt: number; readonly payload: string }

export type StepRow = {
  readonly name: string
  readonly ordinal: number
  readonly state: StepState
  readonly key: string
  readonly taskId: string | null
  /** Set exactly when the state is `done` or `skipped`. */
  readonly resultKey: string | null
  /** Set exactly when the state is `failed`. */
  readonly failure: JobFault | null
}
export type StoredResult = StepOutput & { readonly key: string; readonly kind: string; readonly costMs: number }

/** Everything that is written in one transaction. */
export type JobChange = {
  readonly record: JobRecord
  readonly events: readonly EventDraft[]
  readonly steps: readonly StepRow[]
  /** Written once for each key; an equal key keeps its first row. */
  readonly result: StoredResult | null
  /** Removes the steps of the job, and their results unless another job names them. */
  readonly discard: boolean
  /** The id was used before by a job that has ended: its events, steps and unshared results are removed. */
  readonly isFresh: boolean
  /** The job had ended and runs again: its last event is removed. Default false. */
  readonly isReopened?: boolean
}
