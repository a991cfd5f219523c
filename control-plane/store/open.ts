// Opens the database of a data directory with everything that the stores share.
import type { Clock } from '#shared/runtime/clock.ts'
import type { Log } from '#shared/runtime/log.ts'
import { openDatabase, openSync, type Sync } from './database.ts'
import { createGroupCommit } from './group-commit.ts'
import { openSqliteJournal } from './sqlite/journal.ts'

export type OpenedStore = ReturnType<typeof openStore>
type Deps = {
  readonly log: Log
  readonly clock: Pick<Clock, 'after'>
  /** Wraps the sync of the log of the database, for metrics and for tests. */
  readonly timed?: (sync: Sync) => Sync
}

/** `state` is as of this moment. Throws what `openDatabase` throws. */
export function openStore(path: string, { log, clock, timed = (sync) => sync }: Deps) {
  const db = openDatabase(path)
  const wal = openSync(path)
  const { journal, state } = openSqliteJournal({ db, sync: timed(wal.sync) })
  const commits = createGroupCommit({ journal, log, clock })
  return {
    db,
    journal,
    state,
    commits,
    /** Call it after everything that is staged has settled. */
    close(): void {
      commits.end()
      wal.close()
      db.close()
    },
  }
}
