// Collects the changes of all stores into batches. Everything that is staged in one turn of the event loop is one batch: an fsync costs
// as much as a hundred tasks, so they share it. Stores change their memory at once and stage the write together with its undo; when a
// batch fails, the memory of every store is put back and the batch never happened. Answers wait for `settled()`.
import type { Failure } from '#shared/protocol/failure.ts'
import type { Log } from '#shared/runtime/log.ts'
import { type CommitOutcome, emptyWrites, type Journal, type Writes } from './journal.ts'

/** One change of one store. The callbacks run in the order of staging, `undo` in the reverse order. */
export type StagedChange = {
  /** Adds the rows. Called once, just before the commit, so that it sees the last state of the batch. */
  readonly write: (writes: Writes) => void
  /** Puts memory back as it was before this change. */
  readonly undo: (failure: Failure) => void
  /** Asked at the commit: true when nothing outside the studio depends on the change before a later one is durable. Default: false. */
  readonly canWait?: () => boolean
  /** The change survives the end of this process; a power cut may still undo it. */
  readonly written?: () => void
  /** The change is durable. */
  readonly durable?: () => void
}
export type GroupCommit = ReturnType<typeof createGroupCommit>
type Waiter = { readonly resolve: () => void; readonly reject: (error: Failure) => void }
type Batch = { readonly changes: StagedChange[]; readonly waiters: Waiter[] }

const newBatch = (): Batch => ({ changes: [], waiters: [] })

export function createGroupCommit({ journal, log }: { readonly journal: Journal; readonly log: Log }) {
  const hooks: (() => void)[] = []
  let open = newBatch()
  let inFlight: Batch[] = [] // given to the journal and not durable yet, oldest first
  let isWriting = false // the journal has a batch that it has neither written nor refused
  let isScheduled = false
  let isEnded = false

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
    const batch = open
    open = newBatch()
    if (batch.changes.length > 0) return commit(batch, isUrgent)
    // Nothing new to write: the callers wait for the batches before this one.
    const last = inFlight.at(-1)
    if (last) {
      last.waiters.push(...batch.waiters)
      if (isUrgent || batch.waiters.length > 0) journal.hurry()
    } else for (const { resolve } of batch.waiters) resolve()
  }

  function commit(batch: Batch, isUrgent: boolean): void {
    const writes = emptyWrites()
    const waits = !isUrgent && batch.waiters.length === 0 && batch.changes.every(({ canWait }) => canWait?.() ?? false)
    for (const { write } of batch.changes) write(writes)
    isWriting = true
    inFlight.push(batch)
    try {
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
        failed(failure) {
          isWriting = false
          undo(batch, failure)
          continueIfStaged()
        },
      }
      journal.commit(writes, outcome, waits)
    } catch (error) {
      // The batch contradicts a constraint, which is a defect: the process must not go on with memory that the database refuses.
      isWriting = false
      inFlight = inFlight.filter((each) => each !== batch)
      throw error
    }
  }

  const continueIfStaged = () => {
    isScheduled = false
    if (open.changes.length > 0 || open.waiters.length > 0) touch()
  }

  /** What was staged since rests on the memory of the failed batch, so it is undone with it. */
  function undo(failed: Batch, failure: Failure): void {
    const undone = [...inFlight.slice(inFlight.indexOf(failed)), open]
    inFlight = inFlight.slice(0, inFlight.indexOf(failed))
    open = newBatch()
    log.error({ err: failure.message, changes: undone.flatMap(({ changes }) => changes).length }, 'a batch was not written and is undone')
    for (const { changes } of undone.toReversed()) for (const change of changes.toReversed()) change.undo(failure)
    for (const { waiters } of undone) for (const { reject } of waiters) reject(failure)
  }

  return {
    /** Adds a change to the open batch. The store has changed its memory already. */
    stage(change: StagedChange): void {
      open.changes.push(change)
      touch()
    },
    /** Called before each commit: what a hook stages is durable together with what caused it. */
    beforeCommit: (hook: () => void) => void hooks.push(hook),
    /** Schedules a batch although nothing has changed: the hooks run, then what they staged is committed. */
    touch,
    /** Resolves when everything staged so far is durable; rejects with STORAGE_FULL when it was undone. */
    settled: () =>
      new Promise<void>((resolve, reject) => {
        open.waiters.push({ resolve, reject })
        touch()
      }),
    /** Commits the open batch now; for the end of the process and for tests. */
    flush: () => flush(),
    /** Writes nothing any more: the database is closed. */
    end(): void {
      isEnded = true
    },
  }
}
