// The places of the parts of a take in the text that was written: marks, markup and respellings are in one of the two only. Pure and linear.

import { composed } from '#shared/text/unicode/compose.ts'

/** From a character of the text up to another one, which is not included. */
export type TextRange = { readonly from: number; readonly to: number }
type Word = { readonly word: string; readonly at: number; readonly end: number }

const PAUSES = /\[pause[^[\]]{0,50}\]/gi
const WORDS = /[\p{L}\p{N}][\p{L}\p{M}\p{N}]*/gu
/** Words of a mark or a tag that are passed over in search of the next spoken one. */
const AHEAD = 48
/** Marks that belong to the word after them. */
const OPENING = /["'“„‚«‹‘([{¿¡*_#>「『（《]/

const wordsIn = (text: string): Word[] =>
  [...text.matchAll(WORDS)].map(({ 0: word, index }) => ({
    word: composed(word).toLowerCase(),
    at: index,
    end: index + word.length,
  }))

/** The words of the text that each piece begins and ends with, as indices; null for a piece of which none is found. */
function matched(words: readonly Word[], pieces: readonly string[]): ({ first: number; last: number } | null)[] {
  let next = 0
  const find = (word: string, after: string | undefined): number => {
    if (words[next]?.word === word) return next
    for (let at = next + 1; at < Math.min(words.length, next + AHEAD); at++)
      if (words[at]!.word === word && (after === undefined || words[at + 1]?.word === after)) return at
    return -1
  }
  return pieces.map((piece) => {
    const spoken = wordsIn(piece)
    let [first, last] = [-1, -1]
    for (const [index, { word }] of spoken.entries()) {
      const at = find(word, spoken[index + 1]?.word)
      if (at < 0) continue
      if (first < 0) first = at
      last = at
      next = at + 1
    }
    return first < 0 ? null : { first, last }
  })
}

/** The end of what stands before the words at `to`, and their beginning with the marks that belong to them. */
function border(text: string, from: number, to: number): { readonly end: number; readonly start: number } {
  const between = text.slice(from, to)
  const pauses = [...between.matchAll(PAUSES)]
  const [pause, last] = [pauses[0], pauses.at(-1)]
  if (pause && last) {
    const after = last.index + last[0].length
    const blank = between.slice(after).length - between.slice(after).trimStart().length
    return { end: from + between.slice(0, pause.index).trimEnd().length, start: from + after + blank }
  }
  const gap = between.search(/\s\S*$/)
  const opening = between.search(OPENING)
  const cut = gap >= 0 ? gap + 1 : opening >= 0 ? opening : between.length
  return { end: from + between.slice(0, cut).trimEnd().length, start: from + cut }
}

/** One place for each piece, in order and without overlap. `pieces`: what is spoken, in order. A piece that is not found has no length. */
export function placesIn(text: string, pieces: readonly string[]): TextRange[] {
  const words = wordsIn(text)
  const found = matched(words, pieces)
  const places: { from: number; to: number }[] = []
  let before: { from: number; to: number } | null = null
  let wordEnd = 0
  for (const match of found) {
    if (!match) {
      const at = before?.to ?? 0
      places.push({ from: at, to: at })
      continue
    }
    const { end, start } = border(text, wordEnd, words[match.first]!.at)
    if (before) before.to = Math.max(before.from, end)
    wordEnd = words[match.last]!.end
    before = { from: start, to: wordEnd }
    places.push(before)
  }
  if (before) before.to = border(`${text} `, wordEnd, text.length + 1).end
  return places
}
