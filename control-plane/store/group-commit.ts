// Collects the changes of all stores into batches. Everything that is staged in one turn of the event loop is one batch: an fsync costs
// as much as a hundred tasks, so they share it. A batch that nothing outside the studio depends on stays in memory for a few milliseconds and
// is written with the next one. Stores change their memory at once and stage the write together with its undo; when a batch fails, the
// memory of every store is put back and the batch never happened. Answers wait for `settled()`. A journal may answer turns later; meanwhile
// what follows gathers in one next batch. A batch without a known answer holds that one back until the answer is known.
import { Failure } from '#shared/protocol/failure.ts'
import type { Clock } from '#shared/runtime/clock.ts'
import type { Log } from '#shared/runtime/log.ts'
import { type CommitOutcome, emptyWrites, type Journal, type Writes } from './journal.ts'

/** One change of one store. The callbacks run in the order of staging, `undo` in the reverse order. */
export type StagedChange = {
  /** Adds the rows. Called once, just before the commit, so that it sees the last state of the batch. */
  readonly write: (writes: Writes) => void
  /** Puts memory back as it was before this change. `taskSeq`: the number of the task whose row the database refused, or null. */
  readonly undo: (failure: Failure, taskSeq: number | null) => void
  /**
   * Asked at the end of the turn: true when nothing outside the studio depends on the change before a later one is durable. A store whose
   * changes have this function can be written in one transaction with its earlier ones, in any order of tables. Default: false.
   */
  readonly canWait?: () => boolean
  /** The change waits in memory for the next batch. Its store stages what follows as another change. */
  readonly held?: () => void
  /** The change survives the end of this process; a power cut may still undo it. */
  readonly written?: () => void
  /** The change is durable. */
  readonly durable?: () => void
}
export type GroupCommit = ReturnType<typeof createGroupCommit>
type Waiter = { readonly resolve: () => void; readonly reject: (error: Failure) => void }
type Batch = { readonly changes: StagedChange[]; readonly waiters: Waiter[] }

type Deps = { readonly journal: Journal; readonly log: Log; readonly clock: Pick<Clock, 'after'> }

/** Delay of a batch that can wait. A sync takes this long on a slow disk, so waiting for one more costs as much. */
const WAIT_MS = 5
const newBatch = (): Batch => ({ changes: [], waiters: [] })

// Long factory: every answer of the journal moves the same few batches.
export function createGroupCommit({ journal, log, clock }: Deps) {
  const hooks: (() => void)[] = []
  let open = newBatch()
  let held: StagedChange[] = [] // of the batches that wait for the next one; empty while a batch is being written
  let cancelWait: (() => void) | null = null
  let inFlight: Batch[] = [] // given to the journal and not durable yet, oldest first
  let isWriting = false // the journal has a batch that it has neither written nor refused
  let isScheduled = false
  let isEnded = false
  let fence: Failure | null = null // another process writes in place of this one
  const fencedListeners: (() => void)[] = []

  function touch(): void {
    if (isScheduled) return
    isScheduled = true
    setImmediate(flush, false)
  }

  function flush(isUrgent = true): void {
    if (isEnded || isWriting) return // `written` and `failed` schedule the next batch
    isScheduled = true // what the hooks stage belongs to this batch and needs no other
    for (const hook of hooks) hook()
    isScheduled = false
    if (!isUrgent && open.waiters.length === 0 && open.changes.every(({ canWait }) => canWait?.() ?? false)) return hold()
    // A transaction writes table after table, so a change of another store could be written before an older one that it contradicts.
    if (held.length > 0 && open.changes.some(({ canWait }) => !canWait)) commit({ changes: takeHeld(), waiters: [] })
    if (isWriting) return
    const batch = { changes: [...takeHeld(), ...open.changes], waiters: open.waiters }
    open = newBatch()
    if (batch.changes.length > 0) return commit(batch)
    // Nothing new to write: the callers wait for the batches before this one.
    const last = inFlight.at(-1)
    if (last) last.waiters.push(...batch.waiters)
    else for (const { resolve } of batch.waiters) resolve()
  }

  function hold(): void {
    const { changes } = open
    open = newBatch()
    if (changes.length === 0) return
    held.push(...changes)
    cancelWait ??= clock.after(WAIT_MS, flush)
    for (const { held } of changes) held?.()
  }

  function takeHeld(): StagedChange[] {
    const taken = held
    held = []
    cancelWait?.()
    cancelWait = null
    return taken
  }

  function commit(batch: Batch): void {
    isWriting = true
    inFlight.push(batch)
    const writes = emptyWrites()
    const outcome: CommitOutcome = {
      written() {
        isWriting = false
        for (const { written } of batch.changes) written?.()
        continueIfStaged()
      },
      durable() {
        inFlight = inFlight.filter((each) => each !== batch)
        for (const { durable } of batch.changes) durable?.()
        for (const { resolve } of batch.waiters) resolve()
      },
      failed: (failure) => refused(batch, failure, null),
      defect: (error, taskSeq) => refused(batch, Failure.from(error, 'INTERNAL'), taskSeq),
      unknown() {
        log.warn({ changes: batch.changes.length }, 'the answer to a batch was lost; nothing is written until it is known')
        return (isWritten) => {
          if (isEnded) return
          if (!isWritten) return journal.commit(writes, outcome)
          outcome.written()
          outcome.durable()
        }
      },
      fenced: endFenced,
    }
    try {
      for (const { write } of batch.changes) write(writes)
    } catch (error) {
      return outcome.defect(error as Error, null)
    }
    journal.commit(writes, outcome)
  }

  function refused(batch: Batch, failure: Failure, taskSeq: number | null): void {
    isWriting = false
    undo(batch, failure, taskSeq)
    continueIfStaged()
  }

  /** Drops the batches and puts nothing back: memory was decided on without the rows that the other process has written. */
  function endFenced(): void {
    if (fence) return
    isEnded = true
    fence = new Failure('NOT_READY', 'Another process has taken over from this one, so this request was not finished.')
    const dropped = [...inFlight, open]
    log.error(
      { changes: dropped.flatMap(({ changes }) => changes).length + held.length },
      'another process writes now; this one has stopped',
    )
    takeHeld()
    inFlight = []
    open = newBatch()
    for (const { waiters } of dropped) for (const { reject } of waiters) reject(fence)
    for (const listener of fencedListeners) listener()
  }

  const continueIfStaged = () => {
    isScheduled = false
    if (open.changes.length > 0 || open.waiters.length > 0) touch()
  }

  /** Undoes the failed batch and everything staged since, which rests on its memory. */
  function undo(failed: Batch, failure: Failure, taskSeq: number | null): void {
    const undone = [...inFlight.slice(inFlight.indexOf(failed)), open]
    inFlight = inFlight.slice(0, inFlight.indexOf(failed))
    open = newBatch()
    log.error(
      { err: failure.message, task: taskSeq, changes: undone.flatMap(({ changes }) => changes).length },
      'a batch was not written and is undone',
    )
    for (const { changes } of undone.toReversed()) for (const change of changes.toReversed()) change.undo(failure, taskSeq)
    for (const { waiters } of undone) for (const { reject } of waiters) reject(failure)
  }

  return {
    /** Adds a change to the open batch. The store has changed its memory already. */
    stage(change: StagedChange): void {
      if (fence) return
      open.changes.push(change)
      touch()
    },
    /** Called before each commit: what a hook stages is durable together with what caused it. */
    beforeCommit: (hook: () => void) => void hooks.push(hook),
    /** Schedules a batch although nothing has changed: the hooks run, then what they staged is committed. */
    touch,
    /**
     * Resolves when everything staged so far is durable; rejects with STORAGE_FULL or INTERNAL when it was undone, and with NOT_READY once another
     * process writes in place of this one.
     */
    settled: () =>
      new Promise<void>((resolve, reject) => {
        if (fence) return reject(fence)
        open.waiters.push({ resolve, reject })
        touch()
      }),
    /** Called once when another process writes in place of this one. Nothing in memory counts any more, and nothing is written. */
    onFenced: (listener: () => void) => void fencedListeners.push(listener),
    /** Commits the open batch now; for the end of the process and for tests. */
    flush: () => flush(),
    /** Stops all writes: the database is closed. */
    end(): void {
      isEnded = true
    },
  }
}
