// Pages of tasks, newest first, and of the audit log. Each group of tasks is read through an index of its own, so that the tenth page of ten
// thousand costs as much as the first.
import type { Database } from '../database.ts'
import type { Journal, TaskGroup } from '../journal.ts'
import type { AuditRow, TaskRow } from '../rows.ts'

// The repeated conditions are word for word those of the indexes: SQLite uses a partial index only when it finds its condition.
const LIVE = 'finished_at is null'
const WHERE: Readonly<Record<TaskGroup | 'all', string>> = {
  all: 'true',
  waiting: `phase = 'queued' and ${LIVE}`,
  running: `phase in ('offered','loading','running','delivering','unknown','cancelling') and ${LIVE}`,
  done: "phase = 'succeeded'",
  failed: 'finished_at is not null and result_digest is null',
}
const NEWEST = Number.MAX_SAFE_INTEGER

export function createPages(db: Database) {
  const page = (where: string) =>
    db.prepare<[number, number], TaskRow>(`select * from task where ${where} and seq < ? order by seq desc limit ?`)
  const pages = Object.fromEntries(Object.entries(WHERE).map(([group, where]) => [group, page(where)]))
  const seqOf = db.prepare<[string], { seq: number }>('select seq from task where id = ?')
  return {
    /** Null when `before` names a task that was removed. */
    read(limit: number, group: TaskGroup | null, before: string | null): TaskRow[] | null {
      const seq = before === null ? NEWEST : seqOf.get(before)?.seq
      return seq === undefined ? null : pages[group ?? 'all']!.all(seq, limit)
    },
  }
}

/** Pages of the audit log, the oldest entry first. */
export function createAuditPages(db: Database): Journal['auditAfter'] {
  const after = db.prepare<[number, number], AuditRow>(
    'select seq, at, kind, subject, detail, previous, digest from audit where seq > ? order by seq limit ?',
  )
  return async (seq, limit) => after.all(seq, limit)
}
