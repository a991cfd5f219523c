// A task record without a ledger.

import type { TaskRecord, TaskSpec } from '#control-plane/tasks/record.ts'
import type { Task } from '#shared/protocol/task.ts'
import { task } from '#test/support/builders/task.ts'
import { specOf } from './ledger.ts'

/** `seq` is the number in the id, so that t2 is younger than t1. */
export function recordOf(id: string, fields: Partial<TaskSpec> = {}, moved: Partial<Task> = {}): TaskRecord {
  const spec = specOf(fields)
  return {
    spec,
    seq: Number(/\d+/.exec(id)?.[0] ?? nextSeq++),
    digest: '',
    task: task({ id, target: spec.target, ...moved }),
    result: null,
    createdAt: 0,
    finishedAt: null,
  }
}
let nextSeq = 1_000_000
