// How long what has ended is kept: a week; its inputs, no longer than the task lives. A task with an idempotency key keeps its row for ever, because the key must mean the same
// task for ever.
import type { Database } from '../store/database.ts'

export type Retention = ReturnType<typeof createRetention>
const WEEK = 7 * 24 * 3600_000

export function createRetention(db: Database) {
  const rows = db.prepare('delete from task where finished_at < ? and idempotency_key is null')
  const events = db.prepare('delete from task_event where at < ?')
  const named = db.prepare<[string, number], { yes: 1 }>(
    'select 1 as yes from task where result_digest = ? and result_bytes is null and ephemeral = 0 and finished_at >= ? limit 1',
  )
  const given = db.prepare<[string], { yes: 1 }>(
    `select 1 as yes from task, json_each(task.inputs) as input
     where task.phase not in ('succeeded','failed','timed_out','cancelled') and input.value ->> 'sha256' = ? limit 1`,
  )
  let now = 0
  return {
    purge(at: number): void {
      now = at
      db.transaction(() => {
        rows.run(at - WEEK)
        events.run(at - WEEK)
      })()
    },
    /** Whether anybody may still ask for the artifact with this digest, as a result or as an input. */
    isNamed: (digest: string): boolean => named.get(digest, now - WEEK) !== undefined || given.get(digest) !== undefined,
  }
}
