// POST /audiobook/preview: one chapter as a WAV file. Its segments stay in the cache, so a book with this chapter uses them.
import { createHash } from 'node:crypto'
import { readdir, rm, stat } from 'node:fs/promises'
import type { MarkOf } from '#control-plane/features/base/watermark/api.ts'
import { MAX_SENT_WAV_BYTES, type Media } from '#control-plane/media/encode.ts'
import { keepFile } from '#control-plane/media/keep-file.ts'
import { firstLevel, LOUDNESS_TARGETS } from '#shared/audio/master/chapter.ts'
import { emptyHistogram } from '#shared/audio/master/histogram.ts'
import { Failure } from '#shared/protocol/failure.ts'
import { fileIn } from '#shared/runtime/file.ts'
import type { SegmentCache } from '../cache/segment-cache.ts'
import type { VoiceLevels } from '../levels/voice-levels.ts'
import { isSpoken, numberedTitle } from '../plan/plan.rules.ts'
import { chapterSound } from '../render/chapter-sound.ts'
import type { Prepare, PreparedBook, PreparedChapter } from '../render/prepare.ts'
import type { Renderer } from '../render/renderer.ts'
import type { PreviewRequest } from './book.schema.ts'
import { chaptersOfScript, manifestFor } from './manifest.rules.ts'

type Deps = {
  readonly prepare: Prepare
  readonly levels: VoiceLevels
  readonly renderer: Renderer
  readonly cache: SegmentCache
  readonly media: Pick<Media, 'encode'>
  readonly markOf: MarkOf
  readonly audioFolder: string
  /** Bytes that may be written to the disk of the studio. */
  readonly freeBytes: () => Promise<number>
}
const PREFIX = 'audiobook_preview_'
/** Files of earlier previews that are kept. */
const KEPT = 20
const WAV_HEADER_BYTES = 44

export function createPreview({ prepare, levels, renderer, cache, media, markOf, audioFolder, freeBytes }: Deps) {
  async function prune(): Promise<void> {
    const names = (await readdir(audioFolder)).filter((name) => name.startsWith(PREFIX))
    const files = await Promise.all(
      names.map(async (name) => ({
        name,
        at: await stat(fileIn(audioFolder, name)).then(
          ({ mtimeMs }) => mtimeMs,
          () => 0,
        ),
      })),
    )
    const old = files.toSorted((left, right) => right.at - left.at).slice(KEPT)
    await Promise.all(old.map(({ name }) => rm(fileIn(audioFolder, name), { force: true })))
  }

  /** A chapter that does not fit is refused before machines have worked on it for hours. */
  async function refuseTooLong({ chapters, sampleRate }: PreparedBook): Promise<void> {
    const [{ leadMs, segments }] = chapters as [PreparedChapter]
    const seconds = segments.reduce((sum, { seconds, gapMs }) => sum + seconds + gapMs / 1_000, leadMs / 1_000)
    const bytes = 2 * sampleRate * seconds
    const length = `The chapter would last about ${Math.round(seconds / 60)} minutes`
    if (bytes > MAX_SENT_WAV_BYTES)
      throw new Failure('BAD_REQUEST', `${length}, too long for a preview. Render the book, or split the chapter.`)
    // The segments, and the preview.
    if (2 * bytes > (await freeBytes())) throw new Failure('STORAGE_FULL', `${length}, and the disk of the studio has no room for it.`)
  }

  /** Throws BAD_REQUEST for a text without chapters, an index out of range and a chapter that is too long, STORAGE_FULL, and why a segment cannot be rendered. */
  return async ({ text, chapter_index: index, ...request }: PreviewRequest, signal: AbortSignal) => {
    const chapters = (await chaptersOfScript(text)).filter(isSpoken)
    if (chapters.length === 0) throw new Failure('BAD_REQUEST', 'The text has no chapter with words.')
    const chapter = chapters[index]
    if (!chapter) throw new Failure('BAD_REQUEST', `There is no chapter ${index}: the text has ${chapters.length}, counted from 0.`)
    // Also a chapter that is switched off: it is listened to before it is chosen.
    const { included: _, ...own } = chapter
    const manifest = manifestFor('audiobook', [own], request, null)
    const { sampling } = manifest
    const prepared = await prepare(manifest, signal)
    if (prepared.chapters[0]!.segments.length === 0) throw new Failure('BAD_REQUEST', 'The chapter has no words.')
    await refuseTooLong(prepared)
    const { chapters: levelled, sampleRate, notices } = await levels(prepared, { sampling, priority: 0, signal })
    const chapterToSpeak = levelled[0]!
    const { segments, title, leadMs } = chapterToSpeak
    const keys = segments.map(({ key }) => key)
    const cached = (await cache.find(keys)).size === new Set(keys).size
    const release = cache.hold(keys)
    const rendering = renderer.render({ segments, sampling, priority: 0, signal })
    try {
      const digest = createHash('sha256')
        .update([leadMs, ...segments.map(({ key, gapMs, speaker }) => `${key} ${gapMs} ${speaker.gainDb}`)].join('\n'))
        .digest('hex')
      const encoded = await media.encode({
        format: 'wav',
        sampleRate,
        source: chapterSound(chapterToSpeak, { cache, rendering, sampleRate }),
        mark: markOf({ engine: segments[0]!.speaker.engine, params: digest }),
        effects: null,
        master: false,
        level: firstLevel(emptyHistogram(), LOUDNESS_TARGETS.none),
        signal,
      })
      const output = `${PREFIX}${digest.slice(0, 16)}.wav`
      await keepFile(fileIn(audioFolder, output), encoded.body)
      await cache.used(keys)
      await prune()
      const seconds = (encoded.contentLength! - WAV_HEADER_BYTES) / 2 / sampleRate
      return { output, duration_s: Math.round(seconds * 1000) / 1000, cached, title: numberedTitle(title, index), notices: [...notices] }
    } finally {
      await rendering.close()
      release()
    }
  }
}
export type ChapterPreview = ReturnType<typeof createPreview>
