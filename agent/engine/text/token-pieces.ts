// Cuts a text into pieces that a language model takes at once: as many whole sentences as its budget of tokens holds. Pure.

import { toSentences } from '#shared/text/sentences.ts'
import { splitInHalf, toTextPieces } from '../speech/text-pieces.ts'

/** No token of any vocabulary at hand is longer on average; longer sentences are cut before they are counted, because counting is not free. */
const MOST_CHARACTERS_PER_TOKEN = 8

/** Non-empty pieces in order, none of more than `budget` tokens unless a single character is. No word is lost. */
export function toTokenPieces(text: string, budget: number, count: (text: string) => number): string[] {
  const pieces: string[] = []
  for (const sentence of toSentences(text)) {
    for (const rough of toTextPieces(sentence, budget * MOST_CHARACTERS_PER_TOKEN)) {
      for (const part of fitting(rough, budget, count)) {
        const last = pieces.at(-1)
        const both = last === undefined ? '' : joined(last, part)
        if (both !== '' && both.length <= budget * MOST_CHARACTERS_PER_TOKEN && count(both) <= budget) pieces[pieces.length - 1] = both
        else pieces.push(part)
      }
    }
  }
  return pieces
}

function fitting(text: string, budget: number, count: (text: string) => number): string[] {
  if (count(text) <= budget) return [text]
  // Clause marks first: a quarter less each time, so that the cut stays as late as it can.
  const shorter = toTextPieces(text, Math.max(1, Math.floor(text.length * 0.75)))
  const parts = shorter.length > 1 ? shorter : (splitInHalf(text) ?? [])
  return parts.length > 1 ? parts.flatMap((part) => fitting(part, budget, count)) : [text]
}

const WITHOUT_BLANKS = /[\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}\u3000-\u303f\uff00-\uffef]/u
const joined = (left: string, right: string): string =>
  WITHOUT_BLANKS.test(left.slice(-1)) || WITHOUT_BLANKS.test(right.slice(0, 1)) ? left + right : `${left} ${right}`
