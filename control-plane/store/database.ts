// Opens the database file: pragmas, schema version, forward-only migrations.
import {
  closeSync,
  constants,
  copyFileSync,
  existsSync,
  fdatasync,
  mkdtempSync,
  openSync as open,
  readdirSync,
  readFileSync,
  readSync,
  rmSync,
  statSync,
  truncateSync,
  writeFileSync,
} from 'node:fs'
import { dirname, join } from 'node:path'
import Sqlite, { type Database } from 'better-sqlite3'
import { Failure } from '#shared/protocol/failure.ts'
import { isStorageError } from '#shared/runtime/file.ts'
import { unfinishedIn } from '#shared/runtime/unfinished.ts'
import { nameRefusals } from './sqlite/refusal.ts'

export type { Database }

const MIGRATIONS = join(import.meta.dirname, 'migrations')

/**
 * Opens or creates the database at `path`. Synchronous FULL: a commit that returned survives a power cut. Its statements throw INTERNAL for
 * a row that the database refuses.
 * Throws Failure STORAGE_FULL when it cannot be written, UPGRADE_REQUIRED when a newer studio wrote it, or one before the first release.
 */
export function openDatabase(path: string): Database {
  let db: Database | null = null
  try {
    db = nameRefusals(new Sqlite(path, { timeout: 2000 }))
    db.pragma('journal_mode = wal')
    db.pragma('synchronous = full')
    db.pragma('foreign_keys = on')
    db.pragma('trusted_schema = off')
    db.pragma('locking_mode = exclusive') // one studio for one data directory; a second one gets the CONFLICT below
    db.pragma('wal_autocheckpoint = 4000') // 16 MiB: a checkpoint syncs twice, so it should carry many batches
    migrate(db)
  } catch (error) {
    db?.close() // its log would stay beside it
    if (error instanceof Failure) throw error
    if ((error as { code?: string }).code === 'SQLITE_BUSY')
      throw new Failure('CONFLICT', `Another studio is using ${path}. Stop it or choose another STUDIO_DATA_DIR.`, { cause: error })
    throw new Failure('STORAGE_FULL', `The database ${path} cannot be opened: ${(error as Error).message}.`, { cause: error })
  }
  return db
}

type Migration = { readonly version: number; readonly file: string }
/** In order. A file is called after the version that it makes; the first one makes a whole database, that of the first release. */
const migrations = (): Migration[] =>
  readdirSync(MIGRATIONS)
    .filter((name) => name.endsWith('.sql'))
    .sort()
    .map((name) => ({ version: Number(name.slice(0, name.indexOf('_'))), file: join(MIGRATIONS, name) }))

/** The version of a database that this studio has opened. */
export const newestVersion = (): number => migrations().at(-1)!.version
/** The oldest version of a database that this studio reads. */
export const oldestVersion = (): number => migrations()[0]!.version

/** Objection to the version of a database or backup; '' for one that this studio reads. */
export function versionObjection(version: number): string {
  if (version > newestVersion()) return 'was written by a newer studio. Update this one.'
  if (version >= oldestVersion()) return ''
  return 'was written by a studio before the first release, in a form that this one does not read. Start the newest version 0.5 with it once, which brings it up to date.'
}

/** An empty database in memory, as the studio of a version made it. */
export function emptyDatabase(version: number): Database {
  const db = new Sqlite(':memory:')
  migrate(db, version)
  return db
}

function migrate(db: Database, version = newestVersion()): void {
  const at = versionOf(db)
  const objection = at === 0 ? '' : versionObjection(at)
  if (objection !== '') throw new Failure('UPGRADE_REQUIRED', `This data directory ${objection}`)
  const steps = migrations().filter((step) => step.version > at && step.version <= version)
  if (steps.length === 0) return
  db.unsafeMode() // a migration may replace the text of a constraint
  try {
    db.transaction(() => {
      for (const { file } of steps) db.exec(readFileSync(file, 'utf8'))
      db.pragma(`user_version = ${version}`)
    }).immediate()
  } finally {
    db.unsafeMode(false)
  }
}

/** Calls back when everything that was committed before the call is on the disk. */
export type Sync = (done: (error: Error | null) => void) => void

/**
 * The sync that synchronous FULL does inside each commit, on a thread of the pool instead: the log of the database at `path` is synced
 * through a descriptor of our own. SQLite takes no locks on that file, so closing it frees none.
 */
export function openSync(path: string): { readonly sync: Sync; readonly close: () => void } {
  const file = open(`${path}-wal`, 'r+')
  let isOpen = true
  return {
    // A batch that still waits when the database is closed is not confirmed to anybody.
    sync: (done) => void (isOpen && fdatasync(file, done)),
    close() {
      isOpen = false
      closeSync(file)
    },
  }
}

const COPY_TRIES = 5
/**
 * Opens a temporary copy of the database at `path` beside it, without a lock: a running studio holds an exclusive lock. The copy is
 * complete when the log still has the header it had before: a checkpoint that ran meanwhile moved only pages that this log contains.
 * Throws NOT_FOUND where there is no database, CONFLICT when it changes too fast to be copied. `close` removes the copy.
 */
export function openCopy(path: string, copyMain = copyFile): { readonly db: Database; readonly close: () => void } {
  if (!existsSync(path)) throw new Failure('NOT_FOUND', `There is no database at ${path}. Check STUDIO_DATA_DIR.`)
  const folder = mkdtempSync(unfinishedIn(dirname(path), '-')) // 0700
  const copy = join(folder, 'copy.db')
  let db: Database | null = null
  const close = () => {
    db?.close()
    rmSync(folder, { recursive: true, force: true })
  }
  try {
    copyDatabase(path, copy, copyMain)
    db = new Sqlite(copy)
    return { db, close }
  } catch (error) {
    close()
    throw error
  }
}

/** The result of `read` for a copy of the database at `path`. Throws what `openCopy` throws. */
export function readCopy<T>(path: string, read: (db: Database) => T, copyMain = copyFile): T {
  const copy = openCopy(path, copyMain)
  try {
    return read(copy.db)
  } finally {
    copy.close()
  }
}

/** A larger database is not copied for a trial: its version says enough. */
const TRIAL_BYTES = 500 * 1000 * 1000
/**
 * The version of the database at `path`, of which a copy was brought to the newest version to see that it works. Throws UPGRADE_REQUIRED for one that
 * this studio does not read, NOT_FOUND where there is none, and what a migration throws.
 */
export function tryMigrations(path: string): number {
  if (statSync(path).size > TRIAL_BYTES) {
    const at = versionAt(path)
    if (at !== 0 && versionObjection(at) !== '') throw new Failure('UPGRADE_REQUIRED', `This data directory ${versionObjection(at)}`)
    return at
  }
  return readCopy(path, (db) => {
    const at = versionOf(db)
    migrate(db)
    return at
  })
}
/** The version is in the first page, so the copy has only that and the log, however large the database is. */
export const versionAt = (path: string): number => readCopy(path, versionOf, copyHead)
const versionOf = (db: Database): number => db.pragma('user_version', { simple: true }) as number

/** Copies a database with its log, also while it is written. Throws CONFLICT when it changes too fast, and disk errors. */
export function copyDatabase(path: string, copy: string, copyMain = copyFile): void {
  for (let tries = 0; ; tries++) {
    const header = headerOf(`${path}-wal`)
    copyMain(path, copy)
    rmSync(`${copy}-wal`, { force: true })
    if (header !== '') copyFileSync(`${path}-wal`, `${copy}-wal`, constants.COPYFILE_FICLONE)
    if (headerOf(`${copy}-wal`) === header && headerOf(`${path}-wal`) === header) return
    if (tries === COPY_TRIES) throw new Failure('CONFLICT', `${path} is being written too fast. Try again.`)
  }
}

function copyFile(path: string, copy: string): void {
  copyFileSync(path, copy, constants.COPYFILE_FICLONE)
}

/** A page has 64 KiB at most. */
const HEAD_BYTES = 64 * 1024
/** Copies the beginning; the rest is a hole in the file, which SQLite expects to have its full size. */
function copyHead(path: string, copy: string): void {
  const file = open(path, 'r')
  try {
    const head = Buffer.alloc(HEAD_BYTES)
    const bytes = readSync(file, head, 0, HEAD_BYTES, 0)
    writeFileSync(copy, head.subarray(0, bytes), { mode: 0o600 })
    truncateSync(copy, statSync(path).size)
  } finally {
    closeSync(file)
  }
}

/** The first bytes of a write-ahead log name its generation; empty when there is none. */
function headerOf(path: string): string {
  if (!existsSync(path)) return ''
  const file = open(path, 'r')
  try {
    const header = Buffer.alloc(32)
    return header.subarray(0, readSync(file, header, 0, 32, 0)).toString('hex')
  } finally {
    closeSync(file)
  }
}

/** The result of `write`. Throws STORAGE_FULL, with `failed` as the sentence, when the storage is full or broken. */
export function storageChecked<T>(failed: string, write: () => T): T {
  try {
    return write()
  } catch (cause) {
    if (!isStorageError(cause)) throw cause
    throw new Failure('STORAGE_FULL', `${failed}: ${(cause as Error).message}.`, { cause })
  }
}
