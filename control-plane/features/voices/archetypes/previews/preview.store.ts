// Rows of previews: those that were rendered here, those that were downloaded, and the newest check of the publisher.
import type { Database } from '#control-plane/store/database.ts'

export type RenderedRow = {
  readonly key: string
  readonly recipe: string
  readonly digest: string
  readonly bytes: number
  readonly used_at: number
}
export type DownloadRow = { readonly archetype_id: string; readonly recipe: string; readonly digest: string; readonly bytes: number }
export type PublisherCheck = {
  readonly checked_at: number
  readonly error: string | null
  readonly engine: string | null
  readonly engine_version: string | null
  readonly generated_at: string | null
}
export type PreviewStore = ReturnType<typeof createPreviewStore>

export function createPreviewStore({ db }: { readonly db: Database }) {
  const byKey = db.prepare<[string], RenderedRow>('select * from preview where key = ?')
  const newest = db.prepare<[string], RenderedRow>('select * from preview where recipe = ? order by used_at desc, rowid desc limit 1')
  const insert = db.prepare(
    'insert or replace into preview (key, recipe, digest, bytes, used_at) values (@key, @recipe, @digest, @bytes, @used_at)',
  )
  const touch = db.prepare('update preview set used_at = ? where key = ?')
  const remove = db.prepare('delete from preview where key = ?')
  const ages = db.prepare<[], { key: string; bytes: number }>('select key, bytes from preview order by used_at desc, rowid desc')
  const downloads = db.prepare<[], DownloadRow>('select * from preview_download')
  const clear = db.prepare('delete from preview_download')
  const addDownload = db.prepare(
    'insert into preview_download (archetype_id, recipe, digest, bytes) values (@archetype_id, @recipe, @digest, @bytes)',
  )
  const check = db.prepare<[], PublisherCheck>('select checked_at, error, engine, engine_version, generated_at from preview_check')
  const setCheck = db.prepare(`insert or replace into preview_check (id, checked_at, error, engine, engine_version, generated_at)
    values (1, @checked_at, @error, @engine, @engine_version, @generated_at)`)
  const named = db.prepare<[string, string], { n: number }>(
    'select exists (select 1 from preview where digest = ?) or exists (select 1 from preview_download where digest = ?) as n',
  )
  /** Keeps the row of `kept` in any case. */
  const prune = db.transaction((limit: number, kept: string) => {
    let total = 0
    for (const { key, bytes } of ages.all()) {
      total += bytes
      if (total > limit && key !== kept) remove.run(key)
    }
  })
  const replaceDownloads = db.transaction((rows: readonly DownloadRow[], row: PublisherCheck) => {
    clear.run()
    for (const one of rows) addDownload.run(one)
    setCheck.run(row)
  })

  return {
    rendered: (key: string): RenderedRow | null => byKey.get(key) ?? null,
    /** The newest render of a recipe by any engine. */
    renderedOf: (recipe: string): RenderedRow | null => newest.get(recipe) ?? null,
    /** Removes the rows that were not used for the longest time until all together have at most `limit` bytes. */
    add(row: RenderedRow, limit: number): void {
      insert.run(row)
      prune(limit, row.key)
    },
    touch: (key: string, at: number): void => void touch.run(at, key),
    remove: (key: string): void => void remove.run(key),
    downloads: (): DownloadRow[] => downloads.all(),
    check: (): PublisherCheck | null => check.get() ?? null,
    setCheck: (row: PublisherCheck): void => void setCheck.run(row),
    replaceDownloads: (rows: readonly DownloadRow[], row: PublisherCheck): void => replaceDownloads(rows, row),
    /** Returns the digests that previews need, for the sweep of artifacts. */
    names: async (digests: readonly string[]): Promise<ReadonlySet<string>> =>
      new Set(digests.filter((digest) => named.get(digest, digest)!.n === 1)),
  }
}
