// Reads the work of people that has ended. It is written with the ends of the tasks, in their batches (people-limits.ts).

import type { Database } from '#control-plane/store/database.ts'
import type { Spent } from './limits.ts'

export type PersonUsage = ReturnType<typeof createPersonUsage>

export function createPersonUsage({ db }: { readonly db: Database }) {
  const spent = db.prepare<{ person: string; day: string; month: string }, Spent>(`select
      coalesce(sum(sound_ms) filter (where day = @day), 0) as soundMs, coalesce(sum(gpu_ms), 0) as gpuMs
    from person_usage where person_id = @person and day >= @month and day < @month || '~'`)

  return {
    /** Sound of the day, and time on a GPU of its month, of one person. `day`: YYYY-MM-DD. */
    spentOn: (person: string, day: string): Spent => spent.get({ person, day, month: day.slice(0, 7) })!,
  }
}
