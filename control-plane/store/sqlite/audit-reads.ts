// Reads the audit log. control-plane/audit writes it.
import { type Database, openCopy } from '../database.ts'
import type { Journal } from '../journal.ts'
import type { AuditRow } from '../rows.ts'

export function createAuditReads(db: Database): Journal['auditAfter'] {
  const after = db.prepare<[number, number], AuditRow>(
    'select seq, at, kind, subject, detail, previous, digest from audit where seq > ? order by seq limit ?',
  )
  return async (seq, limit) => after.all(seq, limit)
}

/** An audit log at one moment, with the settings of that moment. */
export type AuditSource = Pick<Journal, 'auditAfter'> & { readonly setting: (key: string) => Promise<string | null> }

/** The result of `read` for the log in the database at `path`, also while a studio runs on it. Rejects with what `openCopy` throws. */
export async function readAuditCopy<T>(path: string, read: (source: AuditSource) => Promise<T>): Promise<T> {
  const { db, close } = openCopy(path)
  try {
    const value = db.prepare<[string], string>('select value from setting where key = ?').pluck()
    return await read({ auditAfter: createAuditReads(db), setting: async (key) => value.get(key) ?? null })
  } finally {
    close()
  }
}
