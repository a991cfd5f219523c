// Writes the files of a rendered book into the audio folder: all of them, or none.
import { rm } from 'node:fs/promises'
import type { BookFormat, Cover } from '#control-plane/media/book/book.ts'
import type { BookMedia } from '#control-plane/media/book/book-media.ts'
import type { Clock } from '#shared/runtime/clock.ts'
import { fileIn, removeFileIn } from '#shared/runtime/file.ts'
import type { BookRow } from '../book/book.store.ts'
import { numberedTitle } from '../plan/plan.rules.ts'
import type { Readalong } from '../readalong/readalong.ts'
import type { BookManifest } from '../render/manifest.ts'
import type { Rendering } from '../render/renderer.ts'
import { tagsForBook } from './book.rules.ts'
import type { ChapterFile } from './chapter-files.ts'
import type { ChapterPlan } from './chapters.ts'

export type MadeChapter = { readonly chapter: ChapterPlan; readonly file: ChapterFile }
export type PublishBook = ReturnType<typeof createPublishBook>
type Deps = {
  readonly bookMedia: Pick<BookMedia, 'join'>
  readonly readalong: Readalong
  /** An uploaded cover; null for a name without one. */
  readonly coverOf: (name: string) => Cover | null
  readonly audioFolder: string
  readonly clock: Pick<Clock, 'now'>
}
type Request = {
  readonly jobId: string
  readonly manifest: BookManifest
  readonly format: BookFormat
  readonly made: readonly MadeChapter[]
  readonly rendering: Rendering
  /** Hz of the chapters before encoding. */
  readonly sampleRate: number
  /** Stores that the book is finished. Files that no row names would stay until the next start. */
  readonly record: (name: string, seconds: number) => void
}
type Named = Pick<BookRow, 'kind' | 'job_id'>

const MS = 1_000
const fileName = ({ kind, job_id }: Named, ending: BookFormat | 'epub' | 'zip'): string => `${kind}_${job_id}.${ending}`
/** Name of the file of a book in this format: single chapters are in a zip. */
export const conversionFile = (book: Named, format: BookFormat | 'wav'): string => fileName(book, format === 'wav' ? 'zip' : format)

/** Names of the files that a book may have. */
export const bookFiles = (book: Named): string[] => (['m4b', 'mp3', 'epub', 'zip'] as const).map((ending) => fileName(book, ending))

/** Removes the files of these books. */
export function removeBookFiles(audioFolder: string, books: readonly Named[]): void {
  for (const name of books.flatMap(bookFiles)) removeFileIn(audioFolder, name)
}

export function createPublishBook({ bookMedia, readalong, coverOf, audioFolder, clock }: Deps) {
  /**
   * The names of the files in the audio folder, without an EPUB unless the manifest asks for one, and the length of the book in seconds. Throws
   * what `BookMedia.join`, the read-along and `record` throw, and the reason of the signal; then no file stays.
   */
  return async ({ jobId, manifest, format, made, rendering, sampleRate, record }: Request, signal: AbortSignal) => {
    const { output, kind } = manifest
    const name = fileName({ kind, job_id: jobId }, format)
    const epub = output.readalong ? fileName({ kind, job_id: jobId }, 'epub') : null
    const parts = made.map(({ chapter, file }) => ({ title: numberedTitle(chapter.title, chapter.index), file }))
    const cover = output.cover === null ? null : coverOf(output.cover)
    const tags = tagsForBook(manifest)
    const joined = await bookMedia.join(parts, tags, cover, { format, to: fileIn(audioFolder, name) }, signal)
    const seconds = Math.round(joined.seconds * MS) / MS
    try {
      if (epub !== null) {
        const language = output.metadata['language'] ?? manifest.language ?? made[0]!.chapter.segments[0]!.speaker.language
        const place = { rendering, sampleRate, now: clock.now(), to: fileIn(audioFolder, epub) }
        await readalong({ id: jobId, parts: made, tags, language, cover, ...place }, signal)
      }
      record(name, seconds)
    } catch (error) {
      for (const file of [name, epub]) if (file !== null) await rm(fileIn(audioFolder, file), { force: true })
      throw error
    }
    return { name, epub, seconds }
  }
}
