import type { Task } from '#shared/protocol/task.ts'

/** A task that waits for its first attempt. */
export const task = (fields: Partial<Task> = {}): Task => ({
  ...{ id: 't1', phase: 'queued', epoch: 0, attempt: 0, maxAttempts: 3, workerId: null, attemptId: null, target: 'auto' },
  ...{ excluded: [], avoided: [], interrupted: null, stopping: null, failure: null },
  ...fields,
})
