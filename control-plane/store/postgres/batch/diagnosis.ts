// Finds the task whose row the database refuses: the rows of a batch are written again, task by task, in a transaction that is undone.
import { emptyWrites, type Writes } from '#control-plane/store/journal.ts'
import type { DatabaseConnection } from '../connection.ts'
import { endingOf } from '../refusal.ts'
import { type Fence, statementOf } from './statement.ts'

type TaskWrites = Pick<Writes, 'newTasks' | 'changedTasks' | 'newAttempts' | 'changedAttempts'>
const noTasks = (): TaskWrites => {
  const { newTasks, changedTasks, newAttempts, changedAttempts } = emptyWrites()
  return { newTasks, changedTasks, newAttempts, changedAttempts }
}

/** The rows of each task by its number, in the order in which the batch has them. */
function byTask(writes: Writes): Map<number, TaskWrites> {
  const tasks = new Map<number, TaskWrites>()
  const of = (seq: number) => {
    const known = tasks.get(seq) ?? noTasks()
    tasks.set(seq, known)
    return known
  }
  for (const [id, row] of writes.newTasks) of(row.seq).newTasks.set(id, row)
  for (const [id, row] of writes.changedTasks) of(row.seq).changedTasks.set(id, row)
  for (const row of writes.newAttempts) of(row.task_seq).newAttempts.push(row)
  for (const row of writes.changedAttempts) of(row.task_seq).changedAttempts.push(row)
  return tasks
}

/** The number of the task; null for a row of another table, and for rows that are refused only together. */
export async function refusedTask(connection: DatabaseConnection, writes: Writes, fence: Fence, batch: number): Promise<number | null> {
  const isRefused = async (some: Writes) => {
    try {
      await connection.rows(statementOf(some, fence, batch))
      return false
    } catch (error) {
      if (endingOf(error) === 'refused') return true
      throw error
    }
  }
  try {
    await connection.script('begin')
    if (await isRefused({ ...writes, ...noTasks() })) return null
    for (const [seq, rows] of byTask(writes)) if (await isRefused({ ...emptyWrites(), ...rows })) return seq
    return null
  } catch {
    return null // the batch is refused in any case
  } finally {
    await connection.script('rollback').catch(() => connection.destroy())
  }
}
