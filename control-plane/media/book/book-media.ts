// Audiobooks: encodes chapters as they become complete, and joins them in one file without encoding again.

import { readFile } from 'node:fs/promises'
import { createTurns } from '#control-plane/clients/turns.ts'
import { Failure } from '#shared/protocol/failure.ts'
import { COMMAND } from '#shared/protocol/version.ts'
import type { Clock } from '#shared/runtime/clock.ts'
import type { Media } from '../encode.ts'
import type { Measured } from '../threads/messages.ts'
import type {
  BookChapter,
  BookFormat,
  BookMetadata,
  BookPlan,
  ChapterOptions,
  ChapterSource,
  Cover,
  EncodedChapter,
  JoinedBook,
  JoinOptions,
} from './book.ts'
import { publish, writeStream } from './book-file.ts'
import { encodeChapter } from './chapter.ts'
import { checkBook } from './check.ts'
import { id3 } from './id3.ts'
import { framesOf, joinM4b } from './m4b.ts'
import { marksOf } from './tags.rules.ts'

type Deps = {
  readonly media: Pick<Media, 'encode' | 'measure'>
  /** Null without the program. Asked for each file. */
  readonly ffmpegPath: () => string | null
  readonly ffprobePath: () => string | null
  readonly clock: Clock
  /** Chapters at the same time; more of them wait. */
  readonly atOnce: number
}
export type BookMedia = ReturnType<typeof createBookMedia>

const NO_FFMPEG = `There is no ffmpeg on this machine to make M4B, so the audiobook becomes MP3 with chapters. ${COMMAND} setup installs ffmpeg.`

export function createBookMedia({ media, ffmpegPath, ffprobePath, clock, atOnce }: Deps) {
  // No request waits for a single chapter, so one book may use everything.
  const inTurn = createTurns({ atOnce, what: 'chapters that are encoded' })

  async function check(path: string, seconds: number, chapters: number, hasCover: boolean, signal: AbortSignal): Promise<void> {
    const program = ffprobePath()
    if (program !== null) await checkBook(program, path, { chapters, seconds, hasCover }, clock, signal)
  }

  return {
    /** Plans a book in this format on this machine: without ffmpeg, M4B becomes MP3. */
    plan: (format: BookFormat): BookPlan =>
      format === 'mp3' || ffmpegPath() === null
        ? { format: 'mp3', codec: 'mp3', notice: format === 'mp3' ? null : NO_FFMPEG }
        : { format: 'm4b', codec: 'aac', notice: null },

    /**
     * Loudness and true peak of a chapter before it is mastered. The source may wait for sound that is still rendered. Throws the error of the
     * source as a Failure, and the reason of the signal.
     */
    measureChapter: ({ sampleRate, open }: Pick<ChapterSource, 'sampleRate' | 'open'>, signal: AbortSignal): Promise<Measured> =>
      media.measure({ sampleRate, source: open(), mark: null, signal }),

    /**
     * Masters a chapter and writes its frames to `options.to`. Equal inputs give equal bytes; the source may wait for sound that is still rendered. Throws STORAGE_FULL, PROGRAM_MISSING for AAC without
     * ffmpeg, WORKER_FAILED when ffmpeg dies, the error of the source as a Failure, and the reason of the signal. Leaves no other file.
     */
    encodeChapter: (source: ChapterSource, options: ChapterOptions, signal: AbortSignal): Promise<EncodedChapter> =>
      source.isAwaited
        ? encodeChapter({ media, ffmpegPath }, source, options, signal)
        : inTurn(signal, () => encodeChapter({ media, ffmpegPath }, source, options, signal)),

    /**
     * Writes the book to `options.to`, and checks it with ffprobe if that is there. All chapters have one codec and sample rate. Throws BAD_REQUEST
     * without a chapter, STORAGE_FULL, PROGRAM_MISSING for M4B without ffmpeg, WORKER_FAILED, UNKNOWN for a file that is not as planned,
     * and the reason of the signal.
     */
    async join(
      chapters: readonly BookChapter[],
      metadata: BookMetadata,
      cover: Cover | null,
      { format, to }: JoinOptions,
      signal: AbortSignal,
    ): Promise<JoinedBook> {
      signal.throwIfAborted()
      const first = chapters[0]?.file
      if (!first) throw new Failure('BAD_REQUEST', 'The audiobook has no chapter with sound.')
      if (chapters.some(({ file }) => file.codec !== first.codec || file.sampleRate !== first.sampleRate))
        throw new RangeError('the chapters of a book need one codec and one sample rate')
      const marks = marksOf(chapters)
      const seconds = (marks.at(-1)?.to ?? 0) / first.sampleRate
      const bytes = await publish(to, async (temporary) => {
        if (format === 'm4b') {
          const program = ffmpegPath()
          if (program === null) throw new Failure('PROGRAM_MISSING', NO_FFMPEG)
          await joinM4b({ program, chapters, marks, metadata, cover, to: temporary }, signal)
        } else {
          const picture = cover && { type: cover.type, bytes: await readFile(cover.path) }
          await writeStream(
            temporary,
            (async function* () {
              yield id3(metadata, marks, first.sampleRate, picture)
              yield* framesOf(chapters, signal)
            })(),
          )
        }
        await check(temporary, seconds, marks.length, cover !== null, signal)
      })
      return { path: to, format, seconds, bytes }
    },
  }
}
