// Numbers that are computed (from a length, a rate, a clock) may have a fraction. The database would refuse one when the batch is written,
// together with the changes of others, so a store that stages its rows checks them first.
import { refused } from './refusal.ts'

/** Throws INTERNAL for a value that is neither a whole number nor null. Keys are columns of `table`. */
export function requireIntegers(table: string, columns: Readonly<Record<string, number | null>>): void {
  for (const [column, value] of Object.entries(columns))
    if (value !== null && !Number.isSafeInteger(value)) throw refused({ table, column }, `${value} is not a whole number`)
}
