// The library of a person: takes, voices, projects, dubs, books, glossaries and everything else that features keep in SQLite by themselves. A
// studio has one; a pool does not. In a studio the journal writes to the same file, over the same connection.
import { type Database, openDatabase } from '../database.ts'

export type Library = { readonly db: Database }
export type OpenedLibrary = Library & {
  /** Call it when no store writes any more. */
  readonly close: () => void
}

/** Throws what `openDatabase` throws. */
export function openLibrary(path: string): OpenedLibrary {
  const db = openDatabase(path)
  return { db, close: () => void db.close() }
}
