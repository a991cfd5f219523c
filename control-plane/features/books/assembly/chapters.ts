// The chapters of a book in order: each is encoded as soon as its segments are rendered, a few ahead of the one that is due.

import { createTurns, type Turns } from '#control-plane/clients/turns.ts'
import type { MarkOf } from '#control-plane/features/base/watermark/api.ts'
import { untilAbort } from '#control-plane/jobs/until-abort.ts'
import type { ChapterCodec, ChapterSource } from '#control-plane/media/book/book.ts'
import type { BookMedia } from '#control-plane/media/book/book-media.ts'
import { LOUDNESS_TARGETS } from '#shared/audio/master/chapter.ts'
import { Failure } from '#shared/protocol/failure.ts'
import { nextTurn } from '#shared/runtime/builtin/next-turn.ts'
import type { SegmentCache } from '../cache/segment-cache.ts'
import type { Withdrawals } from '../cache/withdrawals.ts'
import { chapterSound } from '../render/chapter-sound.ts'
import type { BookManifest } from '../render/manifest.ts'
import type { PreparedChapter } from '../render/prepare.ts'
import type { Rendering } from '../render/renderer.ts'
import { type ChapterFile, type ChapterFiles, chapterDigest } from './chapter-files.ts'

export type ChapterPlan = PreparedChapter & { readonly index: number; readonly digest: string }
export type MakeChapters = ReturnType<typeof createMakeChapters>
type Deps = {
  readonly cache: SegmentCache
  readonly files: ChapterFiles
  readonly bookMedia: Pick<BookMedia, 'encodeChapter' | 'measureChapter'>
  readonly markOf: MarkOf
  readonly withdrawals: Pick<Withdrawals, 'claim'>
}
type Book = { readonly output: BookManifest['output']; readonly codec: ChapterCodec; readonly sampleRate: number }
type Making = { readonly rendering: Rendering /** Chapters of the book that are measured. */; readonly inTurn: Turns }
type Outcome = { readonly chapter: ChapterPlan; readonly file: ChapterFile | null; readonly failure: unknown }

const VERSION = 3
const AHEAD = 4

/** The digest of a chapter names everything that its file depends on. */
const planChapter = (chapter: PreparedChapter, index: number, { output, codec, sampleRate }: Book): ChapterPlan => ({
  ...chapter,
  index,
  digest: chapterDigest({
    version: VERSION,
    leadMs: chapter.leadMs,
    segments: chapter.segments.map(({ key, gapMs, speaker }) => [key, gapMs, speaker.gainDb]),
    sampleRate,
    codec,
    kbps: output.bitrateKbps,
    loudness: output.loudness,
  }),
})

/** A chapter in each turn of the event loop: together, those of a long book take 0.1 s. Throws the reason of the signal. */
export async function planChapters(chapters: readonly PreparedChapter[], book: Book, signal: AbortSignal): Promise<ChapterPlan[]> {
  const plans: ChapterPlan[] = []
  for (const [index, chapter] of chapters.entries()) {
    plans.push(planChapter(chapter, index, book))
    await nextTurn()
    signal.throwIfAborted()
  }
  return plans
}

export function createMakeChapters({ cache, files, bookMedia, markOf, withdrawals }: Deps) {
  /** Chapters that are being encoded, for all books: two books with the same chapter must not write one file. */
  const flying = new Map<string, Promise<void>>()

  async function make(chapter: ChapterPlan, book: Book, { rendering, inTurn }: Making, signal: AbortSignal): Promise<ChapterFile | null> {
    const { segments, digest } = chapter
    const [first] = segments
    if (!first) return null
    const mark = markOf({ engine: first.speaker.engine, params: digest })
    const name = mark ? digest : `${digest}-unmarked`
    const known = await files.find(name)
    if (known) return known
    const { sampleRate, output } = book
    const open = () => chapterSound(chapter, { cache, rendering, sampleRate })
    const encodeOnce = async (source: ChapterSource): Promise<ChapterFile> => {
      for (;;) {
        const other = flying.get(name)
        if (!other) break
        await untilAbort(other, signal)
      }
      const flight = Promise.withResolvers<void>()
      flying.set(name, flight.promise)
      try {
        return (await files.find(name)) ?? (await encode(chapter, book, source, { mark, name }, signal))
      } finally {
        flying.delete(name)
        flight.resolve()
      }
    }
    const keys = [...new Set(segments.map(({ key }) => key))]
    const isRendered = (await cache.find(keys)).size === keys.length
    // A level that does not depend on the sound: encoded while it is spoken, one chapter of the book at a time.
    if (output.loudness === null && !isRendered)
      return inTurn(signal, () => encodeOnce({ sampleRate, open, histogram: null, truePeak: null, isAwaited: true }))
    // While it is spoken. Null when nothing needs it, and when it failed: then the encoder measures, or the sound tells why there is none.
    const measure = () => bookMedia.measureChapter({ sampleRate, open }, signal).catch(() => null)
    const measured = output.loudness === null ? null : await inTurn(signal, measure)
    for (const key of keys) await rendering.ready(key)
    return encodeOnce({ sampleRate, open, histogram: measured?.histogram ?? null, truePeak: measured?.truePeak ?? null })
  }

  async function encode(
    { segments }: ChapterPlan,
    { codec, output }: Book,
    source: ChapterSource,
    { mark, name }: { readonly mark: ReturnType<MarkOf>; readonly name: string },
    signal: AbortSignal,
  ): Promise<ChapterFile> {
    const recordings = [...new Set(segments.flatMap(({ speaker }) => speaker.reference?.sha256 ?? []))]
    const isWithdrawn = withdrawals.claim(recordings)
    const encoded = await bookMedia.encodeChapter(
      source,
      { codec, kbps: output.bitrateKbps, preset: output.loudness ?? 'none', mark, to: files.pathOf(name) },
      signal,
    )
    await cache.used(segments.map(({ key }) => key))
    if (isWithdrawn()) {
      await files.remove(name)
      throw new Failure('INPUT_UNAVAILABLE', 'A voice of this chapter was withdrawn while the chapter was made.')
    }
    const { samples, seconds, bytes, loudness } = encoded
    return files.add(name, { codec, sampleRate: encoded.sampleRate, samples, seconds, bytes, integrated: loudness.integrated, recordings })
  }

  /** In the order of the book; `file` is null for a chapter without words. Throws the reason of the signal. */
  return async function* (
    chapters: readonly ChapterPlan[],
    book: Book,
    rendering: Rendering,
    signal: AbortSignal,
  ): AsyncGenerator<Outcome> {
    const own = new AbortController()
    const until = AbortSignal.any([signal, own.signal])
    // All are of one client.
    const inTurn = createTurns({ atOnce: 1, what: 'chapters that are measured' })
    const begun: Promise<Outcome>[] = []
    const begin = (chapter: ChapterPlan): Promise<Outcome> =>
      make(chapter, book, { rendering, inTurn }, until).then(
        (file) => ({ chapter, file, failure: null }),
        (failure: unknown) => ({ chapter, file: null, failure }),
      )
    try {
      for (let at = 0; at < chapters.length; at++) {
        while (begun.length < Math.min(chapters.length, at + AHEAD)) begun.push(begin(chapters[begun.length]!))
        const outcome = await begun[at]!
        signal.throwIfAborted()
        yield outcome
      }
    } finally {
      own.abort(signal.reason)
      await Promise.all(begun)
    }
  }
}

/** Report about the loudness of a book; null without a preset. */
export function loudnessReport(preset: BookManifest['output']['loudness'], measured: number | null) {
  if (preset === null) return null
  const { loudness, peakDb } = LOUDNESS_TARGETS[preset]
  return { preset, target_i: loudness, target_tp: peakDb, two_pass: true as const, measured_i: measured }
}
