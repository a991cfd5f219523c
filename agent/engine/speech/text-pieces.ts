// Cuts a text into pieces that a model takes at once: as many whole sentences as fit, and parts of a sentence that alone is too long.

import { toSentences } from '#shared/text/sentences.ts'

/** Non-empty pieces in order, none longer than `longest` characters. No word is lost. */
export function toTextPieces(text: string, longest: number): string[] {
  const pieces: string[] = []
  for (const part of toSentences(text).flatMap((sentence) => [...cut(sentence, longest)])) {
    const last = pieces.at(-1)
    if (last !== undefined && last.length + 1 + part.length <= longest) pieces[pieces.length - 1] = `${last} ${part}`
    else pieces.push(part)
  }
  return pieces
}

/** After a clause mark in the last two thirds if there is one, else at a blank, else wherever the limit is, but never inside a character. */
function* cut(sentence: string, longest: number): Generator<string> {
  let rest = sentence
  while (rest.length > longest) {
    const room = rest.slice(0, longest)
    const clause = Math.max(...[...room.matchAll(/[,;:，、；：](?=\s|[^\x00-\x7f])/g)].map(({ index }) => index + 1), 0)
    const blank = room.lastIndexOf(' ')
    const inside = /[\ud800-\udbff]$/.test(room) ? longest - 1 : longest
    const at = clause > longest / 3 ? clause : blank > 0 ? blank : Math.max(1, inside)
    const part = rest.slice(0, at).trim()
    if (part !== '') yield part
    rest = rest.slice(at).trim()
  }
  if (rest !== '') yield rest
}

/** Two halves at the blank nearest to the middle; null when there is nothing to cut. */
export function splitInHalf(text: string): [string, string] | null {
  const middle = text.length / 2
  const blanks = [...text.matchAll(/\s+/g)].map(({ index }) => index).filter((at) => at > 0 && at < text.length - 1)
  const at = blanks.sort((left, right) => Math.abs(left - middle) - Math.abs(right - middle))[0]
  return at === undefined ? null : [text.slice(0, at).trim(), text.slice(at).trim()]
}
