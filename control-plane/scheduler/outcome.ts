// Reports the outcome of attempts to the breakers.

import type { Change, TaskRecord } from '#control-plane/tasks/record.ts'
import type { AttemptFault, Breakers, TriedAttempt } from '#control-plane/workers/breaker.ts'
import type { Rejections } from '#control-plane/workers/rejections.ts'
import { TERMINAL } from '#shared/protocol/task.ts'
import { modelKey } from './worker-view.ts'

type BreakerEvents = Pick<Breakers, 'began' | 'ended'>
const attemptOf = (
  { spec }: TaskRecord,
  { workerId, attemptId }: { workerId: string | null; attemptId: string | null },
): TriedAttempt | null => (workerId && attemptId ? { workerId, attemptId, modelKey: modelKey(spec) } : null)

/** Reports the start of an attempt, also of a task that is held at a restart: it may be a probe. */
export function reportBegun(breakers: BreakerEvents, record: TaskRecord): void {
  const attempt = attemptOf(record, record.task)
  if (attempt) breakers.began(attempt)
}

export function reportOutcomes(breakers: BreakerEvents, rejections: Rejections, changes: readonly Change[]): void {
  for (const { record, before, event } of changes) {
    const { task } = record
    if (event?.kind === 'offer') reportBegun(breakers, record)
    if (TERMINAL.has(task.phase)) settleRejections(breakers, rejections, record)
    if (!before || before.attemptId === task.attemptId) continue
    const attempt = attemptOf(record, before)
    if (attempt) breakers.ended(attempt, task.phase === 'succeeded', faultOf(before.phase, event))
  }
}

/** A machine that rejected a request which another one then fulfilled has failed it. */
function settleRejections(breakers: BreakerEvents, rejections: Rejections, { spec, task }: TaskRecord): void {
  if (task.phase === 'succeeded')
    for (const { workerId, attemptId, message } of rejections.of(task.id))
      breakers.ended({ workerId, attemptId, modelKey: modelKey(spec) }, false, { code: 'WORKER_FAILED', message })
  rejections.forget(task.id)
}

/** The offers among `undone` never were: no evidence about their workers. */
export function withdrawOffers(breakers: BreakerEvents, undone: readonly Change[]): void {
  for (const { record, event } of undone) {
    const attempt = event?.kind === 'offer' && attemptOf(record, record.task)
    if (attempt) breakers.ended(attempt, false, null)
  }
}

/** The end of an attempt that was asked to stop is no evidence. */
const faultOf = (phase: string, event: Change['event']): AttemptFault | null =>
  phase !== 'cancelling' && event && 'code' in event ? { code: event.code, message: event.message } : null
