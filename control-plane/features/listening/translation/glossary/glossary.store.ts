// The table of the glossaries.

import { type Database, storageChecked } from '#control-plane/store/database.ts'
import { seenBy } from '#control-plane/store/sqlite/made-by.ts'
import type { ClientId } from '#shared/protocol/access/client.ts'

export type StoredTerm = {
  readonly id: string
  readonly project_id: string
  readonly source: string
  readonly target: string
  readonly note: string
  readonly auto: 0 | 1
  readonly created_at: number
}
export type GlossaryStore = ReturnType<typeof createGlossaryStore>

/** Throws STORAGE_FULL from the functions that write. */
export function createGlossaryStore({ db }: { readonly db: Database }) {
  const COLUMNS = 'id, project_id, source, target, note, auto, created_at'
  type Viewed = { readonly project: string; readonly viewer: ClientId | null }
  const list = db.prepare<Viewed, StoredTerm>(
    `select ${COLUMNS} from glossary_terms where project_id = @project and ${seenBy('term')} order by created_at, seq`,
  )
  const byId = db.prepare<[string, string], StoredTerm>(`select ${COLUMNS} from glossary_terms where project_id = ? and id = ?`)
  const count = db.prepare<[string], number>('select count(*) from glossary_terms where project_id = ?').pluck()
  const insert = db.prepare(`insert into glossary_terms (${COLUMNS})
    values (@id, @project_id, @source, @target, @note, @auto, @created_at)`)
  const update = db.prepare(`update glossary_terms set source = @source, target = @target, note = @note, auto = @auto where id = @id`)
  const remove = db.prepare('delete from glossary_terms where project_id = ? and id = ?')
  const clear = db.prepare<Viewed & { readonly auto: 0 | 1 }>(
    `delete from glossary_terms where project_id = @project and auto >= @auto and ${seenBy('term')}`,
  )
  const addAll = db.transaction((terms: readonly StoredTerm[]) => {
    for (const term of terms) insert.run(term)
  })
  const stored = <T>(run: () => T): T => storageChecked('The glossary could not be changed', run)

  return {
    /** Oldest first. `viewer`: only terms that this client made; null for all. */
    list: (project: string, viewer: ClientId | null): StoredTerm[] => list.all({ project, viewer }),
    count: (project: string): number => count.get(project)!,
    find: (project: string, id: string): StoredTerm | null => byId.get(project, id) ?? null,
    /** In one transaction. */
    add: (terms: readonly StoredTerm[]): void => stored(() => addAll(terms)),
    change: (term: StoredTerm): void => void stored(() => update.run(term)),
    /** False for an unknown id. */
    remove: (project: string, id: string): boolean => stored(() => remove.run(project, id)).changes === 1,
    /** The number of removed terms. */
    clear: (project: string, onlyAuto: boolean, viewer: ClientId | null): number =>
      stored(() => clear.run({ project, viewer, auto: onlyAuto ? 1 : 0 })).changes,
  }
}
