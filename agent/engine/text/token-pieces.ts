// Cuts a text into pieces for a language model: as many whole sentences as fit into its token budget. Pure.

import { joinPieces } from '#shared/text/join-pieces.ts'
import { isUnmarked, toSentences } from '#shared/text/sentences.ts'
import { splitInHalf, toTextPieces } from './text-pieces.ts'

/** Upper bound of the average token length. Longer sentences are cut before their tokens are counted, which is expensive. */
const MAX_CHARACTERS_PER_TOKEN = 8

/** Non-empty pieces in order, of at most `budget` tokens unless one character has more. No word is lost. `language`: as for `toSentences`. */
export function toTokenPieces(text: string, budget: number, count: (text: string) => number, language: string): string[] {
  const pieces: string[] = []
  let joins = false
  for (const sentence of toSentences(text, language)) {
    for (const rough of toTextPieces(sentence, budget * MAX_CHARACTERS_PER_TOKEN, language)) {
      for (const part of splitToBudget(rough, budget, count, language)) {
        const last = pieces.at(-1)
        const both = last === undefined ? '' : joinPieces([last, part])
        if (joins && both !== '' && both.length <= budget * MAX_CHARACTERS_PER_TOKEN && count(both) <= budget)
          pieces[pieces.length - 1] = both
        else pieces.push(part)
        joins = true
      }
    }
    joins = !isUnmarked(sentence)
  }
  return pieces
}

function splitToBudget(text: string, budget: number, count: (text: string) => number, language: string): string[] {
  if (count(text) <= budget) return [text]
  // Three quarters each time, so that the cut at a clause mark comes as late as possible.
  const shorter = toTextPieces(text, Math.max(1, Math.floor(text.length * 0.75)), language)
  const parts = shorter.length > 1 ? shorter : (splitInHalf(text) ?? [])
  return parts.length > 1 ? parts.flatMap((part) => splitToBudget(part, budget, count, language)) : [text]
}
