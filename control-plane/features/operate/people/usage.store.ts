// The work of people by day and engine, as the table has it.
import type { Database } from '#control-plane/store/database.ts'
import { Failure } from '#shared/protocol/failure.ts'
import type { UsageRow } from './people.contract.ts'

const COLUMNS = ['person_id', 'name', 'day', 'engine', 'tasks', 'failed', 'sound_ms', 'gpu_ms'] as const
/** A program for tables takes such a cell for a formula; with a Japanese keyboard also the wide signs. */
const FORMULA = /^[=+\-@\t\r\n＝＋－＠]/

/** A table of so many rows is ten megabytes. */
export const MOST_ROWS = 50_000

type Span = { readonly from: string | null; readonly to: string | null }
const WITHIN = '(@from is null or day >= @from) and (@to is null or day <= @to)'

export function createUsageTable({ db }: { readonly db: Database }) {
  const days = db.prepare<Span, { day: string; rows: number }>(
    `select day, count(*) as rows from person_usage where ${WITHIN} group by day order by day`,
  )
  const select = db.prepare<{ day: string }, UsageRow>(`select person_id, coalesce(name, '') as name, day, engine,
      tasks, failed, sound_ms, gpu_ms from person_usage left join person on person.id = person_id
    where day = @day order by folded, person_id, engine`)

  return {
    /**
     * The rows of each day from `from` to `to`, both included; null: without that bound. The event loop is free between two days. Throws BAD_REQUEST
     * for too many rows.
     */
    async read(from: string | null, to: string | null): Promise<UsageRow[]> {
      const found = days.all({ from, to })
      if (found.reduce((sum, { rows }) => sum + rows, 0) > MOST_ROWS)
        throw new Failure('BAD_REQUEST', `This is more than ${MOST_ROWS} rows. Name fewer days with from and to.`)
      const rows: UsageRow[] = []
      for (const { day } of found) {
        rows.push(...select.all({ day }))
        await new Promise(setImmediate)
      }
      return rows
    },
    csv: (rows: readonly UsageRow[]): string =>
      [COLUMNS.join(','), ...rows.map((row) => COLUMNS.map((name) => cell(row[name])).join(','))].map((line) => `${line}\r\n`).join(''),
  }
}

function cell(value: string | number): string {
  if (typeof value === 'number') return String(value)
  const text = FORMULA.test(value) ? `'${value}` : value
  return /[",\r\n]/.test(text) ? `"${text.replaceAll('"', '""')}"` : text
}
