// The seam between the stores that decide and the database that keeps their decisions. A journal takes whole batches, in order, and
// answers the questions of people. It decides nothing. Its bodies are sqlite/journal.ts and postgres/journal.ts, which answers
// later; each has to pass test/conformance/journal. docs/adr/0017 says why the seam is here.
import type { Failure } from '#shared/protocol/failure.ts'
import { emptyJobWrites, type JobReads, type JobState, type JobWrites } from './job-rows.ts'
import type {
  AttemptRow,
  AttemptUpdate,
  AuditRow,
  BreakerRow,
  ConsentRow,
  EventRow,
  JoinTokenRow,
  PersonKeyRow,
  PersonRow,
  StoredWorker,
  TaskRow,
  UsageDelta,
} from './rows.ts'

export const TASK_GROUPS = ['waiting', 'running', 'done', 'failed'] as const
export type TaskGroup = (typeof TASK_GROUPS)[number]

/**
 * Changes of one batch. A key that is written twice is written once, with its last value, so that a body may use one statement per table. A
 * body applies the tables in the order of this type: an offer is checked against the consents of its own batch.
 */
export type Writes = {
  readonly settings: Map<string, string>
  readonly workers: Map<string, StoredWorker>
  /** By id. A replaced consent stands before the one that replaces it. */
  readonly consents: Map<string, ConsentRow>
  /** By id; null removes the token. */
  readonly joinTokens: Map<string, JoinTokenRow | null>
  /** By id. */
  readonly people: Map<string, PersonRow>
  /** By id. */
  readonly personKeys: Map<string, PersonKeyRow>
  /** Workers whose breakers are removed, before `breakers` is written. */
  readonly clearedBreakers: Set<string>
  /** By worker id and model key, joined by a space. */
  readonly breakers: Map<string, BreakerRow>
  readonly audit: AuditRow[]
  /** By id, as are those that were there before. */
  readonly newTasks: Map<string, TaskRow>
  readonly changedTasks: Map<string, TaskRow>
  readonly newAttempts: AttemptRow[]
  readonly changedAttempts: AttemptUpdate[]
  readonly events: EventRow[]
  /** By person, day and engine, joined by a space. It is added to what is stored. */
  readonly usage: Map<string, UsageDelta>
} & JobWrites

export const emptyWrites = (): Writes => ({
  settings: new Map(),
  workers: new Map(),
  consents: new Map(),
  joinTokens: new Map(),
  people: new Map(),
  personKeys: new Map(),
  clearedBreakers: new Set(),
  breakers: new Map(),
  audit: [],
  newTasks: new Map(),
  changedTasks: new Map(),
  newAttempts: [],
  changedAttempts: [],
  events: [],
  usage: new Map(),
  ...emptyJobWrites(),
})

/** Everything that decisions are made on, read once when the journal is opened. */
export type JournalState = {
  /** Tasks that have not ended, oldest first. */
  readonly tasks: readonly TaskRow[]
  /** The highest task number ever used. */
  readonly lastSeq: number
  readonly settings: ReadonlyMap<string, string>
  readonly workers: readonly StoredWorker[]
  /** Consents that were not withdrawn, at most one per worker. */
  readonly consents: readonly ConsentRow[]
  readonly joinTokens: readonly JoinTokenRow[]
  readonly breakers: readonly BreakerRow[]
  readonly auditHead: { readonly seq: number; readonly digest: string } | null
} & JobState

/**
 * Answer to a batch, which may come during `commit` or any time later: `written`, then `durable`; or one of `failed`, `defect` and `fenced` alone.
 * `unknown` may come before any of them, and more than once. Batches report in the order in which they were committed.
 */
export type CommitOutcome = {
  /** The batch survives the end of this process. A power cut may still undo it. */
  readonly written: () => void
  /** The batch survives a power cut. */
  readonly durable: () => void
  /** Nothing of the batch was written, because the storage is full or failing: STORAGE_FULL. The same batch may be written later. */
  readonly failed: (failure: Failure) => void
  /**
   * Nothing of the batch was written, because the database refuses one of its rows, and would refuse it again. `taskSeq`: the number of the
   * task that the row belongs to, null if it belongs to none. A body that cannot tell tries the tasks of the batch one at a time.
   */
  readonly defect: (error: Error, taskSeq: number | null) => void
  /**
   * The connection broke before the answer came. The body finds out and calls the function that this returns: with true for a batch that is
   * durable; with false for one of which nothing was written, which is then committed again.
   */
  readonly unknown: () => (isWritten: boolean) => void
  /** Nothing of the batch was written, because another process writes in place of this one: nothing in memory counts any more. */
  readonly fenced: () => void
}

/** `suspended`: writes wait for the database. `standby`: another process writes. */
export type Readiness = 'ready' | 'suspended' | 'standby'

export type Journal = {
  /**
   * Writes all of a batch or nothing. The caller waits for `written`, `failed` or `defect` before it commits the next one, and does not change a batch
   * that it has committed. When a sync fails, the error is thrown outside of any call: memory and disk may disagree then, and only a restart can tell
   * which is right.
   */
  readonly commit: (writes: Writes, outcome: CommitOutcome) => void
  /**
   * True if the first offer of a task may leave before its batch is durable (docs/adr/0006). False for a body that can be fenced: a batch that is
   * refused then was made by a process that must not reach a machine any more.
   */
  readonly allowsEarlyOffers: boolean
  readonly readiness: () => Readiness
  readonly find: (id: string) => Promise<TaskRow | null>
  readonly byKey: (idempotencyKey: string) => Promise<TaskRow | null>
  /** Newest first, `limit` at most, of all tasks or of one group, older than `before`. Null when `before` names no task. */
  readonly page: (limit: number, group: TaskGroup | null, before: string | null) => Promise<readonly TaskRow[] | null>
  /** By epoch, ascending. */
  readonly attemptsOf: (taskSeq: number) => Promise<readonly AttemptRow[]>
  /** Returns those of `digests` that are the result file of a task which finished at `since` or later and is not ephemeral. */
  readonly resultFilesAmong: (digests: readonly string[], since: number) => Promise<ReadonlySet<string>>
  /** Entries of the audit log with a number above `seq`, ascending, `limit` at most. */
  readonly auditAfter: (seq: number, limit: number) => Promise<readonly AuditRow[]>
  /**
   * Removes events older than `before` and tasks that finished before it. Tasks with an idempotency key stay, except for those whose key begins
   * with `also.keys`: of them those that finished before `also.before` are removed. Rejects with STORAGE_FULL.
   */
  readonly purge: (before: number, also?: { readonly keys: string; readonly before: number }) => Promise<void>
  readonly jobs: JobReads
  /** Ends what the body itself has opened; idempotent. A batch that has no answer yet gets none. */
  readonly close: () => Promise<void>
}

export type OpenedJournal = { readonly journal: Journal; readonly state: JournalState }
