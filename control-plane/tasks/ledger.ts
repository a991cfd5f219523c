// The only way to change a task. Every change is decided at once by the pure `step()` on the copy in memory and staged into the batch
// of all stores (store/group-commit.ts); it becomes durable with that batch. No effect of a change leaves the studio before its batch is
// durable, except the first offer of a task, which may leave before its batch is written if the journal allows it (docs/adr/0006). When a
// batch fails, memory is put back as it was.

import type { GroupCommit } from '#control-plane/store/group-commit.ts'
import type { Journal, JournalState, TaskGroup, Writes } from '#control-plane/store/journal.ts'
import { type AttemptRow, requireIntegers } from '#control-plane/store/rows.ts'
import type { Failure } from '#shared/protocol/failure.ts'
import { type StepRefusal, step, type Task, type TaskEvent, type TaskStep, TERMINAL } from '#shared/protocol/task.ts'
import type { Clock } from '#shared/runtime/clock.ts'
import { type AttemptMarks, writeAttempts } from './attempts.ts'
import { createDeadlines } from './leases.ts'
import { createLiveTasks } from './live-tasks.ts'
import type { Change, Result, TaskRecord, TaskSpec } from './record.ts'
import { rowOfTask, taskOfRow } from './row.ts'

type Refused = { readonly ok: false; readonly reason: StepRefusal | 'unknown-task' }
export type StepResult = TaskStep | Refused
export type Ledger = ReturnType<typeof createLedger>
type Deps = {
  readonly journal: Journal
  readonly state: Pick<JournalState, 'tasks' | 'lastSeq'>
  readonly commits: GroupCommit
  readonly clock: Clock
  readonly marks: AttemptMarks
}
/** `original`: what memory held before the batch; null for a task that it admitted. `record`: what memory held after it. */
type Changed = { readonly original: TaskRecord | null; record: TaskRecord }
/** Changes of one turn to tasks. `at`: its end, epoch ms; null while it is open. */
type TaskBatch = { readonly changes: Change[]; readonly tasks: Map<string, Changed>; at: number | null; isDecided: boolean }

const MAX_ATTEMPTS = 3

// Long factory: every method reads or changes the tasks in memory and their open batch.
export function createLedger({ journal, state, commits, clock, marks }: Deps) {
  const live = createLiveTasks(state.tasks.map(taskOfRow))
  const msLeft = createDeadlines(clock)
  for (const record of live.values()) msLeft(record)
  let nextSeq = state.lastSeq + 1
  let open: TaskBatch | null = null
  const unwritten = new Set<string>() // tasks whose admission is only in memory
  const refusedIds = new Set<string>() // tasks that the database has refused
  const stagedListeners: ((record: TaskRecord, before: Task | null) => void)[] = []
  const decidedListeners: ((changes: readonly Change[]) => void)[] = []
  const committedListeners: ((changes: readonly Change[]) => void)[] = []
  const undoneListeners: ((failure: Failure, ids: readonly string[], decided: readonly Change[]) => void)[] = []
  const refusedListeners: ((event: TaskEvent, reason: Refused['reason']) => void)[] = []

  function beginBatch(): TaskBatch {
    const batch: TaskBatch = { changes: [], tasks: new Map(), at: null, isDecided: false }
    commits.stage({
      // Admissions that no caller was told of, and their first offers.
      canWait: () =>
        journal.allowsEarlyOffers &&
        batch.changes.every(({ record, event }) => event === null || (unwritten.has(record.task.id) && event.kind === 'offer')),
      held() {
        close(batch)
        decide(batch)
      },
      write(writes) {
        addRows(batch, close(batch), writes)
      },
      written() {
        for (const id of batch.tasks.keys()) unwritten.delete(id)
        decide(batch)
      },
      durable() {
        for (const { record } of batch.changes) if (TERMINAL.has(record.task.phase)) live.end(record)
        notify(committedListeners, batch.changes)
      },
      undo: (failure, taskSeq) => undo(batch, failure, taskSeq),
    })
    return batch
  }

  /** Closes the batch: later changes belong to another one. Returns the moment of this one. */
  function close(batch: TaskBatch): number {
    if (open === batch) open = null
    batch.at ??= clock.now()
    return batch.at
  }

  function decide(batch: TaskBatch): void {
    if (batch.isDecided) return
    batch.isDecided = true
    notify(decidedListeners, batch.changes)
  }

  function addRows({ changes, tasks }: TaskBatch, at: number, writes: Writes): void {
    for (const [id, { original, record }] of tasks) {
      const isNew = original === null || writes.newTasks.has(id)
      const rows = isNew ? writes.newTasks : writes.changedTasks
      rows.set(id, rowOfTask(record, at))
    }
    for (const { record, before, event } of changes) {
      const { task } = record
      writes.events.push({
        task_id: task.id,
        epoch: task.epoch,
        at,
        kind: event?.kind ?? 'submit',
        phase: task.phase,
        worker_id: task.workerId ?? before?.workerId ?? null,
        code: task.failure?.code ?? (event && 'code' in event ? event.code : null),
      })
    }
    writeAttempts(changes, at, marks, writes)
  }

  function undo(batch: TaskBatch, failure: Failure, refusedSeq: number | null): void {
    if (open === batch) open = null
    for (const [id, { original }] of batch.tasks) {
      if (original) live.put(original)
      else {
        live.remove(id)
        unwritten.delete(id)
      }
    }
    for (const listener of undoneListeners) listener(failure, [...batch.tasks.keys()], batch.isDecided ? batch.changes : [])
    const refused = [...batch.tasks.values()].find(({ record }) => record.seq === refusedSeq)
    if (refused?.original) endRefused(refused.original, failure)
  }

  /** A task whose row the database refuses fails, instead of being tried again and again. */
  function endRefused(record: TaskRecord, { message }: Failure): void {
    const { id } = record.task
    // Its failure was refused too. The next start reads the task as it was.
    if (refusedIds.has(id)) return live.remove(id)
    refusedIds.add(id)
    const next = step(record.task, failureOf(record.task, message))
    if (next.ok) stage({ ...record, task: next.task, finishedAt: clock.now() }, record, failureOf(record.task, message))
  }

  function stage(record: TaskRecord, previous: TaskRecord | null, event: TaskEvent | null): void {
    open ??= beginBatch()
    const changed = open.tasks.get(record.task.id)
    if (changed) changed.record = record
    else open.tasks.set(record.task.id, { original: previous, record })
    live.put(record)
    open.changes.push({ record, before: previous?.task ?? null, event })
    for (const listener of stagedListeners) listener(record, previous?.task ?? null)
  }

  function refuse(event: TaskEvent, reason: Refused['reason']): Refused {
    for (const listener of refusedListeners) listener(event, reason)
    return { ok: false, reason }
  }

  return {
    /** Called with each change at once, before it is durable: for indexes in memory, which are rebuilt in `onUndone`. */
    onStaged: (listener: (record: TaskRecord, before: Task | null) => void) => void stagedListeners.push(listener),
    /** Called before each commit: what a hook changes is part of that batch. */
    beforeCommit: commits.beforeCommit,
    /**
     * Called with all changes of a batch when what may leave early leaves: once they are written, or at the end of their turn if they wait in
     * memory for the next batch. A full disk, the end of this process or a power cut may still undo them.
     */
    onDecided: (listener: (changes: readonly Change[]) => void) => void decidedListeners.push(listener),
    /** Called with all changes of a batch, in order, once they are durable. */
    onCommitted: (listener: (changes: readonly Change[]) => void) => void committedListeners.push(listener),
    /**
     * Called when a batch could not be written: every task in it is as it was before. `decided`: its changes, if they were reported to
     * `onDecided`.
     */
    onUndone: (listener: (failure: Failure, ids: readonly string[], decided: readonly Change[]) => void) =>
      void undoneListeners.push(listener),
    /** Called with each refused event and the reason, for metrics; nothing has changed. */
    onRefused: (listener: (event: TaskEvent, reason: Refused['reason']) => void) => void refusedListeners.push(listener),
    /** True if the first offer of a task may leave before its batch is durable. */
    allowsEarlyOffers: journal.allowsEarlyOffers,
    touch: commits.touch,
    settled: commits.settled,
    flush: commits.flush,

    /**
     * Admits a task. The caller awaits `settled()` before it answers, and has checked that the idempotency key is free. Throws INTERNAL for a
     * number that cannot be stored.
     */
    submit(id: string, spec: TaskSpec, digest: string): TaskRecord {
      requireIntegers('task', { priority: spec.priority, size: spec.size, deadline_at: spec.deadlineAt })
      const task: Task = {
        id,
        phase: 'queued',
        epoch: 0,
        attempt: 0,
        maxAttempts: MAX_ATTEMPTS,
        workerId: null,
        attemptId: null,
        target: spec.target,
        excluded: [],
        avoided: [],
        interrupted: null,
        stopping: null,
        failure: null,
      }
      const record: TaskRecord = { spec, digest, seq: nextSeq++, task, result: null, createdAt: clock.now(), finishedAt: null }
      msLeft(record)
      unwritten.add(id)
      stage(record, null, null)
      return record
    },

    /** Applies one event to one task. Durable with the batch. `result` comes with `complete` and only then. */
    apply(id: string, event: TaskEvent, result: Result | null = null): StepResult {
      const record = live.get(id)
      if (!record) return refuse(event, live.stateOf(id) ? 'not-allowed' : 'unknown-task')
      const next = step(record.task, event)
      if (!next.ok) return refuse(event, next.reason)
      const isEnded = TERMINAL.has(next.task.phase)
      const kept = next.task.phase === 'succeeded' ? result : null
      stage({ ...record, task: next.task, result: kept, finishedAt: isEnded ? clock.now() : null }, record, event)
      return next
    },

    /** A task that has not ended durably, for decisions. */
    peek: (id: string): TaskRecord | null => live.get(id) ?? null,
    /** The state of a live task or of one of the last that ended, for decisions. */
    stateOf: live.stateOf,
    /** Milliseconds until the deadline of a task, which a jump of the wall clock does not move; 0 or less when it has passed. */
    msLeft,
    /** Every task that has not ended durably, oldest first. */
    live: live.values,
    held: live.held,
    /** A staged end may still be undone. */
    isDurablyEnded: ({ task }: TaskRecord): boolean => TERMINAL.has(task.phase) && !live.get(task.id),
    /** True if a live or recently ended task has this idempotency key; `byKey` finds it. */
    hasKey: (key: string): boolean => live.idOfKey(key) !== undefined,

    /** Any task that is kept, or null. */
    async find(id: string): Promise<TaskRecord | null> {
      const record = live.get(id)
      if (record) return record
      const row = await journal.find(id)
      return row && (live.get(id) ?? taskOfRow(row))
    },
    /** The task that an idempotency key stands for, or null. */
    async byKey(key: string): Promise<TaskRecord | null> {
      const record = live.get(live.idOfKey(key) ?? '')
      if (record) return record
      const row = await journal.byKey(key)
      return row && (live.get(row.id) ?? taskOfRow(row))
    },
    /** Tasks, newest first, of all groups or one, older than the task `before`. Null when that task is no longer kept. */
    async list(limit: number, group: TaskGroup | null = null, before: string | null = null): Promise<TaskRecord[] | null> {
      const rows = await journal.page(limit, group, before)
      return rows?.map((row) => live.get(row.id) ?? taskOfRow(row)) ?? null
    },
    /** By epoch, ascending. */
    attemptsOf: ({ seq }: Pick<TaskRecord, 'seq'>): Promise<readonly AttemptRow[]> => journal.attemptsOf(seq),
  }
}

/** The event that fails a task in its phase. */
function failureOf({ phase, epoch }: Task, message: string): TaskEvent {
  const fault = { code: 'INTERNAL', message } as const
  if (phase === 'queued') return { kind: 'refuse', ...fault }
  return { kind: phase === 'offered' ? 'decline' : phase === 'unknown' ? 'lost' : 'fail', epoch, ...fault }
}

/** It may leave before it is durable: a power cut would undo the task as well, and its worker would report an unknown attempt. */
export const isFirstOffer = ({ task }: TaskRecord, event: TaskEvent | null): boolean => event?.kind === 'offer' && task.epoch === 1

function notify(listeners: readonly ((changes: readonly Change[]) => void)[], changes: readonly Change[]): void {
  for (const listener of listeners) listener(changes)
}
