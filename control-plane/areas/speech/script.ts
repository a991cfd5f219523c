// Cuts the text of /generate into segments that are synthesised in order. Pure.
import { toSentences } from '#shared/text/sentences.ts'

export type ScriptSegment = { readonly text: string; readonly pauseAfterMs: number }
/** `[pause]`, `[pause 500ms]`, `[pause 1.5s]`. */
const PAUSE = /\[pause(?:\s+(\d+(?:\.\d+)?)\s*(ms|s))?\]/gi
const DEFAULT_PAUSE_MS = 500
const LONGEST_PAUSE_MS = 60_000

const pauseOf = ([, amount, unit]: RegExpMatchArray): number =>
  amount === undefined ? DEFAULT_PAUSE_MS : Math.min(LONGEST_PAUSE_MS, Number(amount) * (unit?.toLowerCase() === 's' ? 1000 : 1))

/** Cuts at pause markers. Consecutive pauses add up; a pause before the first word is dropped. Null for a text without pauses. */
export function cutAtPauses(text: string): ScriptSegment[] | null {
  const marks = [...text.matchAll(PAUSE)]
  if (marks.length === 0) return null
  const segments: { text: string; pauseAfterMs: number }[] = []
  let at = 0
  for (const mark of [...marks, null]) {
    const words = text.slice(at, mark?.index).trim()
    if (words !== '') segments.push({ text: words, pauseAfterMs: 0 })
    const last = segments.at(-1)
    if (mark && last) last.pauseAfterMs = Math.min(LONGEST_PAUSE_MS, last.pauseAfterMs + pauseOf(mark))
    at = mark ? mark.index + mark[0].length : at
  }
  return segments
}

/** Groups whole sentences into chunks of at most `maxChars`. A longer sentence becomes its own chunk. 0: one chunk. */
export function cutAtSentences(text: string, maxChars: number): ScriptSegment[] {
  const trimmed = text.trim()
  if (maxChars === 0 || trimmed.length <= maxChars) return [{ text: trimmed, pauseAfterMs: 0 }]
  const chunks: string[] = []
  for (const sentence of toSentences(trimmed)) {
    const last = chunks.length - 1
    if (last >= 0 && chunks[last]!.length + 1 + sentence.length <= maxChars) chunks[last] += ` ${sentence}`
    else chunks.push(sentence)
  }
  return chunks.map((chunk) => ({ text: chunk, pauseAfterMs: 0 }))
}

/** Replaces `[[text]]` by text, and `[[word|pronunciation]]` by pronunciation. */
export const applyOverrides = (text: string): string =>
  text.replaceAll(/\[\[([^[\]|]{1,256})(?:\|([^[\]|]{1,256}))?\]\]/g, (_whole, word: string, say?: string) => say ?? word)
