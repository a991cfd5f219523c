// The kinds of errors of PostgreSQL, by SQLSTATE. https://www.postgresql.org/docs/15/errcodes-appendix.html
import pg from 'pg'
import { Failure } from '#shared/protocol/failure.ts'
import { refused } from '../rows.ts'

/**
 * refused: a value or a constraint, nothing was written. storage: no room, a broken disk or a limit, nothing was written. again: nothing was
 * written, and the same statement may succeed. lost: the connection ended; the statement may have been carried out. defect: the statement is wrong.
 */
export type DatabaseEnding = 'refused' | 'storage' | 'again' | 'lost' | 'defect'

const CLASSES: Readonly<Record<string, DatabaseEnding>> = {
  '08': 'lost',
  '22': 'refused',
  '23': 'refused',
  '40': 'again',
  '53': 'storage',
  '58': 'storage',
  XX: 'storage',
}
const STATES: Readonly<Record<string, DatabaseEnding>> = {
  '25006': 'storage', // read only: a standby, or a disk that was made read-only
  '53300': 'lost', // too many connections, which only a new connection meets
  '55P03': 'storage', // lock_timeout
  '57014': 'storage', // statement_timeout
  '57P01': 'lost',
  '57P02': 'lost',
  '57P03': 'lost',
  '57P05': 'lost',
}

export function endingOf(error: unknown): DatabaseEnding {
  if (!(error instanceof pg.DatabaseError)) return 'lost'
  const { code = '' } = error
  return STATES[code] ?? CLASSES[code.slice(0, 2)] ?? 'defect'
}

/** The failure of a refused row: it names the table and the column. */
export function rowRefusal(error: unknown): Failure {
  const { table, column, constraint, message } = error as pg.DatabaseError
  return refused({ table: table ?? 'unknown table', column: column ?? constraint ?? null }, message, error)
}

export const storageRefusal = (error: unknown, sentence = 'Nothing could be written to the database'): Failure =>
  new Failure('STORAGE_FULL', `${sentence}: ${(error as Error).message}.`, { cause: error })
