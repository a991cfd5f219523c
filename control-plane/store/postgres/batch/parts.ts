// The parts of a statement that writes a batch: common table expressions for each table, with the values that they take. All select from
// `c`, which is empty when another writer holds the term, so that nothing is written then.
import type { Writes } from '#control-plane/store/journal.ts'
import type { AttemptRow, EventRow, TaskRow } from '#control-plane/store/rows.ts'
import { jobPart } from './job-part.ts'
import { jsonOf } from './json.ts'
import { type ColumnTypes, columnList, recordset, rowsAmong, type StatementPart, type Upsert, upsert } from './shape.ts'

const text = 'text'
const int = 'bigint'
const flag = 'smallint'
const small = 'integer'
const number = 'double precision'

const rowsPart = (form: Upsert, rows: (writes: Writes) => readonly unknown[]): StatementPart => ({
  sql: (p) => upsert(`put_${form.table}`, p(0), form),
  values(writes) {
    const values = rows(writes)
    return values.length === 0 ? null : [jsonOf(values)]
  },
})

const settings = rowsPart({ table: 'setting', key: ['key'], columns: { key: text, value: text } }, ({ settings }) =>
  [...settings].map(([key, value]) => ({ key, value })),
)
const WORKER: ColumnTypes = {
  ...{ id: text, name: text, pin: text, enabled: flag, revoked_at: int, priority: small, endpoint: text, host: text, generation: int },
  ...{ renewal_nonce: text, quarantine: text, quarantined_at: int, resync: flag, issuer: text, trusts: text, followed: flag },
  ...{ created_at: int, last_seen_at: int, pool: text, lapsed: text },
}
const workers = rowsPart({ table: 'worker', key: ['id'], columns: WORKER }, ({ workers }) => [...workers.values()])
const CONSENT: ColumnTypes = { id: text, worker_id: text, granted_at: int, withdrawn_at: int, terms: text }
const consents = rowsPart({ table: 'consent', key: ['id'], columns: CONSENT, changes: ['withdrawn_at'] }, ({ consents }) => [
  ...consents.values(),
])
const TOKEN: ColumnTypes = {
  ...{ id: text, secret_digest: text, label: text, endpoint: text, worker_id: text, created_at: int, expires_at: int, used_at: int },
  used_by: text,
}
const tokens = rowsPart({ table: 'join_token', key: ['id'], columns: TOKEN, changes: ['used_at', 'used_by'] }, ({ joinTokens }) =>
  [...joinTokens.values()].filter((row) => row !== null),
)
const goneTokens: StatementPart = {
  sql: (p) => `drop_token as (delete from join_token where ${rowsAmong('join_token', 'id', `${p(0)}::text[]`)} and exists (select from c))`,
  values({ joinTokens }) {
    const ids = [...joinTokens].filter(([, row]) => row === null).map(([id]) => id)
    return ids.length === 0 ? null : [ids]
  },
}
const PERSON: ColumnTypes = {
  ...{ id: text, name: text, folded: text, kind: text, role: text, sound_minutes_a_day: number, gpu_minutes_a_month: number },
  ...{ tasks_at_once: int, disk_bytes: int, machines: text, sign_in_email: text, sign_in_issuer: text, sign_in_subject: text },
  ...{ created_at: int, ended_at: int },
}
const people = rowsPart(
  { table: 'person', key: ['id'], columns: PERSON, changes: Object.keys(PERSON).filter((name) => name !== 'id' && name !== 'created_at') },
  ({ people }) => [...people.values()],
)
const KEY: ColumnTypes = {
  ...{ id: text, person_id: text, label: text, digest: text, begins: text, created_at: int, expires_at: int, used_at: int, ended_at: int },
}
const personKeys = rowsPart(
  { table: 'person_key', key: ['id'], columns: KEY, changes: ['label', 'expires_at', 'used_at', 'ended_at'] },
  ({ personKeys }) => [...personKeys.values()],
)
const BREAKER: ColumnTypes = { worker_id: text, model_key: text, state: text, trips: small, retry_at: int, reason: text }
const breakers: StatementPart = {
  // A breaker that is cleared and written again is only replaced: the expressions of one statement do not see each other.
  sql: (p) => `drop_breaker as (delete from breaker where ${rowsAmong('breaker', 'worker_id', `${p(1)}::text[]`)}
    and worker_id || ' ' || model_key <> all(${p(2)}::text[]) and exists (select from c)),
  ${upsert('put_breaker', p(0), { table: 'breaker', key: ['worker_id', 'model_key'], columns: BREAKER })}`,
  values({ breakers, clearedBreakers }) {
    if (breakers.size + clearedBreakers.size === 0) return null
    const rows = [...breakers.values()].map(({ workerId, modelKey, state, trips, retryAt, reason }) => ({
      ...{ worker_id: workerId, model_key: modelKey, state, trips, retry_at: retryAt, reason },
    }))
    return [jsonOf(rows), [...clearedBreakers], [...breakers.keys()]]
  },
}
const AUDIT: ColumnTypes = { seq: int, at: int, kind: text, subject: text, detail: text, previous: text, digest: text }
const audit = rowsPart({ table: 'audit', key: ['seq'], columns: AUDIT, changes: [] }, ({ audit }) => audit)

const TASK: ColumnTypes = {
  ...{ seq: int, id: text, idempotency_key: text, body_digest: text, operation: text, engine: text, model: text, model_digest: text },
  ...{ speaks: text, maker: text, machines: text, params: text, priority: flag, size: int, ephemeral: flag, max_attempts: small },
  ...{ deadline_at: int, created_at: int, inputs: text },
}
const task = (row: TaskRow) => ({
  ...{ seq: row.seq, id: row.id, idempotency_key: row.idempotency_key, body_digest: row.body_digest, operation: row.operation },
  ...{ engine: row.engine, model: row.model, model_digest: row.model_digest, speaks: row.speaks, maker: row.maker },
  ...{ machines: row.machines, params: row.params, priority: row.priority, size: row.size, ephemeral: row.ephemeral },
  ...{ max_attempts: row.max_attempts, deadline_at: row.deadline_at, created_at: row.created_at, inputs: row.inputs },
})
const newTasks = rowsPart({ table: 'task', key: ['seq'], columns: TASK, changes: [] }, ({ newTasks }) => [...newTasks.values()].map(task))

/** The tasks of a batch whose last state is live, or that have ended. A task is either new or changed. */
function tasksOf({ newTasks, changedTasks }: Writes, isEnded: boolean): TaskRow[] {
  const rows: TaskRow[] = []
  for (const row of newTasks.values()) if ((row.finished_at !== null) === isEnded) rows.push(row)
  for (const row of changedTasks.values()) if ((row.finished_at !== null) === isEnded) rows.push(row)
  return rows
}
const STATE: ColumnTypes = {
  ...{ seq: int, phase: text, epoch: int, attempt: small, worker_id: text, attempt_id: text, target: text, excluded: text, avoided: text },
  ...{ interrupted: text, stopping: text, failure_code: text, failure_message: text, updated_at: int },
}
const state = (row: TaskRow) => ({
  ...{ seq: row.seq, phase: row.phase, epoch: row.epoch, attempt: row.attempt, worker_id: row.worker_id, attempt_id: row.attempt_id },
  ...{ target: row.target, excluded: row.excluded, avoided: row.avoided, interrupted: row.interrupted, stopping: row.stopping },
  ...{ failure_code: row.failure_code, failure_message: row.failure_message, updated_at: row.updated_at },
})
const states = rowsPart({ table: 'task_state', key: ['seq'], columns: STATE }, (writes) => tasksOf(writes, false).map(state))

const END: ColumnTypes = {
  ...{ seq: int, keyed: flag, ephemeral: flag, phase: text, epoch: int, attempt: small, target: text, excluded: text, avoided: text },
  ...{ stopping: text, failure_code: text, failure_message: text, updated_at: int, finished_at: int, result: text, result_bytes: 'bytea' },
  ...{ result_digest: text, result_size: int },
}
const end = (row: TaskRow) => ({
  ...{ seq: row.seq, keyed: row.idempotency_key === null ? 0 : 1, ephemeral: row.ephemeral, phase: row.phase, epoch: row.epoch },
  ...{ attempt: row.attempt, target: row.target, excluded: row.excluded, avoided: row.avoided, stopping: row.stopping },
  ...{ failure_code: row.failure_code, failure_message: row.failure_message, updated_at: row.updated_at, finished_at: row.finished_at },
  ...{ result: row.result, result_digest: row.result_digest, result_size: row.result_size },
  result_bytes: row.result_bytes === null ? null : `\\x${row.result_bytes.toString('hex')}`,
})
const ends: StatementPart = {
  sql: (
    p,
  ) => `drop_task_state as (delete from task_state where ${rowsAmong('task_state', 'seq', `${p(1)}::bigint[]`)} and exists (select from c)),
  ${upsert('put_task_end', p(0), { table: 'task_end', key: ['seq'], columns: END })}`,
  values(writes) {
    const rows = tasksOf(writes, true)
    return rows.length === 0 ? null : [jsonOf(rows.map(end)), rows.map(({ seq }) => seq)]
  },
}

const ATTEMPT: ColumnTypes = {
  ...{ task_seq: int, epoch: int, task_id: text, attempt_id: text, worker_id: text, number: small, state: text, progress: number },
  ...{ stage: text, failure_code: text, failure_message: text, created_at: int, finished_at: int, machine: text },
}
const CHANGING = ['state', 'progress', 'stage', 'failure_code', 'failure_message', 'finished_at']
/**
 * One row for each attempt: new ones with what changed in the same batch. A changed one has no task id, worker or number: it is there, or
 * the trigger refuses its insertion for lack of a consent. A new one that is there is refused for its task id.
 */
function attemptsOf({ newAttempts, changedAttempts }: Writes): AttemptRow[] {
  const rows = new Map<string, AttemptRow>()
  for (const row of newAttempts) rows.set(`${row.task_seq} ${row.epoch}`, row)
  for (const row of changedAttempts) {
    const key = `${row.task_seq} ${row.epoch}`
    const known = rows.get(key) ?? { task_id: '', attempt_id: '', worker_id: '', number: 0, created_at: 0 }
    rows.set(key, { ...known, ...row, machine: row.machine || (rows.get(key)?.machine ?? '') })
  }
  return [...rows.values()]
}
const attempts: StatementPart = {
  sql: (p) => `put_attempt as (insert into attempt (cell, ${columnList(Object.keys(ATTEMPT))})
    select $1::text, ${columnList(Object.keys(ATTEMPT), 'r.')} from c, ${recordset(p(0), ATTEMPT)}
    on conflict (cell, task_seq, epoch) do update set task_id = case when excluded.task_id = '' then attempt.task_id end,
      ${CHANGING.map((name) => `${name} = excluded.${name}`).join(', ')}, machine = coalesce(nullif(excluded.machine, ''), attempt.machine))`,
  values(writes) {
    const rows = attemptsOf(writes)
    return rows.length === 0 ? null : [jsonOf(rows)]
  },
}

/** ColumnTypes of an event, in the order in which both bodies store them. */
const eventOf = ({ task_id, epoch, kind, phase, worker_id, code }: EventRow) => [task_id, epoch, kind, phase, worker_id, code]
const events: StatementPart = {
  sql: (p) => `put_event as (insert into task_event_batch (cell, batch, place, term, at, events)
    select $1::text, $4::bigint, r.place, c.term, r.at, r.events
    from c, ${recordset(p(0), { place: small, at: int, events: text })})`,
  values({ events }) {
    if (events.length === 0) return null
    const groups = [...Map.groupBy(events, (row) => row.at)]
    return [jsonOf(groups.map(([at, rows], place) => ({ place, at, events: JSON.stringify(rows.map(eventOf)) })))]
  },
}
const USAGE: ColumnTypes = { person_id: text, day: text, engine: text, tasks: int, failed: int, sound_ms: int, gpu_ms: int }
const SUMS = ['tasks', 'failed', 'sound_ms', 'gpu_ms']
const usage: StatementPart = {
  sql: (p) => `put_usage as (insert into person_usage (cell, ${columnList(Object.keys(USAGE))})
    select $1::text, ${columnList(Object.keys(USAGE), 'r.')} from c, ${recordset(p(0), USAGE)}
    on conflict (cell, person_id, day, engine) do update set
      ${SUMS.map((name) => `${name} = person_usage.${name} + excluded.${name}`).join(', ')})`,
  values: ({ usage }) => (usage.size === 0 ? null : [jsonOf([...usage.values()])]),
}

/** In the order of `Writes`. The position of a part is its bit in the name of a statement. */
export const PARTS: readonly StatementPart[] = [
  ...[
    settings,
    workers,
    consents,
    tokens,
    goneTokens,
    people,
    personKeys,
    breakers,
    audit,
    newTasks,
    states,
    ends,
    attempts,
    events,
    usage,
  ],
  jobPart,
]
