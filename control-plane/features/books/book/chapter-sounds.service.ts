// The sound of single chapters, from their encoded files, and the cover: of books that are rendered, that stopped, and that are finished.
import { createReadStream } from 'node:fs'
import type { Content } from '#control-plane/http/contract/respond.ts'
import { Failure } from '#shared/protocol/failure.ts'
import type { ChapterFiles } from '../assembly/chapter-files.ts'
import type { Covers } from '../cover/covers.ts'
import type { BookStore } from './book.store.ts'

export type ChapterSounds = ReturnType<typeof createChapterSounds>
type Deps = {
  readonly store: Pick<BookStore, 'chapter' | 'find'>
  readonly files: Pick<ChapterFiles, 'find'>
  readonly covers: Pick<Covers, 'read'>
}

const TYPES = { aac: 'audio/aac', mp3: 'audio/mpeg' } as const
const DIGEST = /^[0-9a-f]{64}$/

export const createChapterSounds = ({ store, files, covers }: Deps) => ({
  /** Throws NOT_FOUND for a book without a cover. */
  cover: (job: string): Promise<Content> => covers.read(store.find(job)?.cover ?? ''),
  /** Throws NOT_FOUND for a chapter that is not finished, or not kept by itself any more. */
  async read(job: string, place: number): Promise<Content> {
    const digest = store.chapter(job, place)
    if (digest === null || !DIGEST.test(digest)) throw new Failure('NOT_FOUND', 'This chapter of the book is not finished.')
    const file = (await files.find(digest)) ?? (await files.find(`${digest}-unmarked`))
    if (file === null)
      throw new Failure('NOT_FOUND', 'This chapter is not kept by itself any more. Play the file of the book, or resume the book.')
    const read = (start: number, end: number) => createReadStream(file.path, { start, end })
    return { type: TYPES[file.codec], body: { size: file.bytes, read }, cache: 'no-cache' }
  },
})
