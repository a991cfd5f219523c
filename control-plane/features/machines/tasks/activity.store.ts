// The quarters of an hour of GET /workers/activity.
import { type Database, storageChecked } from '#control-plane/store/database.ts'
import type { ActivityMinute } from './events.contract.ts'

export const QUARTER_S = 900
const KEPT_S = 31 * 86_400

export type ActivityStore = ReturnType<typeof createActivityStore>

/** Throws STORAGE_FULL from `add`. */
export function createActivityStore({ db }: { readonly db: Database }) {
  const put = db.prepare<ActivityMinute>(
    `insert into activity (at, done, failed, waiting) values (@at, @done, @failed, @waiting)
      on conflict (at) do update set done = done + excluded.done, failed = failed + excluded.failed, waiting = max(waiting, excluded.waiting)`,
  )
  const drop = db.prepare<[number]>('delete from activity where at < ?')
  const write = db.transaction((quarter: ActivityMinute) => {
    put.run(quarter)
    drop.run(quarter.at - KEPT_S)
  })
  const rows = db.prepare<[number], ActivityMinute>('select at, done, failed, waiting from activity where at >= ? order by at')
  return {
    /** Adds to what the quarter has already, from before a restart. */
    add: (quarter: ActivityMinute): void => storageChecked('The activity could not be stored', () => write.immediate(quarter)),
    since: (at: number): ActivityMinute[] => rows.all(at),
  }
}
