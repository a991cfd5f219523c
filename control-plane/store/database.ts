// Opens the one database file: pragmas, integrity of the schema version, forward-only migrations.
import { closeSync, fdatasync, openSync as open, readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import Sqlite, { type Database } from 'better-sqlite3'
import { Failure } from '#shared/protocol/failure.ts'

export type { Database }

const MIGRATIONS = join(import.meta.dirname, 'migrations')

/**
 * Opens or creates the database at `path`. Synchronous FULL: a commit that returned survives a power cut.
 * Throws Failure STORAGE_FULL when it cannot be written, UPGRADE_REQUIRED when a newer studio wrote it.
 */
export function openDatabase(path: string): Database {
  let db: Database
  try {
    db = new Sqlite(path, { timeout: 2000 })
    db.pragma('journal_mode = wal')
    db.pragma('synchronous = full')
    db.pragma('foreign_keys = on')
    db.pragma('trusted_schema = off')
    db.pragma('locking_mode = exclusive') // one studio for one data directory; a second one is told so below
    db.pragma('wal_autocheckpoint = 4000') // 16 MiB: a checkpoint syncs twice, so it should carry many turns
    migrate(db)
  } catch (error) {
    if (error instanceof Failure) throw error
    if ((error as { code?: string }).code === 'SQLITE_BUSY')
      throw new Failure('CONFLICT', `another studio is using ${path}; stop it or choose another STUDIO_DATA_DIR`, { cause: error })
    throw new Failure('STORAGE_FULL', `the database ${path} cannot be opened: ${(error as Error).message}`, { cause: error })
  }
  return db
}

function migrate(db: Database): void {
  const steps = readdirSync(MIGRATIONS)
    .filter((name) => name.endsWith('.sql'))
    .sort()
  const at = db.pragma('user_version', { simple: true }) as number
  if (at > steps.length) throw new Failure('UPGRADE_REQUIRED', 'this data directory was written by a newer studio')
  db.transaction(() => {
    for (const [index, name] of steps.entries()) if (index >= at) db.exec(readFileSync(join(MIGRATIONS, name), 'utf8'))
    db.pragma(`user_version = ${steps.length}`)
  }).immediate()
}

/** Calls back when everything that was committed before the call is on the disk. */
export type Sync = (done: (error: Error | null) => void) => void

/**
 * The sync that synchronous FULL does inside each commit, on a thread of the pool instead: the log of the database at `path` is synced
 * through a descriptor of our own. SQLite takes no locks on that file, so closing it frees none.
 */
export function openSync(path: string): { readonly sync: Sync; readonly close: () => void } {
  const file = open(`${path}-wal`, 'r+')
  return { sync: (done) => fdatasync(file, done), close: () => closeSync(file) }
}

/** True for errors after which nothing was written: a full disk, an unwritable file, a failing device. */
export const isStorageError = (error: unknown): boolean =>
  /^SQLITE_(FULL|IOERR|READONLY|CANTOPEN|NOMEM)/.test((error as { code?: string })?.code ?? '')
