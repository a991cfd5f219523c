// Titles of chapters from the contents and from the headings on the page. Pure.
import { toTitle } from '../book.ts'

/** Words in front of the number of a chapter. */
const BEFORE =
  /^(?:chapter|chap\.|part|book|volume|canto|act|scene|section|letter|kapitel|teil|buch|band|abschnitt|akt|chapitre|partie|livre|tome|capítulo|parte|libro|tomo|capitolo|hoofdstuk|deel|rozdział|część|księga|глава|часть|книга|том)[\s.]{1,3}/iu
const NUMBER =
  /^(?:\d{1,4}|(?=[ivxlcdm])m{0,3}(?:cm|cd|d?c{0,3})(?:xc|xl|l?x{0,3})(?:ix|iv|v?i{0,3})|(?:the )?(?:first|second|third|fourth|fifth|sixth|seventh|eighth|ninth|tenth|last)|erste[rs]?|zweite[rs]?|dritte[rs]?|premier|première|primero?|primera|primo|первая|вторая|третья)(?![\p{L}\p{M}\p{N}])/iu
const NUMERAL =
  /^(?:\d{1,4}|one|two|three|four|five|six|seven|eight|nine|ten|eleven|twelve|thirteen|fourteen|fifteen|sixteen|seventeen|eighteen|nineteen|twenty|eins|zwei|drei|vier|fünf|sechs|sieben|acht|neun|zehn)(?![\p{L}\p{M}\p{N}])/iu
/** A Roman numeral alone is one in capitals only: "mix" and "civil" are words. */
const ROMAN_ALONE = /^(?=[IVXLCDM])M{0,3}(?:CM|CD|D?C{0,3})(?:XC|XL|L?X{0,3})(?:IX|IV|V?I{0,3})(?![\p{L}\p{M}\p{N}])/u
const ORDINAL_FIRST =
  /^(?:(?:the )?(?:first|second|third|fourth|fifth|sixth|seventh|eighth|ninth|tenth|last) (?:chapter|part|book|act|letter|canto)|(?:erste[rs]?|zweite[rs]?|dritte[rs]?) (?:kapitel|teil|buch|akt|band)|(?:première|deuxième|troisième) partie|(?:primera|segunda|tercera) parte|часть (?:первая|вторая|третья))(?![\p{L}\p{M}\p{N}])/iu
const EAST_ASIAN = /^第[\d０-９〇零一二三四五六七八九十百千两]{1,9}[章回节節部卷話话]/u
/** Longest heading that is a title or a part of one, in UTF-16 units. */
const LONGEST = 190
const SENTENCE_END = /[.;,]["'”’»)]{0,2}$/
const SUMMARY =
  /^(?:in which|wherein|how|of|containing|showing|concerning|treating|in welche[mr]|wie|von|où|dans lequel|en el que|de cómo)\s/i

const wordsOf = (text: string): string[] => text.toLowerCase().match(/[\p{L}\p{M}\p{N}]+/gu) ?? []
const flat = (text: string): string => text.replaceAll(/\s+/g, ' ').trim()

/** The number of a chapter or part at the start of its title, such as `Chapter 1`; empty without one. */
export function labelOf(title: string): string {
  const word = BEFORE.exec(title)?.[0]
  const number = word === undefined ? undefined : (NUMBER.exec(title.slice(word.length)) ?? NUMERAL.exec(title.slice(word.length)))?.[0]
  if (word !== undefined && number !== undefined) return word + number
  return (
    [NUMERAL, ROMAN_ALONE, ORDINAL_FIRST, EAST_ASIAN].map((pattern) => pattern.exec(title)?.[0]).find((found) => found !== undefined) ?? ''
  )
}

/** True for a title that is a number alone, such as `Chapter 1.` or `IV`. */
export function isLabel(title: string): boolean {
  const label = labelOf(title)
  return label !== '' && !/[\p{L}\p{N}]/u.test(title.slice(label.length))
}

/** True if the heading can follow a number in one title: it is no sentence and no number itself. */
export function isName(heading: string): boolean {
  const name = flat(heading)
  if (name.length > LONGEST || isLabel(name) || wordsOf(name).length === 0) return false
  return !SENTENCE_END.test(name) || SUMMARY.test(name) || name === name.toUpperCase()
}

const PART =
  /^(?:part|book|volume|canto|act|teil|buch|band|akt|partie|livre|tome|parte|libro|tomo|deel|część|księga|часть|книга|том|第[^章回话話]{1,9}[节節部卷])/iu
/** True for the title of a part that can have chapters. */
export const isPart = (title: string): boolean => PART.test(title)

/** True if the two have the same words. */
export const isSameTitle = (one: string, other: string): boolean => wordsOf(one).join(' ') === wordsOf(other).join(' ')

/** `Chapter 1: The Flood`. */
export const joinTitles = (label: string, name: string): string =>
  /[\p{L}\p{N}]$/u.test(label) ? `${label}: ${flat(name)}` : `${label} ${flat(name)}`

/** A heading as a title: lines of it are joined like a number and a name. */
export function titleOfHeading(heading: string): string {
  const [first = '', ...rest] = heading.split('\n').map(flat).filter(Boolean)
  return toTitle(rest.length > 0 && isLabel(first) ? joinTitles(first, rest.join(' ')) : [first, ...rest].join(' '))
}

const startsAt = (all: readonly string[], at: number, words: readonly string[]): boolean =>
  words.length > 0 && words.every((word, n) => all[at + n] === word)

/**
 * The title of a chapter, and the number of its first headings that the title says, so that they are no text. `title`: from the contents; empty
 * without one. A heading that says more than the title is the title.
 */
export function titled(title: string, headings: readonly string[]): { readonly title: string; readonly said: number } {
  if (title === '') return { title, said: 0 }
  const all = wordsOf(title)
  const label = wordsOf(labelOf(title)).length
  let at = 0
  let said = 0
  for (const heading of headings) {
    const words = wordsOf(heading)
    // Where the number of a chapter is a picture or a counter, its heading is the name alone.
    if (at === 0 && label < all.length && !startsAt(all, 0, words) && startsAt(all, label, words)) at = label
    if (!startsAt(all, at, words)) break
    at += words.length
    said++
  }
  let whole = title
  const [first, second] = headings
  if (said === 0 && first !== undefined && flat(first).length <= LONGEST) {
    const words = wordsOf(first)
    const number = wordsOf(labelOf(flat(first))).length
    // The contents may leave out the number.
    if (startsAt(words, 0, all) || (number > 0 && words.length === number + all.length && startsAt(words, number, all))) {
      whole = titleOfHeading(first)
      said = 1
    } else if (second !== undefined && isLabel(flat(first)) && isSameTitle(second, title)) {
      whole = joinTitles(flat(first), title)
      said = 2
    }
  }
  const next = headings[said]
  if (next !== undefined && isLabel(whole) && isName(next) && whole.length + next.length <= LONGEST) {
    whole = joinTitles(whole, next)
    said++
  }
  return { title: whole, said }
}
