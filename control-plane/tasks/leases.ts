// Limits the silence of each task's worker. Lives in memory and on the monotonic clock: a lease on disk would mean nothing after a restart
// or a jump of the wall clock, and no sign of life may cost a write. Which attempt counts is decided by the epoch, never here.

import type { FailureCode } from '#shared/protocol/failure.ts'
import { expiryCode, type LeaseTerms, leaseFor } from '#shared/protocol/lease.ts'
import { TERMINAL } from '#shared/protocol/task.ts'
import type { Clock } from '#shared/runtime/clock.ts'
import type { Change, TaskRecord, TaskSpec } from './record.ts'

type Held = { epoch: number; phase: string; since: number; enteredAt: number; leaseMs: number; until: number; budgetUntil: number }
export type Expired = { readonly taskId: string; readonly epoch: number; readonly code: FailureCode }
export type Leases = ReturnType<typeof createLeases>

/**
 * Longest time from the loss of a machine for which its tasks wait because it was asked to come later: callers only claim to be that machine.
 * Longer than the longest wait that a port asks for.
 */
const AWAITED_MS = 6 * 60_000
/** A machine may come as long again after its time: agents up to 0.6 do. Its handshake then takes its turn. */
const awaitedFor = (askedMs: number): number => 2 * askedMs + 10_000
/** Longest time from the loss of a machine for which its tasks wait while it may not have been answered yet. */
const UNANSWERED_MS = 30_000

type Sources = {
  /** The current description of the task's model by its worker. */
  readonly terms?: (record: TaskRecord) => LeaseTerms | null
  /** True while so many machines connect that some may wait for an answer. */
  readonly isCrowded?: () => boolean
}
export function createLeases(clock: Clock, { terms = () => null, isCrowded = () => false }: Sources = {}) {
  const held = new Map<string, Held>()
  /** Moments until which machines that were asked to come later are awaited. One entry for each enrolled machine at most. */
  const awaited = new Map<string, number>()

  const lengthen = (lease: Held, until: number) => {
    if (lease.phase !== 'unknown') return
    lease.until = lease.budgetUntil = Math.max(lease.until, Math.min(until, lease.enteredAt + AWAITED_MS))
  }

  const enter = (record: TaskRecord) => {
    const { spec, task } = record
    const now = clock.mono()
    const old = held.get(task.id)
    // The time of the offer does not count: no work would be lost.
    const since = old?.epoch === task.epoch && old.phase !== 'offered' ? old.since : now
    const lease = leaseFor(task.phase, spec, terms(record), now - since)
    if (!lease) return void held.delete(task.id)
    const entered: Held = {
      epoch: task.epoch,
      phase: task.phase,
      since,
      enteredAt: now,
      leaseMs: lease.leaseMs,
      until: now + lease.leaseMs,
      budgetUntil: now + lease.budgetMs,
    }
    // A machine may come back before its old link is found to be lost.
    lengthen(entered, awaited.get(task.workerId ?? '') ?? 0)
    held.set(task.id, entered)
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
    /** A machine was asked to come after `askedMs`: the tasks that lost it, `taskIds`, wait for that. */
    awaitMachine(workerId: string, taskIds: Iterable<string>, askedMs: number): void {
      const until = clock.mono() + awaitedFor(askedMs)
      awaited.set(workerId, until)
      for (const id of taskIds) {
        const lease = held.get(id)
        if (lease) lengthen(lease, until)
      }
    },
    expired(phaseOf: (taskId: string) => TaskRecord['task'] | undefined): Expired[] {
      const now = clock.mono()
      const due: Expired[] = []
      const patienceMs = isCrowded() ? UNANSWERED_MS : 0
      for (const [taskId, lease] of held) {
        if (lease.phase === 'unknown' && now < lease.enteredAt + patienceMs) continue
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
