// Writes a rendered book as EPUB 3 with media overlays. The times come from the lengths of its segments, so they are exact.
import { mkdir, rm } from 'node:fs/promises'
import type { BookMetadata, Cover } from '#control-plane/media/book/book.ts'
import type { BookMedia } from '#control-plane/media/book/book-media.ts'
import { writeZip, type ZipEntry } from '#shared/archive/zip.ts'
import { Failure } from '#shared/protocol/failure.ts'
import { fileIn, isDiskError } from '#shared/runtime/file.ts'
import type { ChapterFile } from '../assembly/chapter-files.ts'
import type { SegmentCache } from '../cache/segment-cache.ts'
import { segmentPlaces } from '../render/chapter-sound.ts'
import type { PreparedChapter } from '../render/prepare.ts'
import type { Rendering } from '../render/renderer.ts'
import { audioName, coverName, type ReadalongBook, type ReadalongChapter, readalongDocuments } from './epub.rules.ts'

type Deps = { readonly cache: Pick<SegmentCache, 'read'>; readonly bookMedia: Pick<BookMedia, 'join'> }
export type Readalong = ReturnType<typeof createReadalong>
type Part = { readonly chapter: PreparedChapter; readonly file: ChapterFile }
type Request = {
  readonly id: string
  readonly parts: readonly Part[]
  readonly tags: BookMetadata
  /** A language tag; null if it is unknown. */
  readonly language: string | null
  readonly cover: Cover | null
  readonly rendering: Pick<Rendering, 'ready' | 'again'>
  /** Hz of the chapters before encoding. */
  readonly sampleRate: number
  /** Epoch milliseconds. */
  readonly now: number
  readonly to: string
}

/** Samples by which the sound of a decoder is late. */
const DECODER_DELAY = { aac: 1024, mp3: 576 } as const
const TAG = /^[a-z]{2,3}(?:-[a-z0-9]{2,8}){0,3}$/i
const MS = 1_000

export function createReadalong({ cache, bookMedia }: Deps) {
  async function chapterOf({ chapter, file }: Part, { rendering, sampleRate }: Request): Promise<ReadalongChapter> {
    const places = await segmentPlaces(chapter, { cache, rendering, sampleRate })
    const delay = DECODER_DELAY[file.codec] / file.sampleRate
    const ms = (samples: number) => Math.min(Math.floor(MS * file.seconds), Math.round(MS * (samples / sampleRate + delay)))
    const segments = chapter.segments.map(({ written, endsParagraph }, at) => {
      const { from, to } = places[at]!
      return { text: written, endsParagraph, from: ms(from), to: ms(to) }
    })
    return { title: chapter.title, segments: segments.filter(({ from, to }) => to > from) }
  }

  /**
   * Throws STORAGE_FULL, INPUT_UNAVAILABLE when a chapter is gone, what `BookMedia.join` throws, and the reason of the signal. Leaves no other
   * file, and none after a failure.
   */
  return async (request: Request, signal: AbortSignal): Promise<void> => {
    const { id, parts, tags, cover, to, now } = request
    const audio = parts[0]!.file.codec === 'aac' ? 'm4a' : 'mp3'
    const chapters: ReadalongChapter[] = []
    const work = `${to}.parts`
    const sounds: ZipEntry[] = []
    try {
      for (const [at, part] of parts.entries()) {
        signal.throwIfAborted()
        chapters.push(await chapterOf(part, request))
        let file = part.file.path
        if (audio === 'm4a') {
          // The frames of a chapter are a stream; readers of EPUB take AAC in MP4 only.
          await mkdir(work, { recursive: true, mode: 0o700 })
          file = fileIn(work, `${at}.m4a`)
          await bookMedia.join([{ title: part.chapter.title, file: part.file }], tags, null, { format: 'm4b', to: file }, signal)
        }
        sounds.push({ name: `EPUB/${audioName(at, audio)}`, file })
      }
      const book: ReadalongBook = {
        id: `urn:voice-studio:${id}`,
        title: tags.title,
        author: tags.author,
        narrator: tags.narrator,
        description: tags.description,
        language: request.language !== null && TAG.test(request.language) ? request.language : 'und',
        modified: `${new Date(now).toISOString().slice(0, 19)}Z`,
        audio,
        cover: cover?.type ?? null,
        chapters,
      }
      const picture: ZipEntry[] = cover ? [{ name: `EPUB/${coverName(cover.type)}`, file: cover.path }] : []
      const first: ZipEntry = { name: 'mimetype', content: 'application/epub+zip', isStored: true }
      await writeZip(to, [first, ...readalongDocuments(book), ...picture, ...sounds], null, signal)
    } catch (error) {
      if (isDiskError(error))
        throw new Failure('STORAGE_FULL', 'The read-along EPUB could not be written to the disk of the studio.', { cause: error })
      if ((error as NodeJS.ErrnoException).code === 'ENOENT')
        throw new Failure('INPUT_UNAVAILABLE', 'A file of the book was removed while its EPUB was written. Resume the book.', {
          cause: error,
        })
      throw error
    } finally {
      await rm(work, { recursive: true, force: true })
    }
  }
}
