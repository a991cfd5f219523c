// The term of a cell in the database. One writer holds it; a batch of another term has no effect, so everything here only keeps two healthy
// writers from competing. docs/adr/0029 says which rules are kept where.
import { Failure } from '#shared/protocol/failure.ts'
import type { Fence } from './batch/statement.ts'
import type { DatabaseConnection } from './connection.ts'

/** The row of a cell. While one of the three numbers rises, its writer is alive. */
export type CellLook = {
  readonly term: number
  /** '' if the last writer has handed the cell over. */
  readonly writer: string
  readonly address: string
  readonly beat: number
  readonly last_batch: number
}
export type TakenTerm = { readonly term: number; readonly lastBatch: number }
/** `writer`: an id of this process that no other one has. `address`: where other replicas reach it; '' for none. */
export type WriterId = { readonly cell: string; readonly writer: string; readonly address: string }

const LOOK = 'select term, writer, address, beat, last_batch from cell where id = $1'

/** Null for a cell that was never taken. */
export async function lookAt(connection: DatabaseConnection, cell: string): Promise<CellLook | null> {
  return (await connection.rows<CellLook>({ name: 'look', text: LOOK, values: [cell] }))[0] ?? null
}

/**
 * Takes the cell if its term is still `observed` (0 for a new cell); null if another one was faster. It waits for a batch that is being written, and
 * ends all later ones of the writer before. `seen`: the highest term that this process knows of, which a failover of the database may have lost.
 * Throws UPGRADE_REQUIRED if the tables need a newer studio.
 */
export async function takeTerm(
  connection: DatabaseConnection,
  { cell, writer, address }: WriterId,
  observed: number,
  { version, seen = 0 }: { readonly version: number; readonly seen?: number },
): Promise<TakenTerm | null> {
  await connection.rows({ text: 'insert into cell (id) values ($1) on conflict do nothing', values: [cell] })
  const [taken] = await connection.rows<{ term: number; last_batch: number }>({
    text: `update cell set term = greatest(term, $5) + 1, writer = $2, address = $3, beat = beat + 1
      where id = $1 and term = $4 and min_version <= $6 returning term, last_batch`,
    values: [cell, writer, address, observed, seen, version],
  })
  if (taken) return { term: taken.term, lastBatch: taken.last_batch }
  const [needed] = await connection.rows<{ min_version: number }>({ text: 'select min_version from cell where id = $1', values: [cell] })
  if (needed && needed.min_version > version)
    throw new Failure('UPGRADE_REQUIRED', 'The database of the pool needs a newer studio. Update this one.')
  return null
}

/**
 * Takes the cell again after a lost connection, with a new term, so that a batch that is still on its way has no effect when it arrives later.
 * Null if another writer has taken it.
 */
export async function retakeTerm(connection: DatabaseConnection, { cell, term, writer }: Fence): Promise<TakenTerm | null> {
  const [taken] = await connection.rows<{ term: number; last_batch: number }>({
    text: `update cell set term = greatest(term, $2) + 1, beat = beat + 1 where id = $1 and writer = $3 returning term, last_batch`,
    values: [cell, term, writer],
  })
  return taken ? { term: taken.term, lastBatch: taken.last_batch } : null
}

/** False if the term is another one's. */
export async function beatTerm(connection: DatabaseConnection, { cell, term, writer }: Fence): Promise<boolean> {
  const text = 'update cell set beat = beat + 1 where id = $1 and term = $2 and writer = $3 returning term'
  return (await connection.rows({ name: 'beat', text, values: [cell, term, writer] })).length === 1
}

/** Gives the cell up, so that the next one need not wait. The term stays. */
export async function releaseTerm(connection: DatabaseConnection, { cell, term, writer }: Fence): Promise<void> {
  await connection.rows({
    text: `update cell set writer = '', address = '' where id = $1 and term = $2 and writer = $3`,
    values: [cell, term, writer],
  })
}
