// Renders one book: segments as tasks, chapters in order, then one file. What is finished stays on the disk, so the same manifest continues
// where an earlier rendering stopped.

import { failureFrame } from '#control-plane/jobs/events.ts'
import type { StepContext } from '#control-plane/jobs/job-type.ts'
import { SILENT_WAIT_MS } from '#control-plane/jobs/job-type.ts'
import type { BookMedia } from '#control-plane/media/book/book-media.ts'
import { Failure } from '#shared/protocol/failure.ts'
import type { Clock } from '#shared/runtime/clock.ts'
import type { BookStore } from '../book/book.store.ts'
import type { BookDone, BookEvent } from '../book/book-events.schema.ts'
import type { SegmentCache } from '../cache/segment-cache.ts'
import { type VoiceLevels, voicesOf } from '../levels/voice-levels.ts'
import { numberedTitle } from '../plan/plan.rules.ts'
import type { BookManifest } from '../render/manifest.ts'
import type { Prepare, PreparedBook } from '../render/prepare.ts'
import type { Renderer, RenderOptions } from '../render/renderer.ts'
import { bookLoudness, bytesNeeded, emptyTitlesNotice } from './book.rules.ts'
import { bookProgress } from './book-progress.ts'
import type { ChapterFiles } from './chapter-files.ts'
import { loudnessReport, type MakeChapters, planChapters } from './chapters.ts'
import type { MadeChapter, PublishBook } from './publish-book.ts'

/** Events that clients of the job have received. */
export type ReleasedEvents = { readonly chapters: number; readonly types: ReadonlySet<string> }
export type BookRequest = {
  readonly jobId: string
  readonly manifest: BookManifest
  /** Events of an earlier run of this job; null if there was none. */
  readonly released: ReleasedEvents | null
}
export type RenderBook = ReturnType<typeof createRenderBook>
type Deps = {
  readonly prepare: Prepare
  readonly levels: VoiceLevels
  readonly renderer: Renderer
  readonly cache: SegmentCache
  readonly store: Pick<BookStore, 'progress' | 'finish' | 'remove' | 'addChapter'>
  readonly files: ChapterFiles
  readonly makeChapters: MakeChapters
  readonly bookMedia: Pick<BookMedia, 'plan'>
  readonly publishBook: PublishBook
  /** Bytes that may be written to the disk of the studio. */
  readonly freeBytes: () => Promise<number>
  readonly collectGarbage: () => void
  readonly clock: Clock
}
/** About seven hours. V8 keeps 100 MB of garbage of the request and the plan of a book of 40 hours, for the hours of its rendering. */
const LONG_CHARS = 500_000
/** Players and tags count milliseconds in 32 bits. */
const MAX_SECONDS = 1_000 * 3600
/** More would hide the others. */
const MAX_NOTICES = 50
const MS = 1_000
const sizeOf = (bytes: number): string => (bytes < 1e9 ? `${Math.ceil(bytes / 1e6)} MB` : `${(bytes / 1e9).toFixed(1)} GB`)

/** Reports once that the book waits for a machine, when it has waited for a while. */
function waitingNotice({ emit, whileWaiting }: StepContext<BookEvent>, clock: Clock): NonNullable<RenderOptions['noMachine']> {
  let since: number | null = null
  let isReported = false
  return async (reason, rest, isIdle) => {
    since ??= clock.mono()
    if (!isReported && clock.mono() - since >= SILENT_WAIT_MS) {
      isReported = true
      emit({ type: 'routing_notice', status: 'waiting', reason: `${reason} The book waits for one.` }).catch(() => {}) // it has ended
    }
    await (isIdle ? whileWaiting(rest) : rest())
  }
}

export function createRenderBook(deps: Deps) {
  const { prepare, levels, renderer, cache, store, files, makeChapters, bookMedia, publishBook, freeBytes, collectGarbage, clock } = deps

  const isLong = ({ chapters }: BookManifest): boolean =>
    chapters.reduce((sum, { spans }) => sum + spans.reduce((chars, { text }) => chars + text.length, 0), 0) >= LONG_CHARS
  const secondsOf = (segments: PreparedBook['chapters'][number]['segments']): number =>
    segments.reduce((sum, { seconds }) => sum + seconds, 0)

  async function refuseWithoutSpace(
    { chapters, sampleRate }: PreparedBook,
    cached: ReadonlyMap<string, unknown>,
    kbps: number,
  ): Promise<void> {
    const segments = chapters.flatMap((chapter) => chapter.segments)
    const missing = segments.filter(({ key }) => !cached.has(key))
    const leadSeconds = chapters.reduce((sum, { leadMs }) => sum + leadMs / MS, 0)
    const gapSeconds = segments.reduce((sum, { gapMs }) => sum + gapMs / MS, leadSeconds)
    const totalSeconds = secondsOf(segments) + gapSeconds
    if (totalSeconds > MAX_SECONDS)
      throw new Failure('BAD_REQUEST', `The book would last about ${Math.round(totalSeconds / 3600)} hours. Split it: the limit is 1,000.`)
    const needed = bytesNeeded({ missingSeconds: secondsOf(missing), totalSeconds, sampleRate, kbps })
    const free = await freeBytes()
    if (needed <= free) return
    throw new Failure(
      'STORAGE_FULL',
      `The book needs about ${sizeOf(needed)} on the disk of the studio, and ${sizeOf(Math.max(0, free))} are free. Free some space, then resume it.`,
    )
  }

  /** All before the first chapter. A function of its own, so that the segments before their levels are not in memory for the whole rendering. */
  async function begin(
    { jobId, manifest, released }: BookRequest,
    { signal, emit }: StepContext<BookEvent>,
    noMachine: ReturnType<typeof waitingNotice>,
  ) {
    const { output } = manifest
    if (isLong(manifest)) collectGarbage() // what reading the request has left, so that the plan uses its memory
    const prepared = await prepare(manifest, signal)
    const segments = prepared.chapters.flatMap((chapter) => chapter.segments)
    if (segments.length === 0) {
      store.remove(jobId) // it can never be resumed
      throw new Failure('BAD_REQUEST', 'The book has no words to speak.')
    }
    const cached = await cache.find(segments.map(({ key }) => key))
    // An EPUB has the sound again.
    await refuseWithoutSpace(prepared, cached, output.bitrateKbps * (output.readalong ? 2 : 1))
    await cache.pin(jobId, [...new Set([...segments, ...voicesOf(prepared).map(({ casting }) => casting)].map(({ key }) => key))])
    if (released === null) await emit({ type: 'started', job_id: jobId, chapters: prepared.chapters.length })
    return { book: await levels(prepared, { sampling: manifest.sampling, priority: 1, signal, noMachine }), cached }
  }

  /** The step output is the last event. Throws BAD_REQUEST for a book without words, STORAGE_FULL, and why no chapter could be rendered. */
  return async ({ jobId, manifest, released }: BookRequest, context: StepContext<BookEvent>): Promise<BookDone> => {
    const { signal, emit } = context
    const { output } = manifest
    const plan = bookMedia.plan(output.format)
    const noMachine = waitingNotice(context, clock)
    const { book, cached } = await begin({ jobId, manifest, released }, context, noMachine)
    const { sampleRate } = book
    const shape = { output, codec: plan.codec, sampleRate }
    const chapters = await planChapters(book.chapters, shape, signal)
    const levelled = chapters.flatMap((chapter) => chapter.segments)
    const empty = emptyTitlesNotice(manifest.emptyTitles)
    const reasons = [plan.notice, empty, ...book.notices].filter((reason) => reason !== null)
    if (released === null)
      for (const reason of reasons.slice(0, MAX_NOTICES)) await emit({ type: 'routing_notice', status: 'notice', reason })
    if (isLong(manifest)) collectGarbage() // what planning has left
    const total = secondsOf(levelled)
    const progress = bookProgress(total, context.report, clock)
    let unmastered = total
    const release = files.hold(chapters.flatMap(({ digest }) => [digest, `${digest}-unmarked`]))
    const rendering = renderer.render({
      segments: levelled,
      sampling: manifest.sampling,
      priority: 1,
      signal,
      progressed: progress.spoken,
      noMachine,
    })
    const made: MadeChapter[] = []
    const failed: number[] = []
    let cachedChapters = 0
    let firstFailure: unknown = null
    try {
      for await (const { chapter, file, failure } of makeChapters(chapters, shape, rendering, signal)) {
        const { index, title } = chapter
        const place = { index, total: chapters.length, title: numberedTitle(title, index) }
        const known = chapter.segments.filter(({ key }) => cached.has(key)).length
        const isCached = failure === null && known > 0 && known === chapter.segments.length
        if (failure !== null) failed.push(index)
        firstFailure ??= failure
        if (isCached) cachedChapters++
        if (file) {
          made.push({ chapter, file })
          store.addChapter(jobId, index, chapter.digest)
        }
        unmastered -= secondsOf(chapter.segments)
        progress.mastered(unmastered)
        store.progress(jobId, { chapters_done: index + 1 - failed.length, cached_chapters: cachedChapters, failed })
        if (index < (released?.chapters ?? 0)) continue
        if (failure !== null) await emit({ ...failureFrame(Failure.from(failure)), ...place, type: 'chapter_error' })
        else {
          const doubtful = [...(await cache.find(chapter.segments.map(({ key }) => key))).values()].filter(
            ({ isDoubtful }) => isDoubtful,
          ).length
          await emit({
            ...place,
            type: 'chapter',
            duration_s: Math.round((file?.seconds ?? 0) * MS) / MS,
            cached: isCached,
            segments: chapter.segments.length,
            cached_segments: known,
            ...(doubtful > 0 && { warning: `${doubtful} segments have an unusual length or level. Listen to this chapter.` }),
          })
        }
      }
      if (made.length === 0) throw firstFailure
      if (!released?.types.has('assembling')) await emit({ type: 'assembling' })
      if (output.loudness !== null && !released?.types.has('mastering')) await emit({ type: 'mastering', preset: output.loudness })
      const record = (file: string, length: number) => store.finish(jobId, file, length, clock.now())
      const finished = { jobId, manifest, format: plan.format, made, rendering, sampleRate, record }
      const { name, epub, seconds } = await publishBook(finished, signal)
      if (failed.length === 0) cache.unpin(jobId)
      const loudness = loudnessReport(output.loudness, bookLoudness(made.map(({ file }) => file)))
      return {
        type: 'done' as const,
        output: name,
        ...(epub !== null && { readalong: epub }),
        chapters: made.length + failed.length,
        duration_s: Math.round(seconds * MS) / MS,
        cached_chapters: cachedChapters,
        failed_chapters: failed,
        ...(loudness && { loudness }),
      }
    } finally {
      await rendering.close()
      release()
      await files.prune()
    }
  }
}
