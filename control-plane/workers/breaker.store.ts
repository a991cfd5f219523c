// The table of the breakers that have tripped.
import type { Database } from '../store/database.ts'

export type BreakerRow = {
  readonly workerId: string
  readonly modelKey: string
  readonly state: 'closed' | 'open' | 'half_open'
  readonly trips: number
  /** Epoch milliseconds; null unless open. */
  readonly retryAt: number | null
  readonly reason: string
}
export type BreakerStore = ReturnType<typeof createBreakerStore>

export function createBreakerStore(db: Database) {
  const all = db.prepare<[], BreakerRow>(
    'select worker_id as workerId, model_key as modelKey, state, trips, retry_at as retryAt, reason from breaker',
  )
  const put = db.prepare(`insert into breaker (worker_id, model_key, state, trips, retry_at, reason)
    values (@workerId, @modelKey, @state, @trips, @retryAt, @reason)
    on conflict (worker_id, model_key) do update
    set state = excluded.state, trips = excluded.trips, retry_at = excluded.retry_at, reason = excluded.reason`)
  const remove = db.prepare('delete from breaker where worker_id = ?')
  return {
    all: (): BreakerRow[] => all.all(),
    put: (row: BreakerRow): void => void put.run(row),
    remove: (workerId: string): void => void remove.run(workerId),
  }
}
