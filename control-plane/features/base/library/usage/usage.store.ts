// Reads the figures of takes in parts, so that a long history does not block the event loop.
import type { Database } from '#control-plane/store/database.ts'
import { QUARTER_SECONDS, type TakeGroup, type TakePart } from './usage.rules.ts'

/** Read within about 10 ms. */
const PART_TAKES = 10_000

/** The parts of the history, oldest first, as of the moment when each is read. */
export function createUsageStore({ db }: { readonly db: Database }) {
  const endOf = db
    .prepare<[number, number], number | null>(
      'select max(seq) from (select seq from generation_history where seq > ? order by seq limit ?)',
    )
    .pluck()
  const groups = db.prepare<[number, number], TakeGroup>(`select mode, language, count(*) as takes, sum(starred) as starred,
    sum(duration_seconds) as audio_seconds, sum(generation_time) as compute_seconds, min(created_at) as first_at, max(created_at) as last_at
    from generation_history where seq > ? and seq <= ? group by mode, language`)
  const quarters = db
    .prepare<[number, number], number>(
      `select distinct cast(created_at / ${QUARTER_SECONDS} as integer) from generation_history where seq > ? and seq <= ?`,
    )
    .pluck()

  return {
    *parts(): Generator<TakePart> {
      for (let from = 0; ; ) {
        const to = endOf.get(from, PART_TAKES) ?? null
        if (to === null) return
        yield { groups: groups.all(from, to), quarters: quarters.all(from, to) }
        from = to
      }
    },
  }
}
