// Cuts chapters into segments: what is rendered, cached and resumed as one. The key of a segment names everything that its sound depends on,
// and neither its place nor its neighbours. Pure.
import { createHash } from 'node:crypto'
import { canonicalJson, type Json } from '#control-plane/jobs/key.ts'
import type { ParagraphKind } from '#shared/text/script/line.ts'
import { textSegments } from '#shared/text/script/segments.ts'
import { composed } from '#shared/text/unicode/compose.ts'
import { type LayoutPauses, layoutPause } from './layout.ts'
import type { BookSpan, ManuscriptChapter, Sampling } from './manifest.ts'

/** A voice of the book with everything that its sound depends on. */
export type BookVoice = {
  /** Id that tasks of this voice share. */
  readonly id: string
  readonly engine: string
  /** Implementation that answers as the engine, and the digest of its model; empty if they are unknown. */
  readonly implementation: string
  readonly modelDigest: string
  readonly voiceDigest: string
  readonly language: string | null
  readonly seed: number | null
}
export type BookSegment<S extends BookVoice = BookVoice> = {
  readonly key: string
  readonly speaker: S
  /** Text for the engine. */
  readonly text: string
  /** Text for a reader. */
  readonly written: string
  readonly endsParagraph: boolean
  readonly speed: number
  readonly seed: number
  /** Length as predicted from its text. */
  readonly seconds: number
  /** Silence after it, in milliseconds. */
  readonly gapMs: number
}
type Rules<S extends BookVoice> = {
  readonly speakerOf: (span: BookSpan) => S
  /** The words that the engine receives. */
  readonly spoken: (text: string, speaker: S) => string
  readonly sampling: Sampling
  readonly seed: number | null
  readonly varyRepeats: boolean
  readonly pauses: LayoutPauses
}

const VERSION = 1
/** Seconds of usual speech for a code point. */
const WIDE_SECONDS = 0.22
const DIGIT_SECONDS = 0.3
const LETTER_SECONDS = 0.068
const OTHER_SECONDS = 0.03
/** Kinds whose lines end where a span ends. */
const STANDS_BY_LINE: ReadonlySet<ParagraphKind> = new Set(['listItem', 'verse', 'tableRow'])
const SAYS_SOMETHING = /[\p{L}\p{N}]/u

const seedOf = (base: number, text: string, occurrence: number, take: number | undefined): number =>
  createHash('sha256')
    .update(`${base}\n${occurrence}\n${text}${take === undefined ? '' : `\n${take}`}`)
    .digest()
    .readUInt32BE(0)

/** `[[word|pronunciation]]` is printed as its word. */
const PRONOUNCED = /\[\[([^[\]|]{1,256})(?:\|[^[\]|]{1,256})?\]\]/g
const printed = (raw: string): string => singleSpaced(raw.replaceAll(PRONOUNCED, '$1'))
const singleSpaced = (text: string): string => text.replaceAll(/\s+/g, ' ').trim()

type Said = Pick<BookSegment, 'text' | 'speed' | 'seed'>
function segmentKey(speaker: BookVoice, { text, speed, seed }: Said, sampling: Sampling): string {
  const { engine, implementation, modelDigest, voiceDigest, language } = speaker
  const parts: Json = {
    version: VERSION,
    engine,
    implementation,
    model: modelDigest,
    voice: voiceDigest,
    text,
    language,
    speed,
    sampling,
    seed,
  }
  return createHash('sha256').update(canonicalJson(parts)).digest('hex')
}

/** A text that is not of the book, in the voice, speed and seed that depend on no other text. */
export function loneSegment<S extends BookVoice>(speaker: S, text: string, sampling: Sampling, bookSeed: number | null): BookSegment<S> {
  const said = { text, speed: 1, seed: bookSeed ?? speaker.seed ?? 0 }
  return {
    ...said,
    key: segmentKey(speaker, said, sampling),
    speaker,
    written: text,
    endsParagraph: true,
    seconds: predictedSeconds(text, 1),
    gapMs: 0,
  }
}

type Cut<S extends BookVoice> = {
  readonly segment: BookSegment<S> | null
  /** Pause in the script. */
  readonly pauseMs: number
  /** Pause of a scene break, which stands in place of text. */
  readonly sceneMs: number
}

/**
 * The segments of a chapter one by one; null in place of text without a letter or digit, which is not spoken. The pause after such a text is kept.
 * Returns the silence before the first words, in milliseconds.
 */
export function createSegmenter<S extends BookVoice>({ speakerOf, spoken, sampling, seed, varyRepeats, pauses }: Rules<S>) {
  const occurrences = new Map<string, number>()

  function segment(
    speaker: S,
    raw: string,
    { speed, take }: Pick<BookSpan, 'take'> & { readonly speed: number },
    gapMs: number,
    endsParagraph: boolean,
  ): BookSegment<S> | null {
    const text = singleSpaced(spoken(composed(raw), speaker))
    if (!SAYS_SOMETHING.test(text)) return null
    const repeated = `${speaker.id} ${speed} ${text}`
    const occurrence = varyRepeats ? (occurrences.get(repeated) ?? 0) : 0
    if (varyRepeats) occurrences.set(repeated, occurrence + 1)
    const own = seedOf(seed ?? speaker.seed ?? 0, text, occurrence, take)
    const seconds = predictedSeconds(text, speed)
    const written = printed(raw)
    const key = segmentKey(speaker, { text, speed, seed: own }, sampling)
    // A long book has tens of thousands of segments, so equal texts are in memory once, and there is no spread: V8 stores the properties that
    // follow one outside the object.
    return { key, speaker, text, written: written === text ? text : written, endsParagraph, speed, seed: own, seconds, gapMs }
  }

  function* ofSpan(span: BookSpan): Generator<Cut<S>> {
    const speaker = speakerOf(span)
    const texts = textSegments(span.text, span.kinds, speaker.language ?? '')
    for (let next = texts.next(); !next.done; ) {
      const { text, kind, end: within } = next.value
      next = texts.next()
      const isLast = next.done === true
      const end = !isLast ? within : span.endsParagraph ? 'paragraph' : span.endsLine && STANDS_BY_LINE.has(kind) ? 'line' : 'sentence'
      const pauseMs = isLast ? span.pauseMs : 0
      const gapMs = layoutPause({ kind, end }, pauses)
      if (kind === 'sceneBreak') yield { segment: null, pauseMs, sceneMs: gapMs }
      else {
        const how = { speed: span.speed ?? 1, ...(span.take !== undefined && { take: span.take }) }
        yield { segment: segment(speaker, text, how, gapMs, end === 'paragraph' || end === 'line'), pauseMs, sceneMs: 0 }
      }
    }
  }
  return function* (chapter: ManuscriptChapter): Generator<BookSegment<S> | null, number> {
    let leadMs = chapter.pauseMsBefore
    /** Its gap is known when the next segment begins. */
    let last: { -readonly [K in keyof BookSegment<S>]: BookSegment<S>[K] } | null = null
    let pausedMs = 0
    let sceneMs = 0
    for (const span of chapter.spans)
      for (const { segment, pauseMs, sceneMs: ownMs } of ofSpan(span)) {
        sceneMs = Math.max(sceneMs, ownMs)
        if (segment === null) {
          if (last) pausedMs += pauseMs
          else leadMs += pauseMs
          yield null
          continue
        }
        if (last) yield withGap(last, Math.max(sceneMs, pausedMs || last.gapMs))
        sceneMs = 0
        last = segment
        pausedMs = pauseMs
      }
    // The end of a chapter has a silence of its own.
    if (last) yield withGap(last, pausedMs)
    return leadMs
  }
}

function withGap<S extends BookVoice>(
  segment: { -readonly [K in keyof BookSegment<S>]: BookSegment<S>[K] },
  gapMs: number,
): BookSegment<S> {
  segment.gapMs = gapMs
  return segment
}

/** Seconds that a voice of usual pace needs. */
export function predictedSeconds(text: string, speed: number): number {
  let seconds = 0
  for (const char of text) {
    if (char <= 'z') {
      seconds += /[A-Za-z]/.test(char) ? LETTER_SECONDS : char >= '0' && char <= '9' ? DIGIT_SECONDS : OTHER_SECONDS
      continue
    }
    if (/\p{Script=Han}|\p{Script=Hiragana}|\p{Script=Katakana}|\p{Script=Hangul}/u.test(char)) seconds += WIDE_SECONDS
    else if (/\p{N}/u.test(char)) seconds += DIGIT_SECONDS
    else seconds += /\p{L}/u.test(char) ? LETTER_SECONDS : OTHER_SECONDS
  }
  return seconds / speed
}
