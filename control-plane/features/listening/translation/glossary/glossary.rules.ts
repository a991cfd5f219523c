// Terms of a glossary in a text and in its translation. Pure, and linear in the text for a given glossary.
import { composed } from '#shared/text/unicode/compose.ts'
import { withPlainSigns } from '#shared/text/unicode/plain-signs.ts'
import type { Term } from '../terms.ts'

/** `folded`: for comparisons. */
type Word = { readonly text: string; readonly folded: string; readonly start: number; readonly end: number }
/** An occurrence of the source of a term, in UTF-16 units. */
export type TermHit = { readonly term: Term; readonly start: number; readonly end: number }
export type TermFinder = (text: string) => TermHit[]

/** Words that share this many first letters are forms of one word. */
const STEM_CHARS = 5
const ENDING_CHARS = 4
/** Between the words of a term: a blank, a hyphen, an apostrophe. */
const BETWEEN_CHARS = 3
/** Terms with the same beginning that are looked for, the longest ones: it bounds the work for a hostile glossary. */
const MAX_ALIKE = 100
/** Scripts without blanks between words. */
const UNSPACED = /[\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}\p{Script=Thai}\p{Script=Lao}\p{Script=Khmer}\p{Script=Myanmar}]/u
const WORD = /[\p{L}\p{M}\p{N}]+/gu

const fold = (text: string): string => composed(text).toLowerCase()
const wordsIn = (text: string): Word[] =>
  Array.from(text.matchAll(WORD), ({ 0: word, index }) => ({ text: word, folded: fold(word), start: index, end: index + word.length }))
/** Such as NASA: a word of this shape is found in this shape only, because "it" is not IT. */
const isAcronym = (word: string): boolean => word.length > 1 && word === word.toUpperCase() && word !== word.toLowerCase()
const stemOf = ({ folded }: Word): string => folded.slice(0, STEM_CHARS)

/** True if two words are equal, or forms of one word. */
function isSameWord(wanted: Word, found: Word): boolean {
  if (isAcronym(wanted.text)) return wanted.text === found.text
  const [one, other] = [wanted.folded, found.folded]
  if (one === other) return true
  const shortest = Math.min(one.length, other.length)
  return shortest >= STEM_CHARS && Math.abs(one.length - other.length) <= ENDING_CHARS && stemOf(wanted) === stemOf(found)
}

/** The end of `words` in `text` from the word at `at`; null when they are not there. */
function endOf(wanted: readonly Word[], found: readonly Word[], at: number): number | null {
  for (const [offset, word] of wanted.entries()) {
    const here = found[at + offset]
    if (!here || !isSameWord(word, here)) return null
    if (offset > 0 && here.start - found[at + offset - 1]!.end > BETWEEN_CHARS) return null
  }
  return found[at + wanted.length - 1]!.end
}

const isPlain = (text: string): boolean => UNSPACED.test(text) || wordsIn(text).length === 0

/** Finds terms, the longest first and none inside of another one. Terms without a source or a target are left out. */
export function createTermFinder(terms: readonly Term[]): TermFinder {
  const usable = terms.filter(({ source, target }) => source.trim() !== '' && target.trim() !== '')
  const longestFirst = usable.toSorted((one, other) => other.source.length - one.source.length)
  /** By the first two UTF-16 units of the source, or its only one. */
  const plain = new Map<string, { readonly term: Term; readonly source: string }[]>()
  const byStems = new Map<string, { readonly term: Term; readonly words: readonly Word[] }[]>()
  for (const term of longestFirst) {
    if (isPlain(term.source)) {
      const source = term.source.trim()
      const alike = plain.get(source.slice(0, 2)) ?? []
      if (alike.length < MAX_ALIKE) alike.push({ term, source })
      plain.set(source.slice(0, 2), alike)
      continue
    }
    const words = wordsIn(term.source)
    const key = words.slice(0, 2).map(stemOf).join(' ')
    const alike = byStems.get(key) ?? []
    if (alike.length < MAX_ALIKE) alike.push({ term, words })
    byStems.set(key, alike)
  }
  return (text) => {
    const found = wordsIn(text)
    const hits: TermHit[] = []
    for (const [at, word] of found.entries()) {
      const next = found[at + 1]
      const keys = [...(next ? [`${stemOf(word)} ${stemOf(next)}`] : []), stemOf(word)]
      for (const { term, words } of keys.flatMap((key) => byStems.get(key) ?? [])) {
        const end = endOf(words, found, at)
        if (end === null) continue
        // The first one is the longest one.
        hits.push({ term, start: word.start, end })
        break
      }
    }
    for (let at = 0; plain.size > 0 && at < text.length; at++) {
      const here = (key: string) => plain.get(key)?.find(({ source }) => text.startsWith(source, at))
      const found = here(text.slice(at, at + 2)) ?? here(text.charAt(at))
      if (found) hits.push({ term: found.term, start: at, end: at + found.source.length })
    }
    return withoutOverlaps(hits)
  }
}

/** The longest hits first; the result is in the order of the text. */
function withoutOverlaps(hits: readonly TermHit[]): TermHit[] {
  const kept: TermHit[] = []
  const taken = new Set<number>()
  for (const hit of hits.toSorted((one, other) => other.end - other.start - (one.end - one.start) || one.start - other.start)) {
    // A longer hit covers every position of a shorter one, or one of its two ends.
    if (taken.has(hit.start) || taken.has(hit.end - 1)) continue
    for (let at = hit.start; at < hit.end; at++) taken.add(at)
    kept.push(hit)
  }
  return kept.sort((one, other) => one.start - other.start)
}

/** True if a translation contains the target of a term or an inflected form of it. A term that must not be translated has to appear exactly. */
export const hasTarget = (term: Term, translation: string): boolean => targetFinder(translation)(term)

function targetFinder(translation: string): (term: Term) => boolean {
  const normal = withPlainSigns(composed(translation))
  const found = wordsIn(translation)
  /** Equal words and forms of one word have the same stem. */
  const places = new Map<string, number[]>()
  for (const [at, word] of found.entries()) {
    const stem = stemOf(word)
    const known = places.get(stem)
    if (known) known.push(at)
    else places.set(stem, [at])
  }
  return ({ source, target }) => {
    const wanted = target.trim()
    if (source.trim() === wanted || isPlain(wanted)) return normal.includes(withPlainSigns(composed(wanted)))
    const words = wordsIn(wanted)
    return (places.get(stemOf(words[0]!)) ?? []).some((at) => endOf(words, found, at) !== null)
  }
}

/** The terms of these hits that the translation lacks, each once. */
export function missedTerms(hits: readonly TermHit[], translation: string): Term[] {
  if (hits.length === 0) return []
  const isThere = targetFinder(translation)
  return [...new Set(hits.map(({ term }) => term))].filter((term) => !isThere(term))
}

/** A target in the shape of the word that it replaces: capitals stay capitals. A target with capitals of its own keeps them. */
export function inShapeOf(original: string, target: string): string {
  if (target !== target.toLowerCase()) return target
  if (isAcronym(original)) return target.toUpperCase()
  const [first = ''] = original
  return first !== first.toLowerCase() ? target.charAt(0).toUpperCase() + target.slice(1) : target
}

/** The text with the targets of `terms` in place of their sources, for a translator that keeps words of the target language. */
export function withTargets(text: string, hits: readonly TermHit[], terms: readonly Term[]): string {
  const wanted = new Set(terms)
  let result = ''
  let from = 0
  for (const { term, start, end } of hits) {
    if (!wanted.has(term)) continue
    const replaced = text.slice(start, end)
    const isLower = term.source === term.source.toLowerCase()
    result += text.slice(from, start) + (isLower ? inShapeOf(replaced, term.target) : term.target)
    from = end
  }
  return result + text.slice(from)
}
