// The journal on SQLite. Reads and commits are synchronous inside. A commit appends to the write-ahead log without a sync; the log is
// synced on another thread, once for all batches that were written meanwhile (docs/adr/0006). The database keeps synchronous FULL for
// every commit made outside of this journal.
import { Failure } from '#shared/protocol/failure.ts'
import { isStorageError } from '#shared/runtime/file.ts'
import { type Database, type Sync, storageChecked } from '../database.ts'
import type { CommitOutcome, Journal, OpenedJournal, Writes } from '../journal.ts'
import type { AttemptRow, TaskRow } from '../rows.ts'
import { createJobReads } from './job-reads.ts'
import { createAuditPages, createPages } from './pages.ts'
import { readState } from './state.ts'
import { createWriter } from './writer.ts'

type Deps = {
  readonly db: Database
  readonly sync: Sync
  /** Called once. */
  readonly close?: () => void
}

export function openSqliteJournal({ db, sync, close = () => {} }: Deps): OpenedJournal {
  // This pragma acts when it is prepared and not when it is run, so a prepared statement for it would do nothing. `exec` takes 1 µs and
  // `db.pragma` 7, four times a task.
  const syncEachCommit = (yes: boolean) => void db.exec(yes ? 'pragma synchronous = full' : 'pragma synchronous = normal')
  const byId = db.prepare<[string], TaskRow>('select * from task where id = ?')
  const byKey = db.prepare<[string], TaskRow>('select * from task where idempotency_key = ?')
  // The plus keeps SQLite from planning the statement again for each value, which takes ten times as long as the read.
  const attempts = db.prepare<[number], AttemptRow>('select * from attempt where task_seq = +? order by epoch')
  const resultFiles = db
    .prepare<[string, number], string>(
      `select value from json_each(?) where exists (
         select 1 from task where result_digest = value and result_bytes is null and ephemeral = 0 and finished_at >= ?)`,
    )
    .pluck()
  const purgeTasks = db.prepare('delete from task where finished_at < ? and idempotency_key is null')
  const purgeKeys = db.prepare('delete from task where finished_at < ? and idempotency_key >= ? and idempotency_key < ?')
  const purgeEvents = db.prepare('delete from task_event_batch where at < ?')
  const purge = db.transaction((before: number, also?: Parameters<Journal['purge']>[1]) => {
    purgeTasks.run(before)
    if (also) purgeKeys.run(also.before, also.keys, `${also.keys}\u{10ffff}`)
    purgeEvents.run(before)
  })
  const pages = createPages(db)
  const { write, taskSeq } = createWriter(db)
  const writeAll = db.transaction(write)

  let unsynced: CommitOutcome[] = []
  let isSyncing = false
  let isClosed = false

  /** Null when everything was written. Throws what is neither a fault of the storage nor a refusal. */
  function tryWrite(writes: Writes): Failure | null {
    try {
      syncEachCommit(false)
      writeAll.immediate(writes)
      return null
    } catch (cause) {
      if (cause instanceof Failure) return cause
      if (!isStorageError(cause)) throw cause
      return new Failure('STORAGE_FULL', `Nothing could be written to the database: ${(cause as Error).message}.`, { cause })
    } finally {
      syncEachCommit(true)
    }
  }

  function makeDurable(): void {
    if (isSyncing || unsynced.length === 0) return
    const batches = unsynced
    unsynced = []
    isSyncing = true
    sync((cause) => {
      if (cause)
        throw new Failure('STORAGE_FULL', 'The disk did not confirm a write, so its content is unknown until the next start reads it.', {
          cause,
        })
      isSyncing = false
      for (const { durable } of batches) durable()
      makeDurable()
    })
  }

  return {
    state: readState(db),
    journal: {
      allowsEarlyOffers: true,
      readiness: () => 'ready',
      commit(writes, outcome) {
        const failure = tryWrite(writes)
        if (failure) return failure.code === 'INTERNAL' ? outcome.defect(failure, taskSeq()) : outcome.failed(failure)
        unsynced.push(outcome)
        outcome.written()
        makeDurable()
      },
      find: async (id) => byId.get(id) ?? null,
      byKey: async (key) => byKey.get(key) ?? null,
      page: async (limit, group, before) => pages.read(limit, group, before),
      attemptsOf: async (taskSeq) => attempts.all(taskSeq),
      resultFilesAmong: async (digests, since) => new Set(resultFiles.all(JSON.stringify(digests), since)),
      auditAfter: createAuditPages(db),
      async purge(before, also) {
        storageChecked('Old tasks could not be removed', () => purge(before, also))
      },
      jobs: createJobReads(db),
      async close() {
        if (isClosed) return
        isClosed = true
        close()
      },
    },
  }
}
