// Connections for what people ask. A read that met a lost connection is asked once more.
import { Failure } from '#shared/protocol/failure.ts'
import type { Clock } from '#shared/runtime/clock.ts'
import { connect, type DatabaseConnection, type Query } from '../connection.ts'
import { endingOf, storageRefusal } from '../refusal.ts'

const MOST = 4

/** Its functions throw NOT_READY while the database is away, and STORAGE_FULL when it has no room. */
export function openReadConnections(url: string, clock: Pick<Clock, 'after'>) {
  const all = new Set<DatabaseConnection>()
  let free: DatabaseConnection[] = []
  let opening = 0
  const waiting: (() => void)[] = []
  let isClosed = false

  async function take(): Promise<DatabaseConnection> {
    for (;;) {
      if (isClosed) throw new Failure('NOT_READY', 'The database is closed.')
      const known = free.pop()
      if (known?.isOpen()) return known
      if (known) all.delete(known)
      else if (all.size + opening < MOST) return open()
      else await new Promise<void>((resolve) => waiting.push(resolve))
    }
  }
  async function open(): Promise<DatabaseConnection> {
    opening++
    try {
      const connection = await connect(url, clock)
      all.add(connection)
      if (isClosed) connection.destroy()
      return connection
    } finally {
      opening--
    }
  }
  function giveBack(connection: DatabaseConnection): void {
    if (connection.isOpen()) free.push(connection)
    else all.delete(connection)
    waiting.shift()?.()
  }

  async function withOne<T>(run: (connection: DatabaseConnection) => Promise<T>): Promise<T> {
    const connection = await take()
    try {
      return await run(connection)
    } finally {
      giveBack(connection)
    }
  }

  async function tried<T>(run: (connection: DatabaseConnection) => Promise<T>): Promise<T> {
    for (let tries = 1; ; tries++) {
      try {
        return await withOne(run)
      } catch (error) {
        if (error instanceof Failure) throw error
        const ending = endingOf(error)
        if (ending === 'defect' || ending === 'refused') throw error
        if (ending === 'storage') throw storageRefusal(error, 'The database could not do this')
        if (tries === 2) throw new Failure('NOT_READY', 'The database does not answer. Try again in a moment.', { cause: error })
      }
    }
  }

  return {
    ask: <Row>(query: Query): Promise<Row[]> => tried((connection) => connection.rows<Row>(query)),
    close(): void {
      isClosed = true
      for (const connection of all) connection.destroy()
      for (const wake of waiting.splice(0)) wake()
      free = []
    },
  }
}
