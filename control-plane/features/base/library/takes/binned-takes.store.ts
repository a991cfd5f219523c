// The rows of deleted takes, which can come back for a minute. They are in a temporary table: the next start knows none of them.
import { type Database, storageChecked } from '#control-plane/store/database.ts'
import type { ClientId } from '#shared/protocol/access/client.ts'

export type BinnedTakes = ReturnType<typeof createBinnedTakes>
/** `single`: deleted by itself, and not together with all takes. */
type Kind = 'single' | 'all'
/** `isVisible`: false for a take of another client. */
type Found = { readonly batch: string; readonly audio_path: string; readonly isVisible: boolean }

/** Statements of the history name this table, so it is there before them. */
export function createBinnedTakes(db: Database) {
  db.exec(`create temp table if not exists binned_take as select *, '' as batch, '' as kind, '' as maker from generation_history where 0;
    create index if not exists temp.binned_take_batch on binned_take (batch);
    create index if not exists temp.binned_take_id on binned_take (id);
    create temp table if not exists binned_script as select * from take_script where 0;
    create temp table if not exists binned_sound as select * from take_sound where 0;`)
  // Rows that go with the row of their take.
  const PARTS = ['script', 'sound'] as const
  const forParts = <P extends object>(sql: (of: (typeof PARTS)[number]) => string) => {
    const statements = PARTS.map((of) => db.prepare<P>(sql(of)))
    return (parameters: P) => {
      for (const statement of statements) statement.run(parameters)
    }
  }
  const columns = db.pragma('table_info(generation_history)') as { name: string }[]
  const row = columns.map(({ name }) => name).join(', ')
  const binned = (where: string) =>
    `insert into temp.binned_take (${row}, batch, kind, maker) select ${row}, @batch, @kind,
      coalesce((select client from made_by where kind = 'take' and made_by.id = generation_history.id), '') from generation_history where ${where}`
  // The condition is repeated, because SQLite has no delete that returns rows into a table.
  const ONE = 'id = @id'
  const ALL = '(@keepsStarred = 0 or starred = 0)'
  const keepOne = db.prepare<{ batch: string; kind: Kind; id: string }>(binned(ONE))
  const deleteOne = db.prepare<{ id: string }>(`delete from generation_history where ${ONE}`)
  const keepAll = db.prepare<{ batch: string; kind: Kind; keepsStarred: 0 | 1 }>(binned(ALL))
  const deleteAll = db.prepare<{ keepsStarred: 0 | 1 }>(`delete from generation_history where ${ALL}`)
  const keepPartsOfOne = forParts<{ id: string }>((of) => `insert into temp.binned_${of} select * from take_${of} where take_id = @id`)
  const keepPartsOfAll = forParts<{ keepsStarred: 0 | 1 }>(
    (of) => `insert into temp.binned_${of} select * from take_${of} where take_id in (select id from generation_history where ${ALL})`,
  )
  // A file that a take names that stays is no file of these takes.
  const filesOfOne = db
    .prepare<{ id: string }, string>(`select audio_path from generation_history where ${ONE} and not exists
    (select 1 from generation_history as other where other.audio_path = generation_history.audio_path and other.id <> @id)`)
    .pluck()
  const filesOfAll = db
    .prepare<{ keepsStarred: 0 | 1 }, string>(`select distinct audio_path from generation_history where ${ALL}
    except select audio_path from generation_history where not ${ALL}`)
    .pluck()
  const find = db.prepare<[string], { batch: string; audio_path: string; maker: string }>(
    'select batch, audio_path, maker from temp.binned_take where id = ?',
  )
  const filesOfKind = db.prepare<[Kind], string>('select audio_path from temp.binned_take where kind = ?').pluck()
  type Which = { id: string | null; kind: Kind | null; now: number }
  const WHICH = '(@id is null or id = @id) and (@kind is null or kind = @kind)'
  const putBack = db.prepare<Which>(`insert or ignore into generation_history (${row}) select ${row} from temp.binned_take where ${WHICH}`)
  const putMakers = db.prepare<Which>(`insert or ignore into made_by (kind, id, client, made_at)
    select 'take', id, maker, @now from temp.binned_take where ${WHICH} and maker <> ''`)
  const BINNED = `take_id in (select id from temp.binned_take where ${WHICH})`
  const putParts = forParts<Omit<Which, 'now'>>(
    (of) =>
      `insert or ignore into take_${of} select * from temp.binned_${of} where ${BINNED} and take_id in (select id from generation_history)`,
  )
  const dropParts = forParts<Omit<Which, 'now'>>((of) => `delete from temp.binned_${of} where ${BINNED}`)
  const forgetParts = forParts<{ batch: string }>(
    (of) => `delete from temp.binned_${of} where take_id in (select id from temp.binned_take where batch = @batch)`,
  )
  const drop = db.prepare<Omit<Which, 'now'>>(`delete from temp.binned_take where ${WHICH}`)
  const forgetVoice = db.prepare<[string]>("update temp.binned_take set profile_id = '' where profile_id = ?")
  const forget = db.prepare<[string]>('delete from temp.binned_take where batch = ?')

  const removeOne = db.transaction((id: string, batch: string) => {
    keepOne.run({ id, batch, kind: 'single' })
    keepPartsOfOne({ id })
    deleteOne.run({ id })
  })
  const removeAll = db.transaction((keepsStarred: 0 | 1, batch: string) => {
    keepAll.run({ keepsStarred, batch, kind: 'all' })
    keepPartsOfAll({ keepsStarred })
    deleteAll.run({ keepsStarred })
  })
  const restore = db.transaction((which: Which) => {
    // Its maker first, so that it is never one of the owner.
    putMakers.run(which)
    const { changes } = putBack.run(which)
    const those = { id: which.id, kind: which.kind }
    putParts(those)
    dropParts(those)
    drop.run(those)
    return changes
  })
  const flag = (keepsStarred: boolean) => (keepsStarred ? 1 : 0)

  return {
    filesOfOne: (id: string): string[] => filesOfOne.all({ id }),
    filesOfAll: (keepsStarred: boolean): string[] => filesOfAll.all({ keepsStarred: flag(keepsStarred) }),
    /** Throws STORAGE_FULL. */
    removeOne: (id: string, batch: string): void => storageChecked('The take could not be deleted', () => removeOne(id, batch)),
    /** Throws STORAGE_FULL. */
    removeAll: (keepsStarred: boolean, batch: string): void =>
      storageChecked('The takes could not be deleted', () => removeAll(flag(keepsStarred), batch)),
    /** Null for a take that is not in the bin. `viewer`: null sees all. */
    find(id: string, viewer: ClientId | null): Found | null {
      const found = find.get(id)
      return found ? { ...found, isVisible: viewer === null || found.maker === viewer } : null
    },
    /** Files of the takes that were deleted together. */
    filesOfBatches: (): string[] => filesOfKind.all('all'),
    /** Returns the number of takes that are back. `id`: null for all that were deleted together. Throws STORAGE_FULL. */
    restore: (id: string | null, now: number): number =>
      storageChecked('The take could not be stored', () => restore({ id, kind: id === null ? 'all' : null, now })),
    forget(batch: string): void {
      forgetParts({ batch })
      forget.run(batch)
    },
    forgetVoice: (profileId: string): void => void forgetVoice.run(profileId),
  }
}
