// Limits the silence of each task's worker. Lives in memory and on the monotonic clock: a lease on disk would mean nothing after a restart
// or a jump of the wall clock, and no sign of life may cost a write. Which attempt counts is decided by the epoch, never here.

import type { FailureCode } from '#shared/protocol/failure.ts'
import { expiryCode, type LeaseTerms, leaseFor } from '#shared/protocol/lease.ts'
import { TERMINAL } from '#shared/protocol/task.ts'
import type { Clock } from '#shared/runtime/clock.ts'
import type { Change, TaskRecord, TaskSpec } from './record.ts'

type Held = { epoch: number; phase: string; since: number; leaseMs: number; until: number; budgetUntil: number }
export type Expired = { readonly taskId: string; readonly epoch: number; readonly code: FailureCode }
export type Leases = ReturnType<typeof createLeases>

/** `terms`: the current description of the task's model by its worker. */
export function createLeases(clock: Clock, terms: (record: TaskRecord) => LeaseTerms | null = () => null) {
  const held = new Map<string, Held>()

  const enter = (record: TaskRecord) => {
    const { spec, task } = record
    const now = clock.mono()
    const old = held.get(task.id)
    // The time of the offer does not count: no work would be lost.
    const since = old?.epoch === task.epoch && old.phase !== 'offered' ? old.since : now
    const lease = leaseFor(task.phase, spec, terms(record), now - since)
    if (!lease) return void held.delete(task.id)
    held.set(task.id, {
      epoch: task.epoch,
      phase: task.phase,
      since,
      leaseMs: lease.leaseMs,
      until: now + lease.leaseMs,
      budgetUntil: now + lease.budgetMs,
    })
  }

  return {
    /** Follows the committed changes; a new phase is a new lease. */
    follow(changes: readonly Change[]): void {
      for (const { record, before } of changes) {
        if (TERMINAL.has(record.task.phase)) held.delete(record.task.id)
        else if (!before || before.phase !== record.task.phase || before.epoch !== record.task.epoch) enter(record)
      }
    },
    /** A sign of life; never beyond the budget of the phase. */
    renew(taskId: string, epoch: number): void {
      const lease = held.get(taskId)
      if (lease?.epoch === epoch) lease.until = Math.min(clock.mono() + lease.leaseMs, lease.budgetUntil)
    },
    /** More time than the phase usually has, from now on. */
    extend(taskId: string, ms: number): void {
      const lease = held.get(taskId)
      if (lease) lease.until = lease.budgetUntil = clock.mono() + ms
    },
    expired(phaseOf: (taskId: string) => TaskRecord['task'] | undefined): Expired[] {
      const now = clock.mono()
      const due: Expired[] = []
      for (const [taskId, lease] of held) {
        const task = lease.until <= now ? phaseOf(taskId) : undefined
        if (task) due.push({ taskId, epoch: lease.epoch, code: expiryCode(task.phase, lease.budgetUntil <= now) })
      }
      return due
    },
  }
}

/**
 * Remaining time of each task: the deadline is recorded as a moment of the wall clock, and a jump of that clock must neither end the tasks
 * that run nor let them run for ever.
 */
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
