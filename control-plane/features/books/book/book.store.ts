// The rows of books: what can be resumed, and what has been finished.

import { type Database, storageChecked } from '#control-plane/store/database.ts'
import { createBinnedRows } from '#control-plane/store/sqlite/binned-rows.ts'
import { seenBy } from '#control-plane/store/sqlite/made-by.ts'
import type { ClientId } from '#shared/protocol/access/client.ts'

export type BookRow = {
  readonly job_id: string
  readonly kind: 'audiobook' | 'story'
  readonly title: string
  /** SHA-256 of the manifest in the artifact folder. */
  readonly manifest: string
  readonly total_chapters: number
  readonly chapters_done: number
  readonly cached_chapters: number
  /** JSON array of chapter numbers, from 0 on. */
  readonly failed_chapters: string
  /** File name in the audio folder; null for a book that can be resumed. */
  readonly output: string | null
  readonly duration_s: number | null
  /** Epoch milliseconds. */
  readonly created_at: number
  readonly finished_at: number | null
  /** The project whose text it is; '' for none. */
  readonly project: string
  /** File name of its uploaded cover; '' without one. */
  readonly cover: string
}
export type NewBook = Pick<BookRow, 'job_id' | 'kind' | 'title' | 'manifest' | 'total_chapters' | 'created_at' | 'project' | 'cover'>
export type BookProgress = Pick<BookRow, 'chapters_done' | 'cached_chapters'> & { readonly failed: readonly number[] }
const FILE = /^(?:audiobook|story)_([0-9a-f]{16})\./
export type BookStore = ReturnType<typeof createBookStore>

/** Throws STORAGE_FULL from the functions that write. */
export function createBookStore({ db }: { readonly db: Database }) {
  const parts = ['longform_chapter', 'longform_pin']
  const binned = createBinnedRows({ db, table: 'longform_book', id: 'job_id', kind: 'job', bytes: '0', parts })
  const insert = db.prepare<NewBook>(`insert into longform_book (job_id, kind, title, manifest, total_chapters, created_at, project, cover)
    values (@job_id, @kind, @title, @manifest, @total_chapters, @created_at, @project, @cover)`)
  const byId = db.prepare<[string], BookRow>('select * from longform_book where job_id = ?')
  type Viewed = { readonly viewer: ClientId | null }
  const open = db.prepare<Viewed, BookRow>(`select * from longform_book where (finished_at is null or failed_chapters <> '[]')
    and ${seenBy('job', 'job_id')} order by created_at desc, rowid desc limit 500`)
  const unfinished = db.prepare<[], Pick<BookRow, 'kind' | 'job_id'>>('select kind, job_id from longform_book where output is null')
  const finished = db.prepare<Viewed & { readonly limit: number }, BookRow>(`select * from longform_book where output is not null
    and ${seenBy('job', 'job_id')} order by finished_at desc, rowid desc limit @limit`)
  const progress = db.prepare<[number, number, string, string]>(
    'update longform_book set chapters_done = ?, cached_chapters = ?, failed_chapters = ? where job_id = ?',
  )
  const finish = db.prepare<[string, number, number, string]>(
    'update longform_book set output = ?, duration_s = ?, finished_at = ? where job_id = ?',
  )
  const addChapter = db.prepare<[string, number, string]>(
    'insert or replace into longform_chapter (job_id, place, digest) values (?, ?, ?)',
  )
  const chapter = db.prepare<[string, number], string>('select digest from longform_chapter where job_id = ? and place = ?').pluck()
  const remove = db.prepare<[string]>('delete from longform_book where job_id = ?')
  const removeOld = db.prepare<[number]>(
    `delete from longform_book where output is null and created_at < ?
     and not exists (select 1 from job where job.id = longform_book.job_id and job.finished_at is null)`,
  )
  // Deleted books can come back with their manifests.
  const wanted = 'where manifest in (select value from json_each(@digests))'
  const named = db
    .prepare<{ digests: string }, string>(
      `select manifest from longform_book ${wanted} union select manifest from temp.binned_longform_book ${wanted}`,
    )
    .pluck()
  const write = <T>(run: () => T): T => storageChecked('The book could not be stored', run)
  /** `replaced`: the book that the new one continues; a finished one keeps its file and its place in the list. */
  const addRow = db.transaction((book: NewBook, replaced: string | null): boolean => {
    if (replaced !== null) {
      const before = byId.get(replaced)
      if (!before || (before.output !== null && before.failed_chapters === '[]')) return false
      if (before.output === null) remove.run(replaced)
      else progress.run(before.chapters_done, before.cached_chapters, '[]', replaced)
    }
    insert.run(book)
    return true
  })
  const restore = db.transaction((id: string, replaced: BookRow | null) => {
    remove.run(id)
    if (replaced === null) return
    if (replaced.output === null) insert.run(replaced)
    progress.run(replaced.chapters_done, replaced.cached_chapters, replaced.failed_chapters, replaced.job_id)
  })

  return {
    /** False if `replaced` was continued by another book meanwhile; then nothing is written. */
    add: (book: NewBook, replaced: string | null): boolean => write(() => addRow.immediate(book, replaced)),
    /** The inverse of `add`. The segments of an interrupted book are no longer kept until it is resumed. */
    withdraw: (id: string, replaced: BookRow | null): void => write(() => restore.immediate(id, replaced)),
    find: (id: string): BookRow | null => byId.get(id) ?? null,
    /** True for a file in the audio folder that is one of a finished book. */
    isFile(name: string): boolean {
      const [, id = ''] = FILE.exec(name) ?? []
      return byId.get(id)?.output != null
    },
    /** Books without output and books with failed chapters, newest first. `viewer`: only books of this client; null for all. */
    open: (viewer: ClientId | null): BookRow[] => open.all({ viewer }),
    /** Books without output. */
    unfinished: (): Pick<BookRow, 'kind' | 'job_id'>[] => unfinished.all(),
    /** Newest first. `viewer` as in `open`. */
    finished: (limit: number, viewer: ClientId | null): BookRow[] => finished.all({ viewer, limit }),
    progress: (id: string, { chapters_done, cached_chapters, failed }: BookProgress): void =>
      void write(() => progress.run(chapters_done, cached_chapters, JSON.stringify(failed), id)),
    /** A chapter is encoded. `place`: from 0 */
    addChapter: (id: string, place: number, digest: string): void => void write(() => addChapter.run(id, place, digest)),
    /** Null for a chapter that is not encoded. */
    chapter: (id: string, place: number): string | null => chapter.get(id, place) ?? null,
    finish: (id: string, output: string, seconds: number, now: number): void => void write(() => finish.run(output, seconds, now, id)),
    remove: (id: string): void => void write(() => remove.run(id)),
    /** Forgets books of before this moment (epoch ms) that have no output and that no job makes. */
    removeOld: (before: number): void => void write(() => removeOld.run(before)),
    /** Returns those of `digests` that are the manifest of a book. */
    names: async (digests: readonly string[]): Promise<ReadonlySet<string>> => new Set(named.all({ digests: JSON.stringify(digests) })),
    /** Finished books that were deleted within the last minute. */
    binned,
  }
}
