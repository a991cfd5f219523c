// The plan of a manuscript: its chapters and spans, as clients see them. Pure, in turns of the event loop.

import { Failure } from '#shared/protocol/failure.ts'
import { nextTurn } from '#shared/runtime/builtin/next-turn.ts'
import { detectLanguage } from '#shared/text/language.ts'
import { paceOf } from '#shared/text/pace.ts'
import type { Chapter } from '#shared/text/script/span.ts'
import { isSsml } from '#shared/text/ssml/is-ssml.ts'
import { wordCountOf } from '#shared/text/words.ts'
import { MAX_BOOK_LINES, MAX_CHAPTERS, MAX_SPANS, type PlanReply } from './plan.schema.ts'
import { parseScriptInTurns } from './script-turns.ts'
import { ssmlChapters } from './ssml-chapter.ts'

/** Code points; of a pair of surrogates, the second does not count. An iterator takes twice as long. */
function lengthOf(text: string): number {
  let length = text.length
  for (let at = 0; at < text.length; at++) if ((text.charCodeAt(at) & 0xfc00) === 0xdc00) length--
  return length
}
const sum = (numbers: readonly number[]): number => numbers.reduce((total, each) => total + each, 0)

/** UTF-16 units that are counted in one turn. */
const CHARS_A_TURN = 262_144
const TAG = /\[(?:voice:|pause|take |\/?(?:slow|fast|emphasis|spell|take)\])/gi
/** UTF-16 units of the longest match. */
const TAG_CHARS = '[/emphasis]'.length

export const tooManySpans = () =>
  new Failure('INVALID_REQUEST', `The book changes its voice, speed or pauses more than ${MAX_SPANS} times. Split it.`)

/** Throws INVALID_REQUEST for more than 10,000 chapters, 100,000 changes of voice, speed and pauses, or 300,000 lines, and for SSML that is not read. */
export async function chaptersOf(text: string): Promise<Chapter[]> {
  if (isSsml(text)) return await ssmlChapters(text)
  let tags = 0
  for (let from = 0; from < text.length; from += CHARS_A_TURN) {
    // A tag at the end of a part is counted where it begins.
    for (const { index } of text.slice(from, from + CHARS_A_TURN + TAG_CHARS - 1).matchAll(TAG))
      if (index < CHARS_A_TURN && ++tags > MAX_SPANS) throw tooManySpans()
    await nextTurn()
  }
  const chapters = await parseScriptInTurns(text, MAX_CHAPTERS)
  if (chapters.length > MAX_CHAPTERS)
    throw new Failure('INVALID_REQUEST', `The manuscript has more than ${MAX_CHAPTERS} chapters. Split it.`)
  await refuseManyLines(chapters)
  return chapters
}

const [LINE_END, TAB] = [0x0a, 0x09]
/** Throws INVALID_REQUEST for more than 300,000 lines, paragraphs and cells. */
export async function refuseManyLines(chapters: readonly { readonly spans: readonly { readonly text: string }[] }[]): Promise<void> {
  let [lines, left] = [0, CHARS_A_TURN]
  for (const { spans } of chapters)
    for (const { text } of spans) {
      lines++
      // An empty line counts once with the line before it.
      for (let at = 0, before = 0; at < text.length; at++) {
        const code = text.charCodeAt(at)
        if (code === TAB || (code === LINE_END && before !== LINE_END)) lines++
        before = code
      }
      if (lines > MAX_BOOK_LINES) throw new Failure('INVALID_REQUEST', `The book has more than ${MAX_BOOK_LINES} lines. Split it.`)
      left -= text.length
      if (left > 0) continue
      await nextTurn()
      left = CHARS_A_TURN
    }
}

const SAYS_SOMETHING = /[\p{L}\p{N}]/u
/** True if anything of a chapter is spoken. A heading without text is no chapter. */
export const isSpoken = ({ spans }: { readonly spans: readonly { readonly text: string }[] }): boolean =>
  spans.some(({ text }) => SAYS_SOMETHING.test(text))
/** The title of a chapter without one, by its place from 0 on. */
export const numberedTitle = (title: string, index: number): string => title || `Chapter ${index + 1}`

/** Reasons of what is left out. */
const SWITCHED_OFF = 'This chapter is switched off.'
const NO_TEXT = 'A title without text is no chapter.'
const MOST_LEFT_OUT = 500
const SECONDS = 60
const PAUSE_MS = 1_000
const rounded = (minutes: number): number => Math.round(minutes * 100) / 100

type Options = {
  /** Voice of spans without one; null leaves them without. */
  readonly defaultVoice: string | null
  /** Language tag, for the pace; null for that of the words. */
  readonly language: string | null
}

/** Counts texts in turns of the event loop. */
function createCounter() {
  let left = CHARS_A_TURN
  return async (text: string): Promise<{ readonly chars: number; readonly words: number }> => {
    let [chars, words] = [0, 0]
    for (let from = 0; from < text.length; from += CHARS_A_TURN) {
      const part = text.slice(from, from + CHARS_A_TURN)
      chars += lengthOf(part)
      words += wordCountOf(part)
      left -= part.length
      if (left > 0) continue
      await nextTurn()
      left = CHARS_A_TURN
    }
    return { chars, words }
  }
}

/** Throws what `chaptersOf` throws. */
export async function planOf(text: string, { defaultVoice, language }: Options): Promise<PlanReply> {
  const chapters: PlanReply['chapters'] = []
  const notes: string[] = []
  const leftOut: PlanReply['left_out'] = []
  const count = createCounter()
  const all = await chaptersOf(text)
  const sample = all.flatMap(({ spans }) => spans.slice(0, 1)).slice(0, 8)
  const pace = paceOf(language ?? detectLanguage(sample.map((span) => span.text.slice(0, 2_000)).join('\n'))?.code ?? '')
  for (const [place, chapter] of all.entries()) {
    const { title, included, pauseMsBefore, spans, notices = [] } = chapter
    if (!isSpoken(chapter)) {
      leftOut.push({ title, why: included ? NO_TEXT : SWITCHED_OFF })
      continue
    }
    notes.push(...notices)
    let [chars, words, seconds] = [0, 0, pauseMsBefore / PAUSE_MS]
    for (const span of spans) {
      const counted = await count(span.text)
      chars += counted.chars
      words += counted.words
      seconds += counted.chars / pace / (span.speed ?? 1) + span.pauseMsAfter / PAUSE_MS
    }
    const planned = spans.map((span) => ({
      voice_id: span.voice ?? defaultVoice,
      text: span.text,
      pause_ms_after: span.pauseMsAfter,
      speed: span.speed,
      ...(span.kinds.length > 0 && { kinds: span.kinds }),
    }))
    const pause = pauseMsBefore > 0 && { pause_ms_before: pauseMsBefore }
    const name = numberedTitle(title, chapters.length)
    if (!included) leftOut.push({ title: name, why: SWITCHED_OFF })
    chapters.push({ title: name, char_count: chars, ...pause, place, included, words, minutes: rounded(seconds / SECONDS), spans: planned })
  }
  const spoken = chapters.filter(({ included }) => included)
  return {
    chapters,
    chapter_count: chapters.length,
    char_count: sum(chapters.map((chapter) => chapter.char_count)),
    included_count: spoken.length,
    words: sum(spoken.map(({ words }) => words)),
    minutes: rounded(sum(spoken.map(({ minutes }) => minutes))),
    left_out: leftOut.slice(0, MOST_LEFT_OUT),
    ...(notes.length > 0 && { notices: notes }),
  }
}
