// Cuts a text into pieces for a model with limited input: as many whole sentences as fit, or parts of a sentence that is too long.

import { joinPieces } from '#shared/text/join-pieces.ts'
import { isUnmarked, toSentences } from '#shared/text/sentences.ts'

/** The end of an opening clause. */
const CLAUSE_ENDS = /[,;:，、；：]$/
const CLAUSE_END = /[,;:，、；：](?=\s|[^\x00-\x7f])/g

/** Non-empty pieces in order, of at most `maxCharacters`. No word is lost. `language`: as for `toSentences`. */
export function toTextPieces(text: string, maxCharacters: number, language: string): string[] {
  const pieces: string[] = []
  for (const { part, joins } of toParts(toSentences(text, language), maxCharacters)) {
    const last = pieces.at(-1)
    if (last !== undefined && joins && last.length + 1 + part.length <= maxCharacters) pieces[pieces.length - 1] = joinPieces([last, part])
    else pieces.push(part)
  }
  return pieces
}

/** In UTF-16 units. */
type Lengths = { readonly first: number; readonly most: number }
/** Pieces grow by this factor. */
const GROWTH = 2

/**
 * The same for speech that is streamed: the first piece is short, so that sound starts early, and later ones grow up to `most`. Only the first
 * sentence is cut at a clause for that; all others are spoken whole if they fit into `most`.
 */
export function toGrowingPieces(text: string, { first, most }: Lengths, language: string): string[] {
  const [opening = '', ...others] = toSentences(text, language)
  const clause = firstClause(opening, first)
  const parts = [clause, opening.slice(clause.length), ...others].map((part) => part.trim()).filter((part) => part !== '')
  const pieces: string[] = []
  for (const { part, joins } of toParts(parts, most)) {
    const last = pieces.at(-1)
    const limit = Math.min(most, first * GROWTH ** (pieces.length - 1))
    if (last !== undefined && joins && last.length + 1 + part.length <= limit) pieces[pieces.length - 1] = joinPieces([last, part])
    else pieces.push(part)
  }
  return pieces
}

/** The start of a sentence up to its last clause mark within `limit`, or to the first one after it; the whole sentence if it is short or has no such mark. */
function firstClause(sentence: string, limit: number): string {
  if (sentence.length <= limit) return sentence
  const ends = [...sentence.matchAll(CLAUSE_END)].map(({ index }) => index + 1)
  const end = ends.findLast((at) => at <= limit && at >= limit / 4) ?? ends.find((at) => at > limit)
  return sentence.slice(0, end ?? sentence.length)
}

/** Parts of at most `maxCharacters`. `joins`: false after a line without a mark at its end. */
function toParts(sentences: readonly string[], maxCharacters: number): { readonly part: string; readonly joins: boolean }[] {
  return sentences.flatMap((sentence, at) => {
    const before = sentences[at - 1] ?? ''
    const startsAnew = isUnmarked(before) && !CLAUSE_ENDS.test(before)
    return [...cut(sentence, maxCharacters)].map((part, index) => ({ part, joins: index > 0 || !startsAnew }))
  })
}

/** Cuts after a clause mark in the last two thirds, else at a blank, else at the limit, but never within a character. */
function* cut(sentence: string, maxCharacters: number): Generator<string> {
  let rest = sentence
  while (rest.length > maxCharacters) {
    const room = rest.slice(0, maxCharacters)
    const clause = Math.max(...[...room.matchAll(CLAUSE_END)].map(({ index }) => index + 1), 0)
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
