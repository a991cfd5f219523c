// A write that the database refuses: a value of the wrong type, a constraint, a trigger, a value that cannot be bound. It is a defect of
// the studio, so it fails the request, task or job that caused it, and its message names the table and the column.
import type { Database } from 'better-sqlite3'
import { Failure } from '#shared/protocol/failure.ts'
import { refused } from '../rows.ts'

type Bound = readonly unknown[]

// SQLITE_ERROR is a function that failed inside a statement, such as a malformed JSON text.
const REFUSALS = /^SQLITE_(CONSTRAINT|MISMATCH|TOOBIG|RANGE|ERROR)/

/** Null for an error of the storage, which says nothing about the values. */
function refusalOf(error: unknown, sql: string, values: Bound): Failure | null {
  if (error instanceof Failure || !(error instanceof Error)) return null
  const { code } = error as { code?: string }
  const isRefused = code === undefined ? error instanceof TypeError || error instanceof RangeError : REFUSALS.test(code)
  if (!isRefused) return null
  const table = /\b(?:into|update|from)\s+(\w+)/i.exec(sql)?.[1] ?? 'unknown table'
  // Such as "NOT NULL constraint failed: task.id".
  const [named, column] =
    error.message
      .split(/[ ,]/)
      .find((word) => word.includes('.'))
      ?.split('.') ?? []
  const place = named && column && code !== undefined ? { table: named, column } : { table, column: unboundName(values) }
  return refused(place, error.message, error)
}

/** The name of the parameter that has no value that SQLite can store. */
function unboundName([named]: Bound): string | null {
  if (typeof named !== 'object' || named === null || Buffer.isBuffer(named) || Array.isArray(named)) return null
  const isStorable = (value: unknown) => value === null || ['string', 'number', 'bigint'].includes(typeof value) || Buffer.isBuffer(value)
  return Object.entries(named).find(([, value]) => !isStorable(value))?.[0] ?? null
}

/** Makes every statement that is prepared from now on throw INTERNAL for a refusal. */
export function nameRefusals(db: Database): Database {
  const prepare = db.prepare.bind(db) as (sql: string) => Statement
  return Object.assign(db, { prepare: (sql: string) => guarded(prepare(sql), sql) })
}

type Method = (...values: unknown[]) => unknown
type Statement = { run: Method; get: Method; all: Method }

function guarded(statement: Statement, sql: string): Statement {
  for (const name of ['run', 'get', 'all'] as const) {
    const method = statement[name].bind(statement)
    statement[name] = (...values) => {
      try {
        return method(...values)
      } catch (error) {
        throw refusalOf(error, sql, values) ?? error
      }
    }
  }
  return statement
}
