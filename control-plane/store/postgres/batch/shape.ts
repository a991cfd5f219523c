// The forms of the expressions that write a table.
import type { Writes } from '#control-plane/store/journal.ts'

/**
 * Condition of the rows whose `key` is one of the values of a parameter. With `key = any(…)` a plan that was made for an empty table may read a
 * whole cell; this one has no other plan than one look for each value.
 */
export const rowsAmong = (table: string, key: string, parameter: string): string =>
  `ctid = any(array(select found.ctid from unnest(${parameter}) as given(value) cross join lateral (
    select ctid from ${table} where cell = $1 and ${key} = given.value offset 0) found))`

/** `p(n)` is the parameter of the n-th value. */
export type StatementPart = {
  readonly sql: (p: (index: number) => string) => string
  /** Null when the batch has nothing of it. Called once for a batch. */
  readonly values: (writes: Writes) => readonly unknown[] | null
}
export type ColumnTypes = Readonly<Record<string, string>>
const typed = (columns: ColumnTypes) =>
  Object.entries(columns)
    .map(([name, type]) => `"${name}" ${type}`)
    .join(', ')
export const columnList = (names: readonly string[], prefix = '') => names.map((name) => `${prefix}"${name}"`).join(', ')

export const recordset = (parameter: string, columns: ColumnTypes) => `json_to_recordset(${parameter}::json) as r(${typed(columns)})`

export type Upsert = {
  readonly table: string
  readonly key: readonly string[]
  readonly columns: ColumnTypes
  readonly changes?: readonly string[]
}
/** A row that exists already gets new values in `changes`, by default in all columns but the key; in none, it is refused. */
export function upsert(name: string, parameter: string, { table, key, columns, changes }: Upsert): string {
  const names = Object.keys(columns)
  const changing = changes ?? names.filter((column) => !key.includes(column))
  const update = changing.map((column) => `"${column}" = excluded."${column}"`).join(', ')
  return `${name} as (insert into ${table} (cell, ${columnList(names)}) select $1::text, ${columnList(names, 'r.')} from c, ${recordset(parameter, columns)}
  ${changing.length === 0 ? '' : `on conflict (cell, ${columnList(key)}) do update set ${update}`})`
}
