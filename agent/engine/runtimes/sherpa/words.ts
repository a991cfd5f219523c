// Converts the tokens of a recogniser and their times to words and sentences. Pure.
import { z } from 'zod'
import type { AsrSegment } from '#shared/operations/asr.ts'
import type { Word } from '#shared/operations/limits.ts'

/** The fields that offline and streaming results of the library share. */
export const SherpaResult = z.object({
  text: z.string(),
  lang: z.string().default(''),
  tokens: z.array(z.string()).default([]),
  timestamps: z.array(z.number()).default([]),
  durations: z.array(z.number()).default([]),
})
export type SherpaResult = z.output<typeof SherpaResult>

/** Assumed duration of a token without one. */
const TOKEN_SECONDS = 0.2
/** A longer silence ends a sentence. */
const PAUSE_SECONDS = 0.8
/** A longer sentence ends at the next word. */
const MAX_SENTENCE_SECONDS = 15
const ENDS_SENTENCE = /[.!?…。！？]["'”’)\]]*$/
const CJK = /^[\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}]/u
/** `isSpaced`: a space precedes the word in the text. */
type Spaced = Word & { readonly isSpaced: boolean }
const LONE_MARK = /^[^\p{L}\p{N}]+$/u
const letters = (text: string): string => text.toLowerCase().replaceAll(/\s/g, '')

/** The words of a piece from `from` to `to` seconds; null when its tokens have no times or do not spell the text. */
export function timedSherpaWords({ text, tokens, timestamps, durations }: SherpaResult, from: number, to: number): Spaced[] | null {
  if (tokens.length === 0 || tokens.length !== timestamps.length) return null
  // Models mark words in two ways: with a space before each word, or with `@@` after each part that continues.
  const pieces = tokens.map((token) => token.replaceAll('▁', ' '))
  const hasSpaceMarks = pieces.some((piece) => /^\s/.test(piece))
  const words: { word: string; start: number; end: number; isSpaced: boolean }[] = []
  let startsWord = true
  for (const [at, piece] of pieces.entries()) {
    const written = piece.replace(/@@$/, '').trim()
    if (/^\s/.test(piece)) startsWord = true
    if (written === '') continue
    const start = Math.min(to, Math.max(from, from + timestamps[at]!))
    const next = at + 1 < tokens.length ? from + timestamps[at + 1]! : to
    const end = Math.min(to, Math.max(start, Math.min(next, start + (durations[at] || TOKEN_SECONDS))))
    const last = words.at(-1)
    const isCjk = CJK.test(written)
    const continuesWord = last !== undefined && (LONE_MARK.test(written) || !(startsWord || isCjk || CJK.test(last.word)))
    if (continuesWord) {
      last.word += written
      last.end = Math.max(last.end, end)
    } else words.push({ word: written, start, end, isSpaced: words.length > 0 && startsWord && !isCjk })
    startsWord = !hasSpaceMarks && !piece.endsWith('@@')
  }
  return letters(words.map(({ word }) => word).join('')) === letters(text) ? words : null
}

/** Ends a sentence at a punctuation mark, at a pause or at the maximum length. */
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
      (word.isSpaced && word.end - group[0]!.start > MAX_SENTENCE_SECONDS)
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

/** The sentences of one piece with their words, or the whole piece as one segment when the times are unknown. */
export function toSegments(result: SherpaResult, from: number, to: number): AsrSegment[] {
  const text = result.text.trim()
  if (text === '') return []
  const words = timedSherpaWords(result, from, to)
  return words && words.length > 0 ? toSentenceSegments(words) : [{ start: from, end: to, text }]
}

/** Converts `<|en|>` or `en` to `en`; '' when the result names no language. */
export const resultLanguage = ({ lang }: SherpaResult): string => /[a-z]{2,3}/.exec(lang.toLowerCase())?.[0] ?? ''
