// Databases for tests of what is above them: with all migrations, without running them each time, and without syncs.
import { existsSync, writeFileSync } from 'node:fs'
import { type Database, openDatabase } from '#control-plane/store/database.ts'

let empty: Buffer | undefined
function emptyDatabase(): Buffer {
  const db = openDatabase(':memory:')
  try {
    return db.serialize()
  } finally {
    db.close()
  }
}

/**
 * Opens or creates the database at `path`, like `openDatabase`. A commit survives the end of a process, but not a power cut: a killed process
 * loses nothing that was written, so syncs would only take their time.
 */
export function openTestDatabase(path: string): Database {
  if (path !== ':memory:' && !existsSync(path)) {
    empty ??= emptyDatabase()
    writeFileSync(path, empty, { mode: 0o600 })
  }
  const db = openDatabase(path)
  db.pragma('synchronous = off')
  return db
}
