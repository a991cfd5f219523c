// The plan of a manuscript: its chapters and spans, as clients see them. Pure, in turns of the event loop.

import { Failure } from '#shared/protocol/failure.ts'
import { nextTurn } from '#shared/runtime/builtin/next-turn.ts'
import type { Chapter } from '#shared/text/script/script.ts'
import { isSsml } from '#shared/text/ssml/is-ssml.ts'
import { MAX_CHAPTERS, MAX_SPANS, type PlanReply } from './plan.schema.ts'
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
const TAG = /\[(?:voice:|pause|\/?(?:slow|fast|emphasis|spell)\])/gi
/** UTF-16 units of the longest match. */
const TAG_CHARS = '[/emphasis]'.length

export const tooManySpans = () =>
  new Failure('INVALID_REQUEST', `The book changes its voice, speed or pauses more than ${MAX_SPANS} times. Split it.`)

/** Throws INVALID_REQUEST for more than 10,000 chapters or 100,000 changes of voice, speed and pauses, and for SSML that is not read. */
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
  return chapters
}

const SAYS_SOMETHING = /[\p{L}\p{N}]/u
/** True if anything of a chapter is spoken. A heading without text is no chapter. */
export const isSpoken = ({ spans }: { readonly spans: readonly { readonly text: string }[] }): boolean =>
  spans.some(({ text }) => SAYS_SOMETHING.test(text))
/** The title of a chapter without one, by its place from 0 on. */
export const numberedTitle = (title: string, index: number): string => title || `Chapter ${index + 1}`

/** `defaultVoice`: the voice of spans without one; null leaves them without. */
export async function planOf(text: string, defaultVoice: string | null): Promise<PlanReply> {
  const chapters: PlanReply['chapters'] = []
  const notes: string[] = []
  let left = CHARS_A_TURN
  for (const { title, pauseMsBefore, spans, notices = [] } of (await chaptersOf(text)).filter(isSpoken)) {
    notes.push(...notices)
    let count = 0
    for (const span of spans)
      for (let from = 0; from < span.text.length; from += CHARS_A_TURN) {
        const part = span.text.slice(from, from + CHARS_A_TURN)
        count += lengthOf(part)
        left -= part.length
        if (left > 0) continue
        await nextTurn()
        left = CHARS_A_TURN
      }
    const planned = spans.map((span) => ({
      voice_id: span.voice ?? defaultVoice,
      text: span.text,
      pause_ms_after: span.pauseMsAfter,
      speed: span.speed,
    }))
    const pause = pauseMsBefore > 0 && { pause_ms_before: pauseMsBefore }
    chapters.push({ title: numberedTitle(title, chapters.length), char_count: count, ...pause, spans: planned })
  }
  const counts = { chapter_count: chapters.length, char_count: sum(chapters.map((chapter) => chapter.char_count)) }
  return { chapters, ...counts, ...(notes.length > 0 && { notices: notes }) }
}
