// Reads the audit log without the studio that writes it.
import { openCopy } from '../database.ts'
import type { Journal } from '../journal.ts'
import { createAuditPages } from './pages.ts'

/** An audit log at one moment, with the settings of that moment. */
export type AuditSource = Pick<Journal, 'auditAfter'> & { readonly setting: (key: string) => Promise<string | null> }

/** The result of `read` for the log in the database at `path`, also while a studio runs on it. Rejects with what `openCopy` throws. */
export async function readAuditCopy<T>(path: string, read: (source: AuditSource) => Promise<T>): Promise<T> {
  const { db, close } = openCopy(path)
  try {
    const value = db.prepare<[string], string>('select value from setting where key = ?').pluck()
    return await read({ auditAfter: createAuditPages(db), setting: async (key) => value.get(key) ?? null })
  } finally {
    close()
  }
}
