// Cuts a text into segments that are synthesised in order. Pure.

import type { ResultOf } from '#shared/operations/table.ts'
import { mostPauseSeconds, pauseMessage, pauseObjection, SEGMENT_CHARS } from '#shared/operations/tts.ts'
import { Failure } from '#shared/protocol/failure.ts'
import { markOf } from '#shared/text/script/mark.ts'
import { LONGEST_PAUSE_MS, pauseOf } from '#shared/text/script/pause.ts'
import { isUnmarked, toSentences } from '#shared/text/sentences.ts'

/** `marks`: names of the marks before its first word. */
export type ScriptSegment = { readonly text: string; readonly pauseAfterMs: number; readonly marks?: readonly string[] }
/** `leadMs`: silence before the first word. */
export type Script = {
  readonly leadMs: number
  readonly segments: readonly ScriptSegment[]
  /** Names of the marks behind the last word. */
  readonly marksAfter?: readonly string[]
}
/** A tag that may be a pause or a mark. */
const TAG = /\[(?:pause|mark:)[^[\]]{0,50}\]/gi

/** Cuts at pauses and marks. Consecutive pauses add up. Null for a text with neither. */
export function cutAtPauses(text: string): Script | null {
  const tags = [...text.matchAll(TAG)].flatMap(({ 0: tag, index }) => {
    const [ms, mark] = [pauseOf(tag), markOf(tag)]
    return ms === null && mark === null ? [] : [{ ms: ms ?? 0, mark, index, end: index + tag.length }]
  })
  if (tags.length === 0) return null
  const segments: { text: string; pauseAfterMs: number; marks?: readonly string[] }[] = []
  let marks: string[] = []
  let leadMs = 0
  let at = 0
  for (const tag of [...tags, null]) {
    const words = text.slice(at, tag?.index).trim()
    if (words !== '') {
      segments.push({ text: words, pauseAfterMs: 0, ...(marks.length > 0 && { marks }) })
      marks = []
    }
    if (tag?.mark) marks.push(tag.mark)
    const last = segments.at(-1)
    if (tag && last) last.pauseAfterMs = Math.min(LONGEST_PAUSE_MS, last.pauseAfterMs + tag.ms)
    else if (tag) leadMs = Math.min(LONGEST_PAUSE_MS, leadMs + tag.ms)
    at = tag?.end ?? at
  }
  return { leadMs, segments, ...(marks.length > 0 && { marksAfter: marks }) }
}

/** Cuts at pauses and marks, and then as `cutAtSentences`. */
export function cutScript(text: string, maxChars: number, language: string): Script & { readonly hasPauses: boolean } {
  const paused = cutAtPauses(text)
  if (!paused) return { leadMs: 0, segments: cutAtSentences(text, maxChars, language), hasPauses: false }
  const segments = paused.segments.flatMap(({ pauseAfterMs, ...segment }) => {
    const cut = cutAtSentences(segment.text, maxChars, language)
    return cut.map(({ text: sentence }, index) => ({ text: sentence, pauseAfterMs: index === cut.length - 1 ? pauseAfterMs : 0 }))
  })
  return { leadMs: paused.leadMs, segments, hasPauses: true }
}

/** Throws INVALID_TASK_PARAMS for a script without words, and for pauses that are too long for them. */
export function checkScript({ leadMs, segments }: Script): void {
  if (segments.length === 0) throw new Failure('INVALID_TASK_PARAMS', 'The text contains nothing but pauses.')
  const characters = segments.reduce((sum, { text }) => sum + text.length, 0)
  const objection = pauseObjection(pauseMs({ leadMs, segments }), characters)
  if (objection) throw new Failure('INVALID_TASK_PARAMS', objection)
}

/** All pauses of a script together, in milliseconds. */
export const pauseMs = ({ leadMs, segments }: Script): number => segments.reduce((sum, { pauseAfterMs }) => sum + pauseAfterMs, leadMs)

/** Throws INVALID_TASK_PARAMS if the engine spoke too briefly for these pauses. The result contains all of them but `leadMs`. */
export function refuseLongPauses(
  leadMs: number,
  segments: readonly { readonly pause_after_ms?: number | undefined }[],
  { parts, sample_rate }: Pick<ResultOf<'tts'>, 'parts' | 'sample_rate'>,
): void {
  const afterMs = segments.reduce((sum, { pause_after_ms = 0 }) => sum + pause_after_ms, 0)
  const spokenSeconds = parts.reduce((sum, { samples }) => sum + samples, 0) / sample_rate - afterMs / 1000
  if ((leadMs + afterMs) / 1000 > mostPauseSeconds(spokenSeconds)) throw new Failure('INVALID_TASK_PARAMS', pauseMessage(leadMs + afterMs))
}

/** The duration without the pause before the first word, which engines do not make. Throws INVALID_TASK_PARAMS if nothing is left. */
export function durationAfter(leadMs: number, duration: number | null): number | null {
  if (duration === null || leadMs === 0) return duration
  if (duration <= leadMs / 1000) throw new Failure('INVALID_TASK_PARAMS', 'duration: The pauses alone are longer.')
  return duration - leadMs / 1000
}

/** Larger differences from a requested duration are reported, in seconds and as a share of it. */
const EXACT_SECONDS = 0.25
const EXACT_SHARE = 0.05

/** Notices about a duration that was not met. `leadMs`: the pause before the first word, which the result lacks. */
export function durationNotices(
  duration: number | null,
  leadMs: number,
  { parts, sample_rate }: Pick<ResultOf<'tts'>, 'parts' | 'sample_rate'>,
): string[] {
  const seconds = leadMs / 1000 + parts.reduce((sum, { samples }) => sum + samples, 0) / sample_rate
  if (duration === null || Math.abs(seconds - duration) <= Math.max(EXACT_SECONDS, EXACT_SHARE * duration)) return []
  return [`The audio lasts ${seconds.toFixed(1)} s. The engine could not meet the requested duration of ${duration} s.`]
}

/** Chunks of a text; more sentences are grouped. */
const MOST_CHUNKS = 4_000

/**
 * Groups whole sentences into chunks of at most `maxChars`. A longer sentence becomes its own chunk. 0: as few chunks as the engines allow;
 * 1: one for each sentence. `language`: as for `toSentences`.
 */
export function cutAtSentences(text: string, maxChars: number, language: string): ScriptSegment[] {
  const trimmed = text.trim()
  const most = maxChars === 0 ? SEGMENT_CHARS : Math.min(maxChars, SEGMENT_CHARS)
  if (trimmed.length <= most) return [{ text: trimmed, pauseAfterMs: 0 }]
  const sentences = toSentences(trimmed, language)
  let chunks = grouped(sentences, most)
  for (let more = Math.max(most, 32); chunks.length > MOST_CHUNKS; more *= 2) chunks = grouped(sentences, more)
  return chunks.map((chunk) => ({ text: chunk, pauseAfterMs: 0 }))
}

function grouped(sentences: readonly string[], most: number): string[] {
  const chunks: string[] = []
  for (const sentence of sentences) {
    const last = chunks.at(-1)
    // The line of a list or a verse keeps its end.
    const joined = last === undefined ? '' : `${last}${isUnmarked(last) ? '\n\n' : ' '}${sentence}`
    if (joined !== '' && joined.length <= most) chunks[chunks.length - 1] = joined
    else chunks.push(sentence)
  }
  return chunks
}
