// Remedies for a database that cannot be used: the message of a start that fails.

import { existsSync } from 'node:fs'
import { basename, dirname, join } from 'node:path'
import { Failure } from '#shared/protocol/failure.ts'
import { COMMAND } from '#shared/protocol/version.ts'
import { versionObjection } from '../database.ts'
import { listBackups, versionOfBackup } from './backup.ts'
import { isHalfRestored } from './half-restored.ts'

/** Null for an error that is not about the file of the database at `path`. */
export function wayBack(error: unknown, path: string): string | null {
  if (error instanceof Failure && error.code === 'UPGRADE_REQUIRED')
    return `${error.message} ${toRollback(path)}${fromBackup(path, 'To go back instead')}`
  const { code = '', message } = sqliteErrorOf(error) ?? {}
  if (code === 'SQLITE_NOTADB' && isHalfRestored(dirname(path)))
    return `A restore into ${dirname(path)} was not completed. Empty the folder, then run ${COMMAND} restore again.`
  if (/^SQLITE_(?:CORRUPT|NOTADB)/.test(code))
    return `The database ${path} is damaged (${message}). ${fromBackup(path, 'To use its newest backup')} The damaged file is kept.`
  if (/^SQLITE_(?:CANTOPEN|READONLY|PERM)/.test(code))
    return `The data directory ${dirname(path)} is read-only, or its files are (${message}). Make it writable, or choose another STUDIO_DATA_DIR.`
  return null
}

/** The version that changed the database has a folder beside it, and the copy from before the change. */
const toRollback = (path: string): string =>
  existsSync(join(dirname(path), 'program', 'state.json'))
    ? `To return to the version before the update, with the database as it was, run ${COMMAND} rollback. `
    : ''

type SqliteError = { readonly code: string; readonly message: string }
function sqliteErrorOf(error: unknown): SqliteError | null {
  for (let at = error; at instanceof Error; at = at.cause) {
    const { code } = at as { code?: unknown }
    if (typeof code === 'string' && code.startsWith('SQLITE_')) return { code, message: at.message }
  }
  return null
}

function fromBackup(path: string, what: string): string {
  const backups = listBackups(path)
  const newest = backups.find((backup) => versionObjection(versionOfBackup(backup)) === '')
  if (!newest) {
    const none = `${backups.length === 0 ? 'There is no backup' : 'This version can restore none of the backups'} of ${basename(path)} beside it.`
    return `${none} If you have one elsewhere, put it in place with ${COMMAND} restore FILE.`
  }
  return `${what}, run ${COMMAND} restore ${newest.path} (of ${new Date(newest.createdAt).toISOString().slice(0, 16).replace('T', ' ')} UTC).`
}
