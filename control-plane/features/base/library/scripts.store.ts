// The whole text of a take, its parts and the files of their sound, beside its row and deleted with it.
import { type Database, storageChecked } from '#control-plane/store/database.ts'

export type StoredScript = {
  readonly text: string
  /** JSON of the area that made the take. */
  readonly script: string
}
export type NewScript = StoredScript & {
  /** Files of the artifact folder that the take needs. */
  readonly digests: readonly string[]
}
export type ScriptStore = ReturnType<typeof createScriptStore>

/** Throws STORAGE_FULL from the functions that write. The tables of deleted takes exist (takes/binned-takes.store.ts). */
export function createScriptStore({ db }: { readonly db: Database }) {
  const byId = db.prepare<[string], StoredScript>('select text, script from take_script where take_id = ?')
  const put = db.prepare(`insert into take_script (take_id, text, script) values (?, ?, ?)
    on conflict (take_id) do update set text = excluded.text, script = excluded.script`)
  const forget = db.prepare('delete from take_sound where take_id = ?')
  const name = db.prepare('insert or ignore into take_sound (take_id, digest) values (?, ?)')
  const wanted = 'where digest in (select value from json_each(@digests))'
  // Deleted takes can come back with their sounds.
  const named = db
    .prepare<{ digests: string }, string>(`select digest from take_sound ${wanted} union select digest from temp.binned_sound ${wanted}`)
    .pluck()
  const replace = db.transaction((id: string, { text, script, digests }: NewScript) => {
    put.run(id, text, script)
    forget.run(id)
    for (const digest of digests) name.run(id, digest)
  })

  return {
    /** Null for an unknown take, and for one of a version that did not store it. */
    scriptOf: (id: string): StoredScript | null => byId.get(id) ?? null,
    /** In the place of the script that it had. Its row must exist. */
    keep: (id: string, script: NewScript): void => void storageChecked('The take could not be stored', () => replace(id, script)),
    /** Returns those of the digests that takes name. */
    names: async (digests: readonly string[]): Promise<ReadonlySet<string>> => new Set(named.all({ digests: JSON.stringify(digests) })),
  }
}
