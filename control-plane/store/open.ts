// Opens the journal with everything that the stores share, and the library.
import type { Clock } from '#shared/runtime/clock.ts'
import type { Log } from '#shared/runtime/log.ts'
import { type Database, openDatabase, openSync, type Sync } from './database.ts'
import { createGroupCommit, type GroupCommit } from './group-commit.ts'
import type { OpenedJournal } from './journal.ts'
import { openSqliteJournal } from './sqlite/journal.ts'

/**
 * The library of a person: takes, voices, projects, dubs, books, glossaries and everything else that features keep in SQLite by themselves. A
 * studio has one; a pool does not. In a studio the journal writes to the same file, over the same connection.
 */
export type Library = { readonly db: Database }
type OpenedLibrary = Library & {
  /** Call it when no store writes any more. */
  readonly close: () => void
}

/** Throws what `openDatabase` throws. */
export function openLibrary(path: string): OpenedLibrary {
  const db = openDatabase(path)
  return { db, close: () => void db.close() }
}

/** `library`: that of the same file, over whose connection the journal writes. Without one the journal opens the file by itself. */
export type SqliteOptions = { readonly kind: 'sqlite'; readonly path: string; readonly library?: Library }
export type StoreOptions = SqliteOptions

export type OpenedStore = OpenedJournal & {
  readonly commits: GroupCommit
  /** Call it after everything that is staged has settled. */
  readonly close: () => Promise<void>
}
type Deps = {
  readonly log: Log
  readonly clock: Pick<Clock, 'after'>
  /** Wraps the sync of the log of the database, for metrics and for tests. */
  readonly timed?: (sync: Sync) => Sync
}

/** `state` is as of this moment. Rejects with what `openDatabase` throws. */
export async function openStore(options: StoreOptions, deps: Deps): Promise<OpenedStore> {
  return openSqliteStore(options, deps)
}

/** Same as `openStore`, for SQLite, which opens at once. */
export function openSqliteStore({ path, library }: SqliteOptions, { timed = (sync) => sync, ...deps }: Deps): OpenedStore {
  const db = library?.db ?? openDatabase(path)
  const wal = openSync(path)
  const close = () => {
    wal.close()
    if (!library) db.close()
  }
  return storeOf(openSqliteJournal({ db, sync: timed(wal.sync), close }), deps)
}

function storeOf({ journal, state }: OpenedJournal, { log, clock }: Deps): OpenedStore {
  const commits = createGroupCommit({ journal, log, clock })
  return {
    journal,
    state,
    commits,
    close() {
      commits.end()
      return journal.close()
    },
  }
}
