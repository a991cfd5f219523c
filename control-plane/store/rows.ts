// The rows of the tables that decisions are made on, as every journal stores them. Times are epoch milliseconds.
import { z } from 'zod'
import type { PersonKind, PersonLimits, PersonRole } from '#shared/protocol/access/person.ts'
import { Failure, type FailureCode } from '#shared/protocol/failure.ts'
import type { Interrupted, Phase, TaskEvent } from '#shared/protocol/task.ts'

export type TaskRow = {
  id: string
  /** Ascending in the order of admission. */
  seq: number
  idempotency_key: string | null
  body_digest: string
  operation: string
  engine: string
  model: string
  /** '' for any. */
  model_digest: string
  /** JSON of voices and language; '' for any. */
  speaks: string
  /** Id of the person for whom it is done; '' for every other client. */
  maker: string
  /** JSON list of the ids of the machines that may run it; '' for all. */
  machines: string
  params: string
  priority: 0 | 1
  size: number
  ephemeral: 0 | 1
  phase: Phase
  epoch: number
  attempt: number
  max_attempts: number
  worker_id: string | null
  attempt_id: string | null
  target: string
  excluded: string
  avoided: string
  interrupted: Interrupted | null
  stopping: 'cancel' | 'deadline' | null
  failure_code: FailureCode | null
  failure_message: string | null
  deadline_at: number
  created_at: number
  updated_at: number
  finished_at: number | null
  result: string | null
  result_bytes: Buffer | null
  result_digest: string | null
  result_size: number | null
  /** JSON list of name, size and sha256. */
  inputs: string
}

/** An addition to the use of one person on one day with one engine. */
export type UsageDelta = {
  person_id: string
  /** YYYY-MM-DD, in the time zone of the studio. */
  day: string
  engine: string
  tasks: number
  failed: number
  sound_ms: number
  gpu_ms: number
}

export type AttemptState =
  | 'assigned'
  | 'accepted'
  | 'running'
  | 'uploading'
  | 'committed'
  | 'rejected'
  | 'failed'
  | 'timed_out'
  | 'cancelled'
  | 'lost'

/** One offer of a task; `(task_seq, epoch)` is its key. */
export type AttemptRow = {
  task_seq: number
  task_id: string
  epoch: number
  attempt_id: string
  worker_id: string
  number: number
  state: AttemptState
  progress: number
  stage: string
  failure_code: string | null
  failure_message: string | null
  created_at: number
  finished_at: number | null
  /** Name of the machine of a pool that runs it; '' before one does, and for a single machine. */
  machine: string
}
/** The columns of an attempt that change after the offer. A `machine` of '' leaves the stored one. */
export type AttemptUpdate = Pick<
  AttemptRow,
  'task_seq' | 'epoch' | 'state' | 'progress' | 'stage' | 'failure_code' | 'failure_message' | 'finished_at' | 'machine'
>

export type EventRow = {
  readonly task_id: string
  readonly epoch: number
  readonly at: number
  readonly kind: TaskEvent['kind'] | 'submit'
  readonly phase: Phase
  readonly worker_id: string | null
  readonly code: string | null
}

export type StoredWorker = {
  id: string
  name: string
  pin: string
  enabled: 0 | 1
  revoked_at: number | null
  priority: number
  endpoint: string
  host: string
  generation: number
  renewal_nonce: string
  quarantine: string | null
  quarantined_at: number | null
  resync: 0 | 1
  issuer: string
  trusts: string
  followed: 0 | 1
  created_at: number
  last_seen_at: number | null
  /** JSON of the pool that it declared itself to be; '' for a single machine. */
  pool: string
  /** JSON of the terms of a consent that a later declaration ended; '' for none. */
  lapsed: string
}

export type ConsentRow = {
  readonly id: string
  readonly worker_id: string
  readonly granted_at: number
  readonly withdrawn_at: number | null
  /** JSON of the terms of a pool that it was given for; '' for a single machine. */
  readonly terms: string
}

export type JoinTokenRow = {
  readonly id: string
  /** SHA-256 of the secret, hex. */
  readonly secret_digest: string
  readonly label: string
  readonly endpoint: string
  readonly worker_id: string | null
  readonly created_at: number
  readonly expires_at: number
  readonly used_at: number | null
  readonly used_by: string | null
}

export type PersonRow = {
  readonly id: string
  readonly name: string
  /** The form of the name for comparisons. */
  readonly folded: string
  readonly kind: PersonKind
  readonly role: PersonRole
  readonly sound_minutes_a_day: number | null
  readonly gpu_minutes_a_month: number | null
  readonly tasks_at_once: number | null
  readonly disk_bytes: number | null
  /** JSON list of ids. */
  readonly machines: string | null
  /** With lower-case ASCII letters. */
  readonly sign_in_email: string | null
  /** The account that signs in; null before the first sign-in with the address. */
  readonly sign_in_issuer: string | null
  readonly sign_in_subject: string | null
  readonly created_at: number
  readonly ended_at: number | null
}

export type PersonKeyRow = {
  readonly id: string
  readonly person_id: string
  readonly label: string
  /** SHA-256 of the key, hex. */
  readonly digest: string
  readonly begins: string
  readonly created_at: number
  readonly expires_at: number | null
  readonly used_at: number | null
  readonly ended_at: number | null
}

export type BreakerRow = {
  readonly workerId: string
  readonly modelKey: string
  readonly state: 'closed' | 'open' | 'half_open'
  readonly trips: number
  /** Null unless open. */
  readonly retryAt: number | null
  readonly reason: string
}

export type AuditRow = {
  readonly seq: number
  readonly at: number
  readonly kind: string
  /** A worker id, or `studio`. */
  readonly subject: string
  /** JSON, as it was written. */
  readonly detail: string
  /** SHA-256 of the entry before it and of this one, hex. */
  readonly previous: string
  readonly digest: string
}

const Machines = z.array(z.string())
export const limitsIn = ({ sound_minutes_a_day, gpu_minutes_a_month, tasks_at_once, disk_bytes, machines }: PersonRow): PersonLimits => ({
  ...{ sound_minutes_a_day, gpu_minutes_a_month, tasks_at_once, disk_bytes },
  machines: machines === null ? null : Machines.parse(JSON.parse(machines)),
})

/** The table and the column of a refusal, as far as SQLite reports them. */
type Place = { readonly table: string; readonly column: string | null }
/** A refused write as a failure. Its message names the place and the reason. */
export const refused = ({ table, column }: Place, reason: string, cause?: unknown): Failure =>
  new Failure('INTERNAL', `The studio could not store a row: ${column === null ? table : `${table}.${column}`}: ${reason}.`, { cause })

/**
 * Throws INTERNAL for a value that is neither a whole number nor null. Keys are columns of `table`. A number that is computed (from a length, a
 * rate, a clock) may have a fraction, which the database would refuse when the batch is written, together with the changes of others.
 */
export function requireIntegers(table: string, columns: Readonly<Record<string, number | null>>): void {
  for (const [column, value] of Object.entries(columns))
    if (value !== null && !Number.isSafeInteger(value)) throw refused({ table, column }, `${value} is not a whole number`)
}
