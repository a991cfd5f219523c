// The attempts of a task, for people: derived from the same changes in the same transaction, never decided upon.
import { FAILURES } from '#shared/protocol/failure.ts'
import type { Task, TaskEvent } from '#shared/protocol/task.ts'
import type { Database } from '../store/database.ts'
import type { Change } from './record.ts'

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
export type AttemptRow = {
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
}
/** Progress of attempts under way; lives in memory and is written when the attempt ends. */
export type AttemptMarks = Map<string, { progress: number; stage: string }>

const ONGOING: Partial<Record<Task['phase'], AttemptState>> = {
  offered: 'assigned',
  loading: 'accepted',
  running: 'running',
  delivering: 'uploading',
}

/** What became of the attempt that `before` held, or null while it goes on unchanged. */
function stateAfter(before: Task, after: Task, event: TaskEvent): AttemptState | null {
  if (after.attemptId === before.attemptId) return after.phase === before.phase ? null : (ONGOING[after.phase] ?? null)
  if (event.kind === 'complete' && after.phase === 'succeeded') return 'committed'
  if (event.kind === 'decline') return 'rejected'
  if (event.kind === 'lost' || event.kind === 'release') return 'lost'
  if (before.phase === 'cancelling') return before.stopping === 'deadline' ? 'timed_out' : 'cancelled'
  return 'code' in event && FAILURES[event.code].class === 'timeout' ? 'timed_out' : 'failed'
}

export function attemptRows(db: Database) {
  const insert = db.prepare(
    `insert into attempt (task_seq, task_id, epoch, attempt_id, worker_id, number, state, created_at) values (?, ?, ?, ?, ?, ?, 'assigned', ?)`,
  )
  const move = db.prepare('update attempt set state = ? where task_seq = ? and epoch = ?')
  const close = db.prepare(
    'update attempt set state = ?, progress = ?, stage = ?, failure_code = ?, failure_message = ?, finished_at = ? where task_seq = ? and epoch = ?',
  )
  const select = db.prepare<[number], AttemptRow>('select * from attempt where task_seq = ? order by epoch')

  return {
    /** Inside the ledger's transaction. Only the last state that a turn left an attempt in is written. */
    write(turn: readonly Change[], at: number, marks: AttemptMarks): void {
      const moved = new Map<string, () => void>()
      for (const { record, before, event } of turn) {
        const { task } = record
        if (event?.kind === 'offer') insert.run(record.seq, task.id, task.epoch, task.attemptId, task.workerId, task.attempt, at)
        if (!before?.attemptId || !event) continue
        const state = stateAfter(before, task, event)
        if (!state) continue
        const { attemptId, epoch } = before
        const { seq } = record
        if (task.attemptId === attemptId) {
          moved.set(attemptId, () => move.run(state, seq, epoch))
          continue
        }
        const mark = marks.get(attemptId)
        const fault = state !== 'committed' && 'code' in event ? event : null
        const progress = state === 'committed' ? 1 : (mark?.progress ?? 0)
        moved.set(attemptId, () =>
          close.run(state, progress, mark?.stage ?? '', fault?.code ?? null, fault?.message ?? null, at, seq, epoch),
        )
      }
      for (const run of moved.values()) run()
    },
    of: (taskSeq: number): AttemptRow[] => select.all(taskSeq),
  }
}
