// The attempts of a task, for people: derived from the changes of a batch and written with them. No decision reads them.

import type { Writes } from '#control-plane/store/journal.ts'
import type { AttemptState, AttemptUpdate } from '#control-plane/store/rows.ts'
import { FAILURES } from '#shared/protocol/failure.ts'
import type { Task, TaskEvent } from '#shared/protocol/task.ts'
import type { Change } from './record.ts'

/**
 * Progress (0 to 1) of the attempts under way, and the machine of a pool that runs each, by attempt id. Lives in memory; the
 * machine is written when the attempt starts, all of it when the attempt ends.
 */
export type AttemptMarks = Map<string, { progress: number; stage: string; machine?: string }>

const ONGOING: Partial<Record<Task['phase'], AttemptState>> = {
  offered: 'assigned',
  loading: 'accepted',
  running: 'running',
  delivering: 'uploading',
}

/** The new state of the attempt that `before` held, or null while it goes on unchanged. */
function stateAfter(before: Task, after: Task, event: TaskEvent): AttemptState | null {
  if (after.attemptId === before.attemptId) return after.phase === before.phase ? null : (ONGOING[after.phase] ?? null)
  if (event.kind === 'complete' && after.phase === 'succeeded') return 'committed'
  if (event.kind === 'decline') return 'rejected'
  if (event.kind === 'lost' || event.kind === 'release') return 'lost'
  if (before.phase === 'cancelling') return before.stopping === 'deadline' ? 'timed_out' : 'cancelled'
  return 'code' in event && FAILURES[event.code].class === 'timeout' ? 'timed_out' : 'failed'
}

/** Adds the attempts that the changes of one batch began, moved or ended. Only the last state of each is written. `at`: epoch ms. */
export function writeAttempts(changes: readonly Change[], at: number, marks: AttemptMarks, writes: Writes): void {
  const updates = new Map<string, AttemptUpdate>()
  for (const { record, before, event } of changes) {
    const { task, seq } = record
    if (event?.kind === 'offer')
      writes.newAttempts.push({
        task_seq: seq,
        task_id: task.id,
        epoch: task.epoch,
        attempt_id: task.attemptId!,
        worker_id: task.workerId!,
        number: task.attempt,
        state: 'assigned',
        progress: 0,
        stage: '',
        failure_code: null,
        failure_message: null,
        created_at: at,
        finished_at: null,
        machine: '',
      })
    if (!before?.attemptId || !event) continue
    const state = stateAfter(before, task, event)
    if (!state) continue
    const mark = marks.get(before.attemptId)
    const key = { task_seq: seq, epoch: before.epoch, state, machine: mark?.machine ?? '' }
    if (task.attemptId === before.attemptId) {
      const ongoing = { progress: 0, stage: '', failure_code: null, failure_message: null, finished_at: null }
      updates.set(before.attemptId, { ...key, ...ongoing })
      continue
    }
    const fault = state !== 'committed' && 'code' in event ? event : null
    updates.set(before.attemptId, {
      ...key,
      progress: state === 'committed' ? 1 : (mark?.progress ?? 0),
      stage: mark?.stage ?? '',
      failure_code: fault?.code ?? null,
      failure_message: fault?.message ?? null,
      finished_at: at,
    })
  }
  writes.changedAttempts.push(...updates.values())
}
