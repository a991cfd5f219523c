// Backups of the database: one before each migration, and one whenever the owner wants it. A backup holds secrets only in encrypted form;
// the key is in another file.
import { closeSync, existsSync, linkSync, openSync, readdirSync, renameSync, rmSync, statSync } from 'node:fs'
import { basename, dirname } from 'node:path'
import Sqlite, { type Database } from 'better-sqlite3'
import { Failure } from '#shared/protocol/failure.ts'
import { fileIn, isDiskError, syncNow } from '#shared/runtime/file.ts'
import { clearUnfinished, unfinishedIn } from '#shared/runtime/unfinished.ts'
import { copyDatabase, newestVersion, oldestVersion, readCopy, versionObjection } from '../database.ts'
import { checkForeign } from './foreign-database.ts'

export const BACKUPS_KEPT = 3
/** A larger database is not copied at a start, which would take too long. */
const MAX_BYTES = 500 * 1000 * 1000

/** The setting for the rows of takes whose files are missing, and its value after a restore: they stay. */
export const KEEP_MISSING = { key: 'history.missing', value: 'keep' } as const

export type Backup = { readonly path: string; readonly createdAt: number; readonly bytes: number }

/** Version of the database that was copied. */
export const versionOfBackup = ({ path }: Pick<Backup, 'path'>): number => Number(/backup-(\d+)-\d+$/.exec(path)?.[1])

/** The backups beside the database, newest first. Times are epoch milliseconds. */
export function listBackups(path: string): Backup[] {
  const prefix = `${basename(path)}.backup-`
  return readdirSync(dirname(path))
    .filter((name) => name.startsWith(prefix) && /^\d{1,6}-\d{1,6}$/.test(name.slice(prefix.length)))
    .map((name) => ({ place: fileIn(dirname(path), name), numbers: name.slice(prefix.length).split('-').map(Number) }))
    .flatMap(({ place, numbers: [version = 0, count = 0] }) => {
      const found = statSync(place, { throwIfNoEntry: false })
      return found?.isFile() ? [{ version, count, backup: { path: place, createdAt: found.mtimeMs, bytes: found.size } }] : []
    })
    .sort((a, b) => b.backup.createdAt - a.backup.createdAt || b.version - a.version || b.count - a.count)
    .map(({ backup }) => backup)
}

/**
 * Copies a database that the next open would migrate, and removes older backups. Resolves with the path of the copy; null when there is nothing
 * to migrate, when the database is too large, or when another studio uses it. Rejects with disk errors.
 */
export async function backupBeforeMigration(path: string): Promise<string | null> {
  tidyUp(path)
  if (!existsSync(path) || statSync(path).size > MAX_BYTES) return null
  const db = openQuietly(path)
  if (!db) return null
  try {
    const version = db.pragma('user_version', { simple: true }) as number
    if (version < oldestVersion() || version >= newestVersion()) return null
    const place = nextPlace(path, version)
    await writeBackup(db, place)
    for (const { path: old } of listBackups(path).slice(BACKUPS_KEPT)) rmSync(old, { force: true })
    return place
  } finally {
    db.close()
  }
}

/** Null when another process holds the database, or when it is no database; opening it for use reports both. */
function openQuietly(path: string): Database | null {
  const db = new Sqlite(path, { timeout: 0 })
  try {
    db.pragma('user_version')
    return db
  } catch {
    db.close()
    return null
  }
}

/** True while a studio uses the database at `path`. */
export function isInUse(path: string): boolean {
  if (!existsSync(path)) return false
  const db = openQuietly(path)
  db?.close()
  return db === null
}

function nextPlace(path: string, version: number): string {
  const prefix = `${path}.backup-${version}-`
  const counts = listBackups(path).flatMap(({ path: place }) => (place.startsWith(prefix) ? Number(place.slice(prefix.length)) : []))
  return `${prefix}${Math.max(0, ...counts) + 1}`
}

/** A new private file in the folder that only its process uses. Only the owner can read it, also when the umask of the program permits more. */
function createUnfinished(folder: string): string {
  const path = unfinishedIn(folder)
  discard(path)
  closeSync(openSync(path, 'wx', 0o600))
  return path
}
/** Removes a database that is not needed, with its journals: a journal would be applied to the next file of this name. */
function discard(path: string): void {
  for (const suffix of ['', '-journal', '-wal', '-shm']) rmSync(`${path}${suffix}`, { force: true })
}

/** SQLite's online backup into a new private file, durable when it resolves. */
async function writeBackup(db: Database, place: string): Promise<void> {
  const unfinished = createUnfinished(dirname(place))
  try {
    await db.backup(unfinished)
    syncNow(unfinished)
    renameSync(unfinished, place)
    syncNow(dirname(place))
  } finally {
    discard(unfinished)
  }
}

/**
 * Writes a backup of the database at `path`, which a running studio may use, to the new file `target`. Throws NOT_FOUND without a database,
 * CONFLICT when the target exists, and disk errors.
 */
export function backupTo(path: string, target: string): void {
  if (existsSync(target)) throw new Failure('CONFLICT', `${target} exists already. Choose another file name.`)
  const unfinished = createUnfinished(dirname(target))
  try {
    // VACUUM INTO is the online backup that also leaves out free pages.
    readCopy(path, (db) => db.prepare('vacuum into ?').run(unfinished))
    syncNow(unfinished)
    renameSync(unfinished, target)
    syncNow(dirname(target))
  } finally {
    discard(unfinished)
  }
}

/**
 * Replaces the database at `path` by the backup, atomically. The old one stays beside it; its path is returned, or null if there was none.
 * Throws NOT_FOUND, BAD_REQUEST for a file that is no intact database of this studio or names files elsewhere, UPGRADE_REQUIRED for one of a
 * newer version, and CONFLICT while a studio runs. `note` gets the path of the old one before it is replaced.
 */
export async function restoreBackup(backup: string, path: string, note?: (kept: string) => void): Promise<string | null> {
  if (!existsSync(backup)) throw new Failure('NOT_FOUND', `There is no file ${backup}.`)
  tidyUp(path)
  const checked = createUnfinished(dirname(path))
  try {
    copyChecked(backup, checked)
    const held = existsSync(path) ? hold(path) : null
    // Without its database, a write-ahead log would be applied to the restored one.
    if (!held) removeLog(path)
    try {
      const kept = held ? keepOld(path) : null
      if (kept !== null) note?.(kept)
      renameSync(checked, path)
      syncNow(dirname(path))
      return kept
    } finally {
      held?.close()
    }
  } finally {
    discard(checked)
  }
}

/** Puts back what `restoreBackup` kept, atomically; the database that it replaces is deleted. Throws CONFLICT while a studio runs, and disk errors. */
export function undoRestore(kept: string, path: string): void {
  const held = existsSync(path) ? hold(path) : null
  if (!held) removeLog(path)
  try {
    renameSync(kept, path)
    syncNow(dirname(path))
  } finally {
    held?.close()
  }
}

/** Removes what killed backups and restores left beside the database. */
function tidyUp(path: string): void {
  const folder = dirname(path)
  clearUnfinished(folder)
  const own = statSync(path, { throwIfNoEntry: false })
  for (const name of readdirSync(folder)) {
    const place = fileIn(folder, name)
    // A second name of the database itself, which is no copy: the restore was killed before it replaced the database.
    if (name.startsWith(`${basename(path)}.before-restore-`) && own && statSync(place).ino === own.ino) rmSync(place, { force: true })
  }
}

/**
 * Writes a checked copy of the database of a backup, which another program may have written, to the new file `target`, and notes in it that the
 * files of takes may be missing: their rows stay until the owner permits their removal. `name`: of the backup. Throws as `restoreBackup`.
 */
export function copyForeign(backup: string, target: string, name: string): void {
  closeSync(openSync(target, 'wx', 0o600))
  copyChecked(backup, target, name)
}

/** The folder of the models that the owner chose in this database; '' for the usual one. */
export function modelsFolderIn(database: string): string {
  const db = new Sqlite(database, { readonly: true })
  try {
    return db.prepare<[], string>("select value from setting where key = 'storage.models_dir'").pluck().get() ?? ''
  } finally {
    db.close()
  }
}

/** The backup itself is only read as a file: SQLite would leave a log beside it. */
function copyChecked(backup: string, target: string, name = backup): void {
  let db: Database | null = null
  try {
    copyDatabase(backup, target)
    db = new Sqlite(target)
    db.pragma('journal_mode = delete') // with everything of its log
    const version = db.pragma('user_version', { simple: true }) as number
    const isOurs = version > 0 && db.prepare("select 1 from sqlite_schema where type = 'table' and name = 'setting'").get() !== undefined
    if (!isOurs) throw new Error('it was not written by a studio')
    const objection = versionObjection(version)
    if (objection !== '') throw new Failure('UPGRADE_REQUIRED', `The backup ${objection}`)
    checkForeign(db, version)
    const keep = db.prepare('insert into setting (key, value) values (@key, @value) on conflict (key) do update set value = excluded.value')
    keep.run(KEEP_MISSING)
    db.close()
    syncNow(target)
  } catch (error) {
    if (error instanceof Failure || isDiskError(error)) throw error
    throw new Failure('BAD_REQUEST', `${name} cannot be restored: ${(error as Error).message}.`, { cause: error })
  } finally {
    db?.close()
  }
}

/** Holds the only connection to the database, with everything of its write-ahead log in the main file. */
function hold(path: string): Database {
  const db = new Sqlite(path, { timeout: 0 })
  try {
    // Leaving the write-ahead log moves its content into the main file and deletes it. No exclusive locking mode, which keeps the journal of
    // that change: a kill would leave it beside the restored database.
    db.pragma('journal_mode = delete')
    db.exec('begin exclusive')
    return db
  } catch (error) {
    db.close()
    const { code = '' } = error as { code?: string }
    if (/^SQLITE_(BUSY|LOCKED)/.test(code))
      throw new Failure('CONFLICT', 'A studio is using this data directory. Stop it, then restore the backup.', { cause: error })
    if (!/^SQLITE_(NOTADB|CORRUPT)/.test(code)) throw error
    // A damaged database is what a restore repairs.
    removeLog(path)
    return new Sqlite(':memory:')
  }
}

function removeLog(path: string): void {
  for (const suffix of ['-wal', '-shm']) rmSync(`${path}${suffix}`, { force: true })
}

function keepOld(path: string): string {
  for (let count = 1; ; count++) {
    const kept = `${path}.before-restore-${count}`
    if (existsSync(kept)) continue
    linkSync(path, kept)
    return kept
  }
}
