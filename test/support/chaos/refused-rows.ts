// Preloaded into a studio: rows of tasks that the database refuses, as when a computed number has a fraction.
// While the file named by VOICE_STUDIO_TEST_REFUSALS contains a count above zero, that many of the next batches with a task get such a row.
import { existsSync, readFileSync, writeFileSync } from 'node:fs'
import Sqlite from 'better-sqlite3'
import type { Writes } from '#control-plane/store/journal.ts'

const path = process.env['VOICE_STUDIO_TEST_REFUSALS']
const transaction = Sqlite.prototype.transaction

/** The batch with a fraction in its last task, half of the time in a task that is new, where there are both. */
function spoiled(writes: Writes): Writes {
  const left = path && existsSync(path) ? Number(readFileSync(path, 'utf8')) : 0
  const table = writes.newTasks.size > 0 && (left % 2 === 0 || writes.changedTasks.size === 0) ? 'newTasks' : 'changedTasks'
  const last = [...writes[table].values()].at(-1)
  if (!(left > 0) || !last) return writes
  writeFileSync(path!, String(left - 1))
  process.stderr.write(`refused row: a fraction in ${table}\n`)
  return { ...writes, [table]: new Map(writes[table]).set(last.id, { ...last, updated_at: last.updated_at + 0.5 }) }
}

Sqlite.prototype.transaction = function (this: Sqlite.Database, run: (...args: unknown[]) => unknown) {
  const made = transaction.call(this, run)
  const immediate = (first?: Partial<Writes>, ...args: unknown[]) =>
    made.immediate(first?.newTasks && first.changedTasks ? spoiled(first as Writes) : first, ...args)
  return Object.assign((...args: unknown[]) => made(...args), { ...made, immediate })
} as typeof transaction
