// One batch as statements, table by table in the order of `Writes`.
import type { Database } from '../database.ts'
import type { Writes } from '../journal.ts'
import type { EventRow } from '../rows.ts'
import { createJobWriter } from './job-writer.ts'

const WORKER_COLUMNS = [
  'name',
  'pin',
  'enabled',
  'revoked_at',
  'priority',
  'endpoint',
  'host',
  'generation',
  'renewal_nonce',
  'quarantine',
  'quarantined_at',
  'resync',
  'issuer',
  'trusts',
  'followed',
  'created_at',
  'last_seen_at',
  'pool',
  'lapsed',
]

// Values are bound by position: binding the columns of a task by name takes as long as the statement.
const TASK_COLUMNS = [
  'id',
  'seq',
  'idempotency_key',
  'body_digest',
  'operation',
  'engine',
  'model',
  'model_digest',
  'speaks',
  'maker',
  'machines',
  'params',
  'priority',
  'size',
  'ephemeral',
  'phase',
  'epoch',
  'attempt',
  'max_attempts',
  'worker_id',
  'attempt_id',
  'target',
  'excluded',
  'avoided',
  'interrupted',
  'stopping',
  'failure_code',
  'failure_message',
  'deadline_at',
  'created_at',
  'updated_at',
  'finished_at',
  'result',
  'result_bytes',
  'result_digest',
  'result_size',
  'inputs',
] as const
const CHANGING_COLUMNS = [
  'phase',
  'epoch',
  'attempt',
  'worker_id',
  'attempt_id',
  'target',
  'excluded',
  'avoided',
  'interrupted',
  'stopping',
  'failure_code',
  'failure_message',
  'updated_at',
  'finished_at',
  'result',
  'result_bytes',
  'result_digest',
  'result_size',
] as const
const ATTEMPT_COLUMNS = ['task_seq', 'task_id', 'epoch', 'attempt_id', 'worker_id', 'number', 'state', 'created_at'] as const

const insertOf = (db: Database, table: string, columns: readonly string[]) =>
  db.prepare(`insert into ${table} (${columns.join(', ')}) values (${columns.map(() => '?').join(', ')})`)

/** Columns of the view task_event. */
const eventOf = ({ task_id, epoch, kind, phase, worker_id, code }: EventRow) => [task_id, epoch, kind, phase, worker_id, code]

export type Writer = {
  readonly write: (writes: Writes) => void
  /** The number of the task whose row was written last; null when it was a row of another table. */
  readonly taskSeq: () => number | null
}

export function createWriter(db: Database): Writer {
  const putSetting = db.prepare('insert into setting (key, value) values (?, ?) on conflict (key) do update set value = excluded.value')
  const putWorker = db.prepare(`insert into worker (id, ${WORKER_COLUMNS.join(', ')})
    values (@id, ${WORKER_COLUMNS.map((name) => `@${name}`).join(', ')})
    on conflict (id) do update set ${WORKER_COLUMNS.map((name) => `${name} = excluded.${name}`).join(', ')}`)
  const putConsent = db.prepare(`insert into consent (id, worker_id, granted_at, withdrawn_at, terms)
    values (@id, @worker_id, @granted_at, @withdrawn_at, @terms) on conflict (id) do update set withdrawn_at = excluded.withdrawn_at`)
  const putToken =
    db.prepare(`insert into join_token (id, secret_digest, label, endpoint, worker_id, created_at, expires_at, used_at, used_by)
    values (@id, @secret_digest, @label, @endpoint, @worker_id, @created_at, @expires_at, @used_at, @used_by)
    on conflict (id) do update set used_at = excluded.used_at, used_by = excluded.used_by`)
  const removeToken = db.prepare('delete from join_token where id = ?')
  const people = createPeopleWriter(db)
  const clearBreakers = db.prepare('delete from breaker where worker_id = ?')
  const putBreaker = db.prepare(`insert into breaker (worker_id, model_key, state, trips, retry_at, reason)
    values (@workerId, @modelKey, @state, @trips, @retryAt, @reason)
    on conflict (worker_id, model_key) do update
    set state = excluded.state, trips = excluded.trips, retry_at = excluded.retry_at, reason = excluded.reason`)
  const appendAudit = db.prepare(
    'insert into audit (seq, at, kind, subject, detail, previous, digest) values (@seq, @at, @kind, @subject, @detail, @previous, @digest)',
  )
  const insertTask = insertOf(db, 'task', TASK_COLUMNS)
  const updateTask = db.prepare(`update task set ${CHANGING_COLUMNS.map((name) => `${name} = ?`).join(', ')} where seq = ?`)
  // The triggers offer_needs_consent and offer_stays_here run before each insert, also before one that would become an update, so these two
  // stay apart.
  const insertAttempt = insertOf(db, 'attempt', ATTEMPT_COLUMNS)
  const updateAttempt = db.prepare(`update attempt set state = ?, progress = ?, stage = ?, failure_code = ?, failure_message = ?,
    finished_at = ?, machine = coalesce(nullif(?, ''), machine) where task_seq = ? and epoch = ?`)
  const addUsage = db.prepare(`insert into person_usage (person_id, day, engine, tasks, failed, sound_ms, gpu_ms)
    values (@person_id, @day, @engine, @tasks, @failed, @sound_ms, @gpu_ms)
    on conflict (person_id, day, engine) do update set tasks = tasks + excluded.tasks, failed = failed + excluded.failed,
    sound_ms = sound_ms + excluded.sound_ms, gpu_ms = gpu_ms + excluded.gpu_ms`)
  const appendEvents = insertOf(db, 'task_event_batch', ['at', 'events'])
  const writeJobs = createJobWriter(db)

  let taskSeq: number | null = null
  /** Notes the task of the next row. */
  const of = (seq: number) => {
    taskSeq = seq
  }

  function write(writes: Writes): void {
    taskSeq = null
    for (const [key, value] of writes.settings) putSetting.run(key, value)
    for (const row of writes.workers.values()) putWorker.run(row)
    for (const row of writes.consents.values()) putConsent.run(row)
    for (const [id, row] of writes.joinTokens) row ? putToken.run(row) : removeToken.run(id)
    people.write(writes)
    for (const workerId of writes.clearedBreakers) clearBreakers.run(workerId)
    for (const row of writes.breakers.values()) putBreaker.run(row)
    for (const row of writes.audit) appendAudit.run(row)
    for (const row of writes.newTasks.values()) {
      of(row.seq)
      insertTask.run(...TASK_COLUMNS.map((name) => row[name]))
    }
    for (const row of writes.changedTasks.values()) {
      of(row.seq)
      updateTask.run(...CHANGING_COLUMNS.map((name) => row[name]), row.seq)
    }
    for (const row of writes.newAttempts) {
      of(row.task_seq)
      insertAttempt.run(...ATTEMPT_COLUMNS.map((name) => row[name]))
    }
    for (const { state, progress, stage, failure_code, failure_message, finished_at, machine, task_seq, epoch } of writes.changedAttempts) {
      of(task_seq)
      updateAttempt.run(state, progress, stage, failure_code, failure_message, finished_at, machine, task_seq, epoch)
    }
    taskSeq = null
    for (const [at, rows] of Map.groupBy(writes.events, (row) => row.at)) appendEvents.run(at, JSON.stringify(rows.map(eventOf)))
    for (const row of writes.usage.values()) addUsage.run(row)
    writeJobs(writes)
  }

  return { write, taskSeq: () => taskSeq }
}

/** People and their keys. The statements are prepared with the first of them: most studios have none. */
function createPeopleWriter(db: Database): { readonly write: (writes: Pick<Writes, 'people' | 'personKeys'>) => void } {
  const prepare = () => ({
    person: db.prepare(`insert into person (id, name, folded, kind, role, sound_minutes_a_day, gpu_minutes_a_month, tasks_at_once,
        disk_bytes, machines, sign_in_email, sign_in_issuer, sign_in_subject, created_at, ended_at)
      values (@id, @name, @folded, @kind, @role, @sound_minutes_a_day, @gpu_minutes_a_month, @tasks_at_once,
        @disk_bytes, @machines, @sign_in_email, @sign_in_issuer, @sign_in_subject, @created_at, @ended_at)
      on conflict (id) do update set name = excluded.name, folded = excluded.folded, kind = excluded.kind, role = excluded.role,
        sound_minutes_a_day = excluded.sound_minutes_a_day, gpu_minutes_a_month = excluded.gpu_minutes_a_month,
        tasks_at_once = excluded.tasks_at_once, disk_bytes = excluded.disk_bytes, machines = excluded.machines,
        sign_in_email = excluded.sign_in_email, sign_in_issuer = excluded.sign_in_issuer, sign_in_subject = excluded.sign_in_subject,
        ended_at = excluded.ended_at`),
    // A name and an identity are of one living person only, after each statement. No folded name begins with a blank.
    free: db.prepare<[string]>(`update person set folded = ' ' || id, sign_in_email = null, sign_in_issuer = null, sign_in_subject = null
      where id = ?`),
    key: db.prepare(`insert into person_key (id, person_id, label, digest, begins, created_at, expires_at, used_at, ended_at)
      values (@id, @person_id, @label, @digest, @begins, @created_at, @expires_at, @used_at, @ended_at)
      on conflict (id) do update set label = excluded.label, expires_at = excluded.expires_at, used_at = excluded.used_at,
        ended_at = excluded.ended_at`),
  })
  let statements: ReturnType<typeof prepare> | null = null

  return {
    write({ people, personKeys }) {
      if (people.size === 0 && personKeys.size === 0) return
      statements ??= prepare()
      // One person may get what another one of the batch has given up, in any order of the two.
      if (people.size > 1) for (const id of people.keys()) statements.free.run(id)
      for (const row of people.values()) statements.person.run(row)
      for (const row of personKeys.values()) statements.key.run(row)
    },
  }
}
