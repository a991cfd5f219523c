// Opens the journal with everything that the stores share.
import type { Clock } from '#shared/runtime/clock.ts'
import type { Log } from '#shared/runtime/log.ts'
import { openDatabase, openSync, type Sync } from './database.ts'
import { createGroupCommit, type GroupCommit } from './group-commit.ts'
import type { OpenedJournal } from './journal.ts'
import { openSqliteJournal } from './sqlite/journal.ts'
import type { Library } from './sqlite/library.ts'

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
