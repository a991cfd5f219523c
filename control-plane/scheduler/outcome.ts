// What each committed change says of the worker it happened on, told to the breakers.
import type { Change, TaskRecord } from '../tasks/record.ts'
import type { Breakers, Fault, Tried } from '../workers/breaker.ts'
import { modelKey } from './place.ts'

type Told = Pick<Breakers, 'began' | 'ended'>
const tried = ({ spec }: TaskRecord, { workerId, attemptId }: { workerId: string | null; attemptId: string | null }): Tried | null =>
  workerId && attemptId ? { workerId, attemptId, modelKey: modelKey(spec) } : null

/** Also for the tasks that a restart finds held: one of them may be a probe. */
export function tellBegun(breakers: Told, record: TaskRecord): void {
  const attempt = tried(record, record.task)
  if (attempt) breakers.began(attempt)
}

export function tellOutcomes(breakers: Told, changes: readonly Change[]): void {
  for (const { record, before, event } of changes) {
    const { task } = record
    if (event?.kind === 'offer') tellBegun(breakers, record)
    if (!before || before.attemptId === task.attemptId) continue
    const attempt = tried(record, before)
    if (attempt) breakers.ended(attempt, task.phase === 'succeeded', faultOf(before.phase, event))
  }
}

/** How it ended after it was asked to stop says nothing. */
const faultOf = (phase: string, event: Change['event']): Fault | null =>
  phase !== 'cancelling' && event && 'code' in event ? { code: event.code, message: event.message } : null
