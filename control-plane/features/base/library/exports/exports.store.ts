// The list of exports.

import { type Database, storageChecked } from '#control-plane/store/database.ts'
import { seenBy } from '#control-plane/store/sqlite/made-by.ts'
import type { ClientId } from '#shared/protocol/access/client.ts'

export type ExportRow = {
  readonly id: string
  readonly filename: string
  readonly destination_path: string
  readonly mode: string
  /** Epoch seconds. */
  readonly created_at: number
}
export type ExportStore = ReturnType<typeof createExportStore>

const LISTED = 50
/** Older rows are deleted. */
const KEPT = 10_000

export function createExportStore({ db }: { readonly db: Database }) {
  const newest = db.prepare<{ viewer: ClientId | null; limit: number }, ExportRow>(
    `select id, filename, destination_path, mode, created_at from export_history where ${seenBy('export')} order by seq desc limit @limit`,
  )
  const count = db.prepare<[], number>('select count(*) from export_history').pluck()
  const byId = db.prepare<[string], number>('select 1 from export_history where id = ?').pluck()
  const insert = db.prepare(`insert into export_history (id, filename, destination_path, mode, created_at)
    values (@id, @filename, @destination_path, @mode, @created_at)`)
  const prune = db.prepare(`delete from export_history where seq <= (select max(seq) from export_history) - ${KEPT}`)
  const add = db.transaction((row: ExportRow) => {
    insert.run(row)
    prune.run()
  })

  return {
    /** The newest 50, newest first. `viewer`: only exports of this client; null for all. */
    list: (viewer: ClientId | null): ExportRow[] => newest.all({ viewer, limit: LISTED }),
    count: (): number => count.get()!,
    has: (id: string): boolean => byId.get(id) !== undefined,
    /** Throws STORAGE_FULL. */
    add: (row: ExportRow): void => storageChecked('The export could not be recorded', () => add(row)),
  }
}
