// How long each task may still take, on the monotonic clock: the deadline is recorded as a moment of the wall clock, and a jump of that clock
// must neither end the tasks that run nor let them run for ever.
import type { Clock } from '#shared/runtime/clock.ts'
import type { TaskRecord, TaskSpec } from './record.ts'

export function createDeadlines(clock: Pick<Clock, 'now' | 'mono'>) {
  // Every state of a task has the same request.
  const untils = new WeakMap<TaskSpec, number>()

  /** Milliseconds until the deadline of a task; 0 or less when it has passed. A task is counted from its first call. */
  return function msLeft({ spec, createdAt }: Pick<TaskRecord, 'spec' | 'createdAt'>): number {
    const now = clock.mono()
    let until = untils.get(spec)
    if (until === undefined) {
      // After a restart with an earlier clock, a task has at most the whole of its time.
      until = now + Math.min(spec.deadlineAt - clock.now(), spec.deadlineAt - createdAt)
      untils.set(spec, until)
    }
    return until - now
  }
}
