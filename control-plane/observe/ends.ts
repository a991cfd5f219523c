// The end of an attempt as one label of a closed set: the failure code, or OK.
import type { FailureCode } from '#shared/protocol/failure.ts'
import type { Task, TaskEvent } from '#shared/protocol/task.ts'

export function endOf(before: Task, after: Task, event: TaskEvent): FailureCode | 'OK' {
  if (event.kind === 'complete' && after.phase === 'succeeded') return 'OK'
  if (before.phase === 'cancelling') return before.stopping === 'deadline' ? 'TASK_DEADLINE_EXCEEDED' : 'CANCELLED'
  return 'code' in event ? event.code : 'UNKNOWN'
}
