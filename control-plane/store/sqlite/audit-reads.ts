// Reads the audit log. control-plane/audit writes it.
import type { Database } from '../database.ts'
import type { Journal } from '../journal.ts'
import type { AuditRow } from '../rows.ts'

export function createAuditReads(db: Database): Journal['auditAfter'] {
  const after = db.prepare<[number, number], AuditRow>(
    'select seq, at, kind, subject, detail, previous, digest from audit where seq > ? order by seq limit ?',
  )
  return async (seq, limit) => after.all(seq, limit)
}
