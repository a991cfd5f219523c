// From the tokens of a recogniser and their times to words and sentences. Pure.
import { z } from 'zod'
import type { AsrSegment } from '#shared/operations/asr.ts'
import type { Word } from '#shared/operations/limits.ts'

/** What the library says of one stream. Offline and streaming ones differ in what else they tell. */
export const SherpaResult = z.object({
  text: z.string(),
  lang: z.string().default(''),
  tokens: z.array(z.string()).default([]),
  timestamps: z.array(z.number()).default([]),
  durations: z.array(z.number()).default([]),
})
export type SherpaResult = z.output<typeof SherpaResult>

/** How long a token is taken to last when nobody says. */
const TOKEN_SECONDS = 0.2
/** A silence of this length ends a sentence; */
const PAUSE_SECONDS = 0.8
/** and so does this length, at the next word. */
const LONGEST_SECONDS = 15
const ENDS_SENTENCE = /[.!?…。！？]["'”’)\]]*$/
const CJK = /^[\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}]/u
/** A word, and whether a space stands in front of it in the text. */
type Spaced = Word & { readonly isSpaced: boolean }
const LONE_MARK = /^[^\p{L}\p{N}]+$/u
const letters = (text: string): string => text.toLowerCase().replaceAll(/\s/g, '')

/** The words of a piece that begins at `from` and ends at `to`; null when its tokens do not tell their times or do not spell the text. */
export function timedSherpaWords({ text, tokens, timestamps, durations }: SherpaResult, from: number, to: number): Spaced[] | null {
  if (tokens.length === 0 || tokens.length !== timestamps.length) return null
  // Two ways to write words: a space in front of each, or `@@` behind what goes on.
  const pieces = tokens.map((token) => token.replaceAll('▁', ' '))
  const marksBeginnings = pieces.some((piece) => /^\s/.test(piece))
  const words: { word: string; start: number; end: number; isSpaced: boolean }[] = []
  let begins = true
  for (const [at, piece] of pieces.entries()) {
    const written = piece.replace(/@@$/, '').trim()
    if (/^\s/.test(piece)) begins = true
    if (written === '') continue
    const start = Math.min(to, Math.max(from, from + timestamps[at]!))
    const next = at + 1 < tokens.length ? from + timestamps[at + 1]! : to
    const end = Math.min(to, Math.max(start, Math.min(next, start + (durations[at] || TOKEN_SECONDS))))
    const last = words.at(-1)
    const isCjk = CJK.test(written)
    const goesOn = last !== undefined && (LONE_MARK.test(written) || !(begins || isCjk || CJK.test(last.word)))
    if (goesOn) {
      last.word += written
      last.end = Math.max(last.end, end)
    } else words.push({ word: written, start, end, isSpaced: words.length > 0 && begins && !isCjk })
    begins = !marksBeginnings && !piece.endsWith('@@')
  }
  return letters(words.map(({ word }) => word).join('')) === letters(text) ? words : null
}

/** Sentences: ended by their marks, by a pause or by their length. */
export function toSentenceSegments(words: readonly Spaced[]): AsrSegment[] {
  const groups: Spaced[][] = []
  for (const word of words) {
    const group = groups.at(-1)
    const last = group?.at(-1)
    const isNew =
      !group ||
      !last ||
      ENDS_SENTENCE.test(last.word) ||
      word.start - last.end > PAUSE_SECONDS ||
      (word.isSpaced && word.end - group[0]!.start > LONGEST_SECONDS)
    if (isNew) groups.push([word])
    else group.push(word)
  }
  return groups.map((group) => ({
    start: group[0]!.start,
    end: Math.max(...group.map(({ end }) => end)),
    text: group.map(({ word, isSpaced }, at) => (at > 0 && isSpaced ? ` ${word}` : word)).join(''),
    words: group.map(({ start, end, word }) => ({ start, end, word })),
  }))
}

/** What was said in one piece: sentences with their words where the times are known, else the piece as a whole. */
export function toSegments(said: SherpaResult, from: number, to: number): AsrSegment[] {
  const text = said.text.trim()
  if (text === '') return []
  const words = timedSherpaWords(said, from, to)
  return words && words.length > 0 ? toSentenceSegments(words) : [{ start: from, end: to, text }]
}

/** `<|en|>` or `en` to `en`; '' when it says none. */
export const resultLanguage = ({ lang }: SherpaResult): string => /[a-z]{2,3}/.exec(lang.toLowerCase())?.[0] ?? ''
