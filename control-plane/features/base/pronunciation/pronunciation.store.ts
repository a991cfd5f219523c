// The table of the pronunciation dictionary.
import { type Database, storageChecked } from '#control-plane/store/database.ts'

export type Entry = {
  readonly id: string
  readonly term: string
  readonly replacement: string
  readonly type: string
  readonly language: string
  readonly enabled: 0 | 1
  readonly created_at: number
}
export type PronunciationStore = ReturnType<typeof createPronunciationStore>

/** Throws STORAGE_FULL from the functions that write. */
export function createPronunciationStore({ db }: { readonly db: Database }) {
  const COLUMNS = 'id, term, replacement, type, language, enabled, created_at'
  const list = db.prepare<[], Entry>(`select ${COLUMNS} from pronunciation order by seq`)
  const byId = db.prepare<[string], Entry>(`select ${COLUMNS} from pronunciation where id = ?`)
  const count = db.prepare<[], number>('select count(*) from pronunciation').pluck()
  const insert = db.prepare(`insert into pronunciation (${COLUMNS})
    values (@id, @term, @replacement, @type, @language, @enabled, @created_at)`)
  const update = db.prepare(`update pronunciation
    set term = @term, replacement = @replacement, type = @type, language = @language, enabled = @enabled where id = @id`)
  const remove = db.prepare('delete from pronunciation where id = ?')
  const clear = db.prepare('delete from pronunciation')
  const addAll = db.transaction((entries: readonly Entry[], replace: boolean) => {
    if (replace) clear.run()
    for (const entry of entries) insert.run(entry)
  })
  const stored = <T>(run: () => T): T => storageChecked('The pronunciation dictionary could not be changed', run)

  return {
    /** Oldest first. */
    list: (): Entry[] => list.all(),
    count: (): number => count.get()!,
    find: (id: string): Entry | null => byId.get(id) ?? null,
    /** In one transaction; `replace` deletes all others first. */
    add: (entries: readonly Entry[], replace = false): void => stored(() => addAll(entries, replace)),
    change: (entry: Entry): void => void stored(() => update.run(entry)),
    /** False for an unknown id. */
    remove: (id: string): boolean => stored(() => remove.run(id)).changes === 1,
  }
}
