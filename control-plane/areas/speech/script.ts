// Cuts the text of /generate into the pieces that are synthesised one after the other. Pure.
import { toSentences } from '#shared/text/sentences.ts'

export type Spoken = { readonly text: string; readonly pauseAfterMs: number }
/** `[pause]`, `[pause 500ms]`, `[pause 1.5s]`. */
const PAUSE = /\[pause(?:\s+(\d+(?:\.\d+)?)\s*(ms|s))?\]/gi
const DEFAULT_PAUSE_MS = 500
const LONGEST_PAUSE_MS = 60_000

const pauseOf = ([, amount, unit]: RegExpMatchArray): number =>
  amount === undefined ? DEFAULT_PAUSE_MS : Math.min(LONGEST_PAUSE_MS, Number(amount) * (unit?.toLowerCase() === 's' ? 1000 : 1))

/** Cuts at pause markers; several in a row add up. Null when there is none. A pause before the first word has nothing to follow and is dropped. */
export function cutAtPauses(text: string): Spoken[] | null {
  const marks = [...text.matchAll(PAUSE)]
  if (marks.length === 0) return null
  const spoken: { text: string; pauseAfterMs: number }[] = []
  let at = 0
  for (const mark of [...marks, null]) {
    const words = text.slice(at, mark?.index).trim()
    if (words !== '') spoken.push({ text: words, pauseAfterMs: 0 })
    const last = spoken.at(-1)
    if (mark && last) last.pauseAfterMs = Math.min(LONGEST_PAUSE_MS, last.pauseAfterMs + pauseOf(mark))
    at = mark ? mark.index + mark[0].length : at
  }
  return spoken
}

/** Whole sentences up to `maxChars` a chunk; a longer sentence is a chunk of its own. 0: one chunk. */
export function cutAtSentences(text: string, maxChars: number): Spoken[] {
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

/** `[[text]]` says text, `[[word|say]]` says say. */
export const applyOverrides = (text: string): string =>
  text.replaceAll(/\[\[([^[\]|]{1,256})(?:\|([^[\]|]{1,256}))?\]\]/g, (_whole, word: string, say?: string) => say ?? word)
