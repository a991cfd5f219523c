// The spans of tasks and attempts, derived from the changes of the ledger: a task from its admission to its end under the request that
// submitted it, each attempt from its offer to its end under the task. They live in memory with the task: after a restart the rest of an
// older trace is lost.

import type { Change, TaskRecord } from '#control-plane/tasks/record.ts'
import { TERMINAL } from '#shared/protocol/task.ts'
import type { Span, Tracing } from '#shared/trace/tracing.ts'
import { endOf } from './ends.ts'

type Traced = { readonly task: Span; attempt: { readonly id: string; readonly span: Span } | null }
export type TaskSpans = ReturnType<typeof createTaskSpans>

export function createTaskSpans(tracing: Tracing) {
  const traced = new Map<string, Traced>()

  function admit({ spec, task, createdAt }: TaskRecord): Traced {
    const attributes = {
      'studio.task.id': task.id,
      'studio.operation': spec.operation,
      'studio.engine': spec.engine,
      'studio.model': spec.model,
      'studio.priority': spec.priority,
      'studio.size': spec.size,
    }
    const entry: Traced = { task: tracing.begin('task', spec.traceparent ?? '', { at: createdAt, attributes }), attempt: null }
    traced.set(task.id, entry)
    return entry
  }

  function follow({ record, before, event }: Change): void {
    const { task } = record
    const entry = before === null ? admit(record) : traced.get(task.id)
    if (!entry) return
    if (entry.attempt && task.attemptId !== entry.attempt.id) {
      const end = event && before ? endOf(before, task, event) : null
      entry.attempt.span.end(end === 'OK' ? null : end)
      entry.attempt = null
    }
    if (task.attemptId !== null && !entry.attempt) {
      const attributes = {
        'studio.task.id': task.id,
        'studio.attempt.id': task.attemptId,
        'studio.attempt.number': task.attempt,
        'studio.epoch': task.epoch,
        'studio.worker.id': task.workerId ?? '',
      }
      entry.attempt = { id: task.attemptId, span: tracing.begin('attempt', entry.task.traceparent, { kind: 'client', attributes }) }
    }
    if (!TERMINAL.has(task.phase)) return
    traced.delete(task.id)
    const failure = task.phase === 'succeeded' ? null : (task.failure?.code ?? (task.phase === 'cancelled' ? 'CANCELLED' : 'UNKNOWN'))
    entry.task.end(failure, { 'studio.phase': task.phase, 'studio.result.bytes': record.result?.size ?? 0 })
  }

  return {
    /** Follows the decided changes, before the other listeners: an offer carries the context of its attempt. */
    follow(changes: readonly Change[]): void {
      if (tracing.isOn) for (const change of changes) follow(change)
    },
    /** Ends the spans of tasks whose admission was decided and not written. */
    undone(changes: readonly Change[]): void {
      for (const { record, before } of changes) {
        const entry = before === null ? traced.get(record.task.id) : undefined
        if (!entry) continue
        traced.delete(record.task.id)
        entry.attempt?.span.end('STORAGE_FULL')
        entry.task.end('STORAGE_FULL')
      }
    },
    /** The trace context for the agent that holds the task. */
    traceparentOf: ({ spec, task }: Pick<TaskRecord, 'spec' | 'task'>): string =>
      tracing.isOn ? (traced.get(task.id)?.attempt?.span.traceparent ?? '') : (spec.traceparent ?? ''),
  }
}
