// Rows of deleted objects of one kind, which can come back for a minute. They are in a temporary table: the next start knows none of them.
import type { ClientId, MadeKind } from '#shared/protocol/access/client.ts'
import { type Database, storageChecked } from '../database.ts'

export type BinnedRows = ReturnType<typeof createBinnedRows>
type Rows = {
  readonly db: Database
  readonly table: string
  /** Column of the id. */
  readonly id: string
  readonly kind: MadeKind
  /** Expression for the bytes of a row that are counted. */
  readonly bytes: string
  /** Tables with rows that are deleted with the row and come back with it. They have its id in a column of the same name. */
  readonly parts?: readonly string[]
}

export function createBinnedRows({ db, table, id: key, kind, bytes: bytesOf, parts = [] }: Rows) {
  const binned = `temp.binned_${table}`
  db.exec(`create temp table if not exists binned_${table} as select *, '' as batch, '' as maker from ${table} where 0;
    create index if not exists ${binned}_batch on binned_${table} (batch);
    create index if not exists ${binned}_key on binned_${table} (${key});`)
  for (const part of parts) db.exec(`create temp table if not exists binned_${part} as select * from ${part} where 0`)
  const columns = db.pragma(`table_info(${table})`) as { name: string }[]
  const row = columns.map(({ name }) => name).join(', ')
  const forParts = (sql: (part: string) => string) => {
    const statements = parts.map((part) => db.prepare<[string]>(sql(part)))
    return (value: string) => {
      for (const statement of statements) statement.run(value)
    }
  }
  const keepParts = forParts((part) => `insert into temp.binned_${part} select * from ${part} where ${key} = ?`)
  const putPartsBack = forParts((part) => `insert or ignore into ${part} select * from temp.binned_${part} where ${key} = ?`)
  const dropParts = forParts((part) => `delete from temp.binned_${part} where ${key} = ?`)
  const forgetParts = forParts((part) => `delete from temp.binned_${part} where ${key} in (select ${key} from ${binned} where batch = ?)`)
  const keep = db.prepare<{ id: string; batch: string }>(`insert into ${binned} (${row}, batch, maker) select ${row}, @batch,
    coalesce((select client from made_by where kind = '${kind}' and made_by.id = ${table}.${key}), '') from ${table} where ${key} = @id`)
  const remove = db.prepare<[string]>(`delete from ${table} where ${key} = ?`)
  const makerOf = db.prepare<[string], string>(`select maker from ${binned} where ${key} = ?`).pluck()
  const putMaker = db.prepare<{ id: string; now: number }>(`insert or ignore into made_by (kind, id, client, made_at)
    select '${kind}', ${key}, maker, @now from ${binned} where ${key} = @id and maker <> ''`)
  const putBack = db.prepare<{ id: string }>(`insert or ignore into ${table} (${row}) select ${row} from ${binned} where ${key} = @id`)
  const drop = db.prepare<[string]>(`delete from ${binned} where ${key} = ?`)
  const forget = db.prepare<[string]>(`delete from ${binned} where batch = ?`)
  const forgetAll = db.prepare(`delete from ${binned}`)
  const bytes = db.prepare<[], number>(`select coalesce(sum(${bytesOf}), 0) from ${binned}`).pluck()

  const removeOne = db.transaction((id: string, batch: string) => {
    keep.run({ id, batch })
    keepParts(id)
    remove.run(id)
  })
  const restoreOne = db.transaction((id: string, now: number) => {
    // Its maker first, so that it is never one of the owner.
    putMaker.run({ id, now })
    putBack.run({ id })
    putPartsBack(id)
    dropParts(id)
    drop.run(id)
  })

  return {
    /** Throws STORAGE_FULL. */
    remove: (id: string, batch: string): void => storageChecked('It could not be deleted', () => removeOne(id, batch)),
    /** False for a row that is not in the bin, or that another client made. `viewer`: null sees all. */
    isVisible(id: string, viewer: ClientId | null): boolean {
      const maker = makerOf.get(id)
      return maker !== undefined && (viewer === null || maker === viewer)
    },
    /** Throws STORAGE_FULL. `now`: epoch milliseconds */
    restore: (id: string, now: number): void => storageChecked('It could not be stored again', () => restoreOne(id, now)),
    forget(batch: string): void {
      forgetParts(batch)
      forget.run(batch)
    },
    forgetAll(): void {
      for (const part of parts) db.exec(`delete from temp.binned_${part}`)
      forgetAll.run()
    },
    /** Bytes in the bin. */
    bytes: (): number => bytes.get()!,
  }
}
