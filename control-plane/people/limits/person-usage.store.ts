// Reads the limits of people, and their work that has ended. That is written with the ends of the tasks, in their batches (people-limits.ts).

import { z } from 'zod'
import type { Database } from '#control-plane/store/database.ts'
import type { PersonLimits } from '#shared/protocol/access/person.ts'
import type { Spent } from './limits.ts'

type LimitsRow = Omit<PersonLimits, 'machines'> & { readonly machines: string | null }
export type PersonUsage = ReturnType<typeof createPersonUsage>

const Machines = z.array(z.string())

export function createPersonUsage({ db }: { readonly db: Database }) {
  const spent = db.prepare<{ person: string; day: string; month: string }, Spent>(`select
      coalesce(sum(sound_ms) filter (where day = @day), 0) as soundMs, coalesce(sum(gpu_ms), 0) as gpuMs
    from person_usage where person_id = @person and day >= @month and day < @month || '~'`)
  const limits = db.prepare<[string], LimitsRow>(
    'select sound_minutes_a_day, gpu_minutes_a_month, tasks_at_once, disk_bytes, machines from person where id = ?',
  )

  return {
    /** The limits of a person, as they are now; null for an unknown one. */
    limitsOf(person: string): PersonLimits | null {
      const row = limits.get(person)
      return row ? { ...row, machines: row.machines === null ? null : Machines.parse(JSON.parse(row.machines)) } : null
    },
    /** Sound of the day, and time on a GPU of its month, of one person. `day`: YYYY-MM-DD. */
    spentOn: (person: string, day: string): Spent => spent.get({ person, day, month: day.slice(0, 7) })!,
  }
}
