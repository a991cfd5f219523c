// The plan of a manuscript: its chapters and spans, as clients see them. Pure.
import { Failure } from '#shared/protocol/failure.ts'
import { type Chapter, parseScript } from '#shared/text/script/script.ts'
import { MOST_CHAPTERS, MOST_SPANS, type PlanReply } from './plan.schema.ts'

/** Code points. */
function lengthOf(text: string): number {
  let length = 0
  for (const _ of text) length++
  return length
}
const sum = (numbers: readonly number[]): number => numbers.reduce((total, each) => total + each, 0)

const TAG = /\[(?:voice:|pause|\/?(?:slow|fast|emphasis|spell)\])/gi

export const tooManySpans = () =>
  new Failure('INVALID_REQUEST', `The book changes its voice, speed or pauses more than ${MOST_SPANS} times. Split it.`)

/** Throws INVALID_REQUEST for more than 10,000 chapters or 100,000 changes of voice, speed and pauses. */
export function chaptersOf(text: string): Chapter[] {
  let tags = 0
  for (const _ of text.matchAll(TAG)) if (++tags > MOST_SPANS) throw tooManySpans()
  const chapters = parseScript(text)
  if (chapters.length > MOST_CHAPTERS)
    throw new Failure('INVALID_REQUEST', `The manuscript has ${chapters.length} chapters; at most ${MOST_CHAPTERS} are allowed.`)
  return chapters
}

/** `defaultVoice`: the voice of spans without one; null leaves them without. */
export function planOf(text: string, defaultVoice: string | null): PlanReply {
  const chapters = chaptersOf(text).map(({ title, spans }) => ({
    title,
    char_count: sum(spans.map((span) => lengthOf(span.text))),
    spans: spans.map((span) => ({
      voice_id: span.voice ?? defaultVoice,
      text: span.text,
      pause_ms_after: span.pauseMsAfter,
      speed: span.speed,
    })),
  }))
  return { chapters, chapter_count: chapters.length, char_count: sum(chapters.map((chapter) => chapter.char_count)) }
}
