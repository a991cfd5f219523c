// The work of people by day and engine, as the table has it.
import type { Database } from '#control-plane/store/database.ts'
import type { UsageRow } from './people.contract.ts'

const COLUMNS = ['person_id', 'name', 'day', 'engine', 'tasks', 'failed', 'sound_ms', 'gpu_ms'] as const
/** A program for tables takes such a cell for a formula. */
const FORMULA = /^[=+\-@\t\r]/

export function createUsageTable({ db }: { readonly db: Database }) {
  const select = db.prepare<
    { from: string | null; to: string | null },
    UsageRow
  >(`select person_id, coalesce(name, '') as name, day, engine,
      tasks, failed, sound_ms, gpu_ms from person_usage left join person on person.id = person_id
    where (@from is null or day >= @from) and (@to is null or day <= @to) order by day, folded, person_id, engine`)

  return {
    /** Days from `from` to `to`, both included; null: without that bound. */
    read: (from: string | null, to: string | null): UsageRow[] => select.all({ from, to }),
    csv: (rows: readonly UsageRow[]): string =>
      [COLUMNS.join(','), ...rows.map((row) => COLUMNS.map((name) => cell(row[name])).join(','))].map((line) => `${line}\r\n`).join(''),
  }
}

function cell(value: string | number): string {
  if (typeof value === 'number') return String(value)
  const text = FORMULA.test(value) ? `'${value}` : value
  return /[",\r\n]/.test(text) ? `"${text.replaceAll('"', '""')}"` : text
}
