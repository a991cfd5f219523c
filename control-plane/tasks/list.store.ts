// Pages of tasks, newest first. Each group is read through an index of its own, so that the tenth page of ten thousand costs what the first does.
import type { Database } from '../store/database.ts'
import type { TaskRow } from './row.ts'

export const TASK_GROUPS = ['waiting', 'running', 'done', 'failed'] as const
export type TaskGroup = (typeof TASK_GROUPS)[number]

// The repeated conditions are word for word those of the indexes: SQLite uses one only when it sees that.
const LIVE = "phase not in ('succeeded','failed','timed_out','cancelled')"
const WHERE: Readonly<Record<TaskGroup | 'all', string>> = {
  all: 'true',
  waiting: `phase = 'queued' and ${LIVE}`,
  running: `phase in ('offered','loading','running','delivering','unknown','cancelling') and ${LIVE}`,
  done: "phase = 'succeeded'",
  failed: "phase in ('failed','timed_out','cancelled')",
}
const NOW = Number.MAX_SAFE_INTEGER

export function taskLists(db: Database) {
  const page = (where: string) =>
    db.prepare<[number, number], TaskRow>(`select * from task where ${where} and seq < ? order by seq desc limit ?`)
  const pages = Object.fromEntries(Object.entries(WHERE).map(([group, where]) => [group, page(where)]))
  const seqOf = db.prepare<[string], { seq: number }>('select seq from task where id = ?')
  return {
    /** Null when `before` names a task that is not kept any more. */
    read(limit: number, group: TaskGroup | null, before: string | null): TaskRow[] | null {
      const seq = before === null ? NOW : seqOf.get(before)?.seq
      return seq === undefined ? null : pages[group ?? 'all']!.all(seq, limit)
    },
  }
}
