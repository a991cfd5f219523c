// Cuts a text into pieces for a model with limited input: as many whole sentences as fit, or parts of a sentence that is too long.

import { joinPieces } from '#shared/text/join-pieces.ts'
import { toSentences } from '#shared/text/sentences.ts'

/** Non-empty pieces in order, of at most `maxCharacters`. No word is lost. */
export function toTextPieces(text: string, maxCharacters: number): string[] {
  const pieces: string[] = []
  for (const part of toSentences(text).flatMap((sentence) => [...cut(sentence, maxCharacters)])) {
    const last = pieces.at(-1)
    if (last !== undefined && last.length + 1 + part.length <= maxCharacters) pieces[pieces.length - 1] = joinPieces([last, part])
    else pieces.push(part)
  }
  return pieces
}

/** Cuts after a clause mark in the last two thirds, else at a blank, else at the limit, but never within a character. */
function* cut(sentence: string, maxCharacters: number): Generator<string> {
  let rest = sentence
  while (rest.length > maxCharacters) {
    const room = rest.slice(0, maxCharacters)
    const clause = Math.max(...[...room.matchAll(/[,;:，、；：](?=\s|[^\x00-\x7f])/g)].map(({ index }) => index + 1), 0)
    const blank = room.lastIndexOf(' ')
    const hardCut = /[\ud800-\udbff]$/.test(room) ? maxCharacters - 1 : maxCharacters
    const at = clause > maxCharacters / 3 ? clause : blank > 0 ? blank : Math.max(1, hardCut)
    const part = rest.slice(0, at).trim()
    if (part !== '') yield part
    rest = rest.slice(at).trim()
  }
  if (rest !== '') yield rest
}

/** Two halves, cut at the blank nearest to the middle; null without a blank. */
export function splitInHalf(text: string): [string, string] | null {
  const middle = text.length / 2
  const blanks = [...text.matchAll(/\s+/g)].map(({ index }) => index).filter((at) => at > 0 && at < text.length - 1)
  const at = blanks.sort((left, right) => Math.abs(left - middle) - Math.abs(right - middle))[0]
  return at === undefined ? null : [text.slice(0, at).trim(), text.slice(at).trim()]
}
