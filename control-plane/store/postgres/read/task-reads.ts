// Reads of tasks for people, and the removal of old ones.
import type { Journal, TaskGroup } from '#control-plane/store/journal.ts'
import type { AttemptRow, AuditRow, TaskRow } from '#control-plane/store/rows.ts'
import { rowsAmong } from '../batch/shape.ts'
import type { Query } from '../connection.ts'

/** Runs a read on a connection that is free. */
export type Ask = <Row>(query: Query) => Promise<Row[]>

const NEWEST = Number.MAX_SAFE_INTEGER
const TASK = `seq, id, idempotency_key, body_digest, operation, engine, model, model_digest, speaks, maker, machines, params, priority, size,
  ephemeral, phase, epoch, attempt, max_attempts, worker_id, attempt_id, target, excluded, avoided, interrupted, stopping, failure_code,
  failure_message, deadline_at, created_at, updated_at, finished_at, result, result_bytes, result_digest, result_size, inputs`
const ATTEMPT = `task_seq, task_id, epoch, attempt_id, worker_id, number, state, progress, stage, failure_code, failure_message, created_at,
  finished_at, machine`
const AUDIT = 'seq, at, kind, subject, detail, previous, digest'
const RUNNING = `('offered','loading','running','delivering','unknown','cancelling')`
/** The numbers of a page of each group, each through an index of its own. */
const PAGES: Readonly<Record<TaskGroup | 'all', string>> = {
  all: 'select seq from task where cell = $1 and seq < $2',
  waiting: `select seq from task_state where cell = $1 and phase = 'queued' and seq < $2`,
  running: `select seq from task_state where cell = $1 and phase in ${RUNNING} and seq < $2`,
  done: `select seq from task_end where cell = $1 and phase = 'succeeded' and seq < $2`,
  failed: `select seq from task_end where cell = $1 and phase <> 'succeeded' and seq < $2`,
}

export const LIVE_TASKS = `select ${TASK} from task_row r where cell = $1
  and seq = any(array(select seq from task_state where cell = $1)) order by seq`

type TaskReads = Pick<Journal, 'find' | 'byKey' | 'page' | 'attemptsOf' | 'resultFilesAmong'> & {
  readonly auditAfter: (seq: number, limit: number) => Promise<AuditRow[]>
}

export function createTaskReads(ask: Ask, cell: string): TaskReads {
  const one = async (name: string, where: string, value: string) =>
    (await ask<TaskRow>({ name, text: `select ${TASK} from task_row where cell = $1 and ${where}`, values: [cell, value] }))[0] ?? null
  return {
    find: (id) => one('task_by_id', 'id = $2', id),
    byKey: (key) => one('task_by_key', 'idempotency_key = $2', key),
    async page(limit, group, before) {
      const seq = before === null ? NEWEST : (await one('task_by_id', 'id = $2', before))?.seq
      if (seq === undefined) return null
      const name = group ?? 'all'
      return ask<TaskRow>({
        name: `task_page_${name}`,
        text: `select ${TASK} from task_row where cell = $1 and seq = any(array(${PAGES[name]} order by seq desc limit $3)) order by seq desc`,
        values: [cell, seq, limit],
      })
    },
    attemptsOf: (taskSeq) =>
      ask<AttemptRow>({
        name: 'attempts',
        text: `select ${ATTEMPT} from attempt where cell = $1 and task_seq = $2 order by epoch`,
        values: [cell, taskSeq],
      }),
    async resultFilesAmong(digests, since) {
      const rows = await ask<{ digest: string }>({
        name: 'result_files',
        text: `select digest from unnest($2::text[]) as digest where exists (
          select from task_end where cell = $1 and result_digest = digest and result_bytes is null and ephemeral = 0 and finished_at >= $3)`,
        values: [cell, digests, since],
      })
      return new Set(rows.map(({ digest }) => digest))
    },
    auditAfter: (seq, limit) =>
      ask<AuditRow>({
        name: 'audit_after',
        text: `select ${AUDIT} from audit where cell = $1 and seq > $2 order by seq limit $3`,
        values: [cell, seq, limit],
      }),
  }
}

/** Tasks that one statement of `purge` removes, so that none takes long. */
const CHUNK = 1_000
const HELD = 'c as materialized (select term from cell where id = $1 and term = $2 and writer = $3 for share)'
/** Each returns one row with `n`, the number of rows that it removed. $4: epoch ms. Repeat them until that is 0. */
export const PURGES: readonly string[] = [
  `with ${HELD}, old as materialized (
    select seq from task_end where cell = $1 and keyed = 0 and finished_at < $4 and exists (select from c) limit ${CHUNK}),
  drop_attempt as (delete from attempt where cell = $1 and task_seq = any(array(select seq from old))),
  drop_end as (delete from task_end where cell = $1 and seq = any(array(select seq from old))),
  drop_task as (delete from task where cell = $1 and seq = any(array(select seq from old)))
  select count(*) as n from old, c`,
  `with ${HELD}, old as materialized (
    select batch, place from task_event_batch where cell = $1 and at < $4 and exists (select from c) limit ${CHUNK}),
  gone as (delete from task_event_batch where cell = $1 and batch = any(array(select batch from old)) and at < $4)
  select count(*) as n from old, c`,
]
/**
 * Looks at the next tasks whose key is in the range from $5 to $6, and removes those of them that finished before $4 (epoch ms). It returns one
 * row with `last`, the key that it looked at last; null at the end of the range.
 */
export const PURGE_KEYS = `with ${HELD}, next as materialized (
    select seq, idempotency_key, ctid as place from task where cell = $1 and idempotency_key >= $5 and idempotency_key < $6 and exists (select from c)
    order by idempotency_key limit ${CHUNK}),
  old as materialized (
    select e.seq, n.place from next n cross join lateral (
      select seq from task_end where cell = $1 and seq = n.seq and finished_at < $4 offset 0) e),
  drop_attempt as (delete from attempt where ${rowsAmong('attempt', 'task_seq', 'array(select seq from old)')}),
  drop_end as (delete from task_end where ${rowsAmong('task_end', 'seq', 'array(select seq from old)')}),
  drop_task as (delete from task where ctid = any(array(select place from old)))
  select (select max(idempotency_key) from next) as last from c`
