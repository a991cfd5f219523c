// The words of a segment with their times, so that each can be edited alone. Joined, they are its text. Pure.

import type { SubtitleSegment } from '../transcript/subtitles.ts'

/** Seconds. A word that follows a blank begins with it. */
export type KeptWord = [start: number, end: number, text: string]

const rounded = (seconds: number): number => Math.round(seconds * 1000) / 1000

/** Beginning of each word of the recogniser in the text; null if one of them does not occur in it. */
function placesOf(text: string, words: NonNullable<SubtitleSegment['words']>): number[] | null {
  const places: number[] = []
  let at = 0
  for (const { word } of words) {
    const bare = word.trim()
    const found = text.indexOf(bare, at)
    if (found < 0) return null
    places.push(found)
    at = found + bare.length
  }
  return places
}

/** The blank between two words belongs to the second. */
function wordsFrom(text: string, places: readonly number[], timeOf: (word: number) => readonly [number, number]): KeptWord[] {
  const beginnings = places.map((place, at) => (at === 0 ? 0 : text[place - 1] === ' ' ? place - 1 : place))
  return beginnings.map((from, at) => {
    const [start, end] = timeOf(at)
    return [rounded(start), rounded(end), text.slice(from, beginnings[at + 1] ?? text.length)]
  })
}

/** Without times of words, or where they do not fit the text, the time of the segment is divided by the letters. */
export function keptWordsOf({ start, end, text: raw, words = [] }: SubtitleSegment): KeptWord[] {
  const text = raw.replaceAll(/\s+/g, ' ').trim()
  if (text === '') return []
  const known = words.filter(({ word }) => word.trim() !== '')
  const places = known.length > 0 ? placesOf(text, known) : null
  if (places) return wordsFrom(text, places, (at) => [known[at]!.start, Math.max(known[at]!.start, known[at]!.end)])
  const blanks = [...text.matchAll(/ /g)].map(({ index }) => index + 1)
  const starts = [0, ...blanks]
  const timeAt = (place: number) => start + (Math.max(0, end - start) * place) / text.length
  return wordsFrom(text, starts, (at) => [timeAt(starts[at]!), timeAt(starts[at + 1] ?? text.length)])
}
