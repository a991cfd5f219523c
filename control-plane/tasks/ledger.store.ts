// The one door to tasks. Every change is decided at once by the pure `step()` on the copy in memory and becomes durable with all other
// changes of the same turn of the event loop in one transaction: an fsync costs what a hundred tasks cost, so they share it. The
// transaction writes the log of the database, the sync follows on another thread while the loop goes on: synchronous FULL in effect,
// without its wait (docs/adr/0006). Nothing is told to anybody before its sync. When the transaction fails, the turn never happened:
// memory is put back as it was.
import { Failure } from '#shared/protocol/failure.ts'
import { type StepRefusal, step, type Task, type TaskEvent, type TaskStep, TERMINAL } from '#shared/protocol/task.ts'
import type { Clock } from '#shared/runtime/clock.ts'
import type { Log } from '#shared/runtime/log.ts'
import { type Database, isStorageError, type Sync } from '../store/database.ts'
import { type AttemptMarks, type AttemptRow, attemptRows } from './attempt.store.ts'
import { type TaskGroup, taskLists } from './list.store.ts'
import type { Change, Result, TaskRecord, TaskSpec } from './record.ts'
import { fromRow, type TaskRow, toRow } from './row.ts'

type Refused = { readonly ok: false; readonly reason: StepRefusal | 'unknown-task' }
export type StepResult = TaskStep | Refused
export type Ledger = ReturnType<typeof createLedger>
type Deps = {
  readonly db: Database
  readonly clock: Clock
  readonly log: Log
  readonly marks: AttemptMarks
  /** Makes everything durable that was written so far. */
  readonly sync: Sync
}
/** A turn that is in the log of the database and not yet known to be on the disk. */
type Written = { readonly turn: readonly Change[]; readonly waiting: readonly Waiter[] }
type Waiter = { readonly resolve: () => void; readonly reject: (error: Failure) => void }

const MAX_ATTEMPTS = 3

export function createLedger({ db, clock, log, marks, sync }: Deps) {
  // This pragma acts when it is prepared and not when it is run: a statement kept for it would do nothing.
  const syncEachCommit = (yes: boolean) => void db.pragma(`synchronous = ${yes ? 'full' : 'normal'}`)
  const insert = db.prepare(`insert into task (id, seq, idempotency_key, body_digest, operation, engine, model, params, priority, size,
      ephemeral, phase, epoch, attempt, max_attempts, worker_id, attempt_id, target, excluded, avoided, interrupted, stopping, failure_code,
      failure_message, deadline_at, created_at, updated_at, finished_at, result, result_bytes, result_digest, result_size, inputs)
    values (@id, @seq, @idempotency_key, @body_digest, @operation, @engine, @model, @params, @priority, @size,
      @ephemeral, @phase, @epoch, @attempt, @max_attempts, @worker_id, @attempt_id, @target, @excluded, @avoided, @interrupted, @stopping, @failure_code,
      @failure_message, @deadline_at, @created_at, @updated_at, @finished_at, @result, @result_bytes, @result_digest, @result_size, @inputs)`)
  const update = db.prepare(`update task set phase = @phase, epoch = @epoch, attempt = @attempt, worker_id = @worker_id,
      attempt_id = @attempt_id, target = @target, excluded = @excluded, avoided = @avoided, interrupted = @interrupted, stopping = @stopping,
      failure_code = @failure_code, failure_message = @failure_message, updated_at = @updated_at, finished_at = @finished_at,
      result = @result, result_bytes = @result_bytes, result_digest = @result_digest, result_size = @result_size
    where id = @id`)
  const append = db.prepare('insert into task_event (task_id, epoch, at, kind, phase, worker_id, code) values (?, ?, ?, ?, ?, ?, ?)')
  const byId = db.prepare<[string], TaskRow>('select * from task where id = ?')
  const byKey = db.prepare<[string], TaskRow>('select * from task where idempotency_key = ?')
  const unfinished = db.prepare<[], TaskRow>(
    `select * from task where phase not in ('succeeded','failed','timed_out','cancelled') order by seq`,
  )
  const lists = taskLists(db)
  const lastSeq = db.prepare<[], { seq: number }>('select coalesce(max(seq), 0) as seq from task')
  const attempts = attemptRows(db)

  const live = new Map<string, TaskRecord>(unfinished.all().map((row) => [row.id, fromRow(row)]))
  const heldBy = new Map<string, Map<string, TaskRecord>>()
  const keys = new Map<string, string>() // idempotency keys of the turn that is not durable yet
  let nextSeq = lastSeq.get()!.seq + 1

  // The turn under way. `undo` keeps what memory held before the first change of each task; null: it did not exist.
  let changes: Change[] = []
  let undo = new Map<string, TaskRecord | null>()
  let waiters: Waiter[] = []
  let scheduled = false
  const staged: ((record: TaskRecord, before: Task | null) => void)[] = []
  const before: (() => void)[] = []
  const early: ((changes: readonly Change[]) => void)[] = []
  const after: ((changes: readonly Change[]) => void)[] = []
  let written: Written[] = []
  let flying: Written[] = [] // what the sync under way covers
  let syncing = false
  const undone: ((error: Failure, ids: readonly string[]) => void)[] = []
  const refused: ((event: TaskEvent, reason: Refused['reason']) => void)[] = []

  const touch = () => {
    if (scheduled) return
    scheduled = true
    setImmediate(flush)
  }

  function index({ task, ...rest }: TaskRecord, previousWorker: string | null): void {
    if (previousWorker !== null) heldBy.get(previousWorker)?.delete(task.id)
    if (task.workerId === null) return
    const held = heldBy.get(task.workerId) ?? new Map<string, TaskRecord>()
    heldBy.set(task.workerId, held)
    held.set(task.id, { task, ...rest })
  }
  for (const record of live.values()) index(record, null)

  function stage(record: TaskRecord, previous: TaskRecord | null, event: TaskEvent | null): void {
    if (!undo.has(record.task.id)) undo.set(record.task.id, previous)
    live.set(record.task.id, record)
    index(record, previous?.task.workerId ?? null)
    changes.push({ record, before: previous?.task ?? null, event })
    for (const listener of staged) listener(record, previous?.task ?? null)
    touch()
  }

  const commit = db.transaction((turn: readonly Change[], final: ReadonlyMap<string, TaskRecord | null>) => {
    const at = clock.now()
    for (const [id, original] of final) (original === null ? insert : update).run(toRow(live.get(id)!, at))
    for (const { record, before, event } of turn) {
      const { task } = record
      const code = task.failure?.code ?? (event && 'code' in event ? event.code : null)
      append.run(task.id, task.epoch, at, event?.kind ?? 'submit', task.phase, task.workerId ?? before?.workerId ?? null, code)
    }
    attempts.write(turn, at, marks)
  })

  function flush(): void {
    scheduled = true // what the hooks do belongs to this turn and needs none of its own
    for (const hook of before) hook()
    const turn = changes
    const final = undo
    const waiting = waiters
    changes = []
    undo = new Map()
    waiters = []
    scheduled = false
    if (turn.length > 0) {
      try {
        syncEachCommit(false)
        commit.immediate(turn, final)
      } catch (error) {
        // Anything but a storage fault is a defect of ours: better to stop than to go on with a ledger that disagrees with itself.
        if (!isStorageError(error)) throw error
        return rollBack(final, waiting, error)
      } finally {
        syncEachCommit(true)
      }
      keys.clear()
      for (const listener of early) listener(turn)
    }
    if (turn.length > 0) written.push({ turn, waiting })
    // Nothing new: whoever waits, waits for what went before, and that needs no further sync.
    else (written.length > 0 ? written : flying).push({ turn, waiting })
    makeDurable()
  }

  function makeDurable(): void {
    if (syncing) return
    const batch = [...flying, ...written]
    flying = batch
    const isNew = written.length > 0
    written = []
    const done = (error: Error | null) => {
      // What is on the disk is unknown after a failed sync and stays so: only a new start can tell.
      if (error)
        throw new Failure('STORAGE_FULL', 'the disk did not confirm a write, so nobody knows what is on it; the next start reads it', {
          cause: error,
        })
      syncing = false
      flying = []
      for (const each of batch) tell(each)
      if (written.length > 0) makeDurable()
    }
    syncing = true
    if (isNew) sync(done)
    else done(null)
  }

  function tell({ turn, waiting }: Written): void {
    for (const { record } of turn) if (TERMINAL.has(record.task.phase)) live.delete(record.task.id)
    for (const { resolve } of waiting) resolve()
    for (const listener of after) listener(turn)
    if (changes.length > 0) touch()
  }

  function rollBack(final: ReadonlyMap<string, TaskRecord | null>, waiting: readonly Waiter[], cause: unknown): void {
    for (const [id, original] of final) {
      heldBy.get(live.get(id)!.task.workerId ?? '')?.delete(id)
      if (original === null) live.delete(id)
      else {
        live.set(id, original)
        index(original, null)
      }
    }
    keys.clear()
    const failure = new Failure('STORAGE_FULL', `nothing could be written to the database: ${(cause as Error).message}`, { cause })
    log.error({ err: String(cause), tasks: final.size }, 'a turn was not written and is undone')
    for (const { reject } of waiting) reject(failure)
    for (const listener of undone) listener(failure, [...final.keys()])
  }

  function refuse(event: TaskEvent, reason: Refused['reason']): Refused {
    for (const listener of refused) listener(event, reason)
    return { ok: false, reason }
  }

  return {
    /** Called with each change at once, durable or not: for indexes in memory, which `undone` tells to start anew. */
    staged: (listener: (record: TaskRecord, before: Task | null) => void) => void staged.push(listener),
    /** Called before each commit, inside the turn: the place for decisions that must be durable together with what caused them. */
    beforeCommit: (hook: () => void) => void before.push(hook),
    /** Called with all changes of a turn as soon as they survive the end of this process; a power cut may still undo them. */
    written: (listener: (changes: readonly Change[]) => void) => void early.push(listener),
    /** Called with all changes of a turn, in order, once they are durable. */
    committed: (listener: (changes: readonly Change[]) => void) => void after.push(listener),
    /** Called when a turn could not be written: everything in it is as it was before. */
    undone: (listener: (error: Failure, ids: readonly string[]) => void) => void undone.push(listener),
    /** Called with each event that was refused, and why: to be counted, nothing has changed. */
    refused: (listener: (event: TaskEvent, reason: Refused['reason']) => void) => void refused.push(listener),
    /** Asks for a turn although nothing has changed: the hooks run, then whatever they did is committed. */
    touch,
    /** Resolves when everything applied so far is durable; rejects with STORAGE_FULL when it could not be made so. */
    settled: () =>
      new Promise<void>((resolve, reject) => {
        waiters.push({ resolve, reject })
        touch()
      }),

    /** Admits a task. The caller awaits `settled()` before it tells anybody. */
    submit(id: string, spec: TaskSpec, digest: string): TaskRecord {
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
      if (spec.idempotencyKey !== null) keys.set(spec.idempotencyKey, id)
      stage(record, null, null)
      return record
    },

    /** The door: load, decide, keep. Durable after the turn. `result` comes with `complete` and only then. */
    apply(id: string, event: TaskEvent, result: Result | null = null): StepResult {
      const record = live.get(id)
      if (!record) return refuse(event, byId.get(id) ? 'not-allowed' : 'unknown-task')
      const next = step(record.task, event)
      if (!next.ok) return refuse(event, next.reason)
      const ended = TERMINAL.has(next.task.phase)
      const kept = next.task.phase === 'succeeded' ? result : null
      stage({ ...record, task: next.task, result: kept, finishedAt: ended ? clock.now() : null }, record, event)
      return next
    },

    get(id: string): TaskRecord | null {
      const row = live.get(id) ?? byId.get(id)
      return row ? ('spec' in row ? row : fromRow(row)) : null
    },
    byKey(key: string): TaskRecord | null {
      const staged = keys.get(key)
      if (staged) return live.get(staged) ?? null
      const row = byKey.get(key)
      return row ? (live.get(row.id) ?? fromRow(row)) : null
    },
    /** Every task that has not ended, oldest first. */
    live: (): IterableIterator<TaskRecord> => live.values(),
    /** An end that is only staged may still be undone. */
    isDurablyEnded: ({ task }: TaskRecord): boolean => TERMINAL.has(task.phase) && !live.has(task.id),
    held: (workerId: string): TaskRecord[] => [...(heldBy.get(workerId)?.values() ?? [])],
    /** Newest first, of all or of one group; `before`: only those older than this task. Null when nobody knows that one any more. */
    list(limit: number, group: TaskGroup | null = null, before: string | null = null): TaskRecord[] | null {
      return lists.read(limit, group, before)?.map((row) => live.get(row.id) ?? fromRow(row)) ?? null
    },
    attemptsOf: ({ seq }: TaskRecord): AttemptRow[] => attempts.of(seq),
    /** Commits what is staged now; for the end of the process. */
    flush,
  }
}
