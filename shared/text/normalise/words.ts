// Finds abbreviations, initialisms and roman numerals at a word of the text, and says them. Pure.
import { endsSentence } from '../segmentation/borders.ts'
import { sayMonthAndDay, sayOrdinalNoun, wordBefore } from './dates.ts'
import type { Language } from './language.ts'
import { matchAt, type Replacement } from './match.ts'
import { romanValue } from './roman.ts'

/** Numerals of chapters and rulers; beyond it they are more likely other words. */
const MAX_ROMAN = 200
/** A word, or words joined by full stops, with the last full stop. */
const DOTTED = /[\p{L}\p{M}]+(?:\.[\p{L}\p{M}]+){0,8}\.?/uy
const SECOND = /[ \u00a0\u202f][\p{L}\p{M}]{1,4}(?:\.-[\p{L}\p{M}])?\.(?![\p{L}\p{M}])/uy
const INITIALS = /^(?:\p{Lu}\.){2,}\p{Lu}?$/u
const ROMAN_AFTER = /([ \u00a0\u202f])([IVXLCDM]{1,15})(\.?)(?![\p{L}\p{M}])/uy
const ROMANS = /([IVXLC]{1,15})(?:[ \u00a0\u202f]?[-–—][ \u00a0\u202f]?([IVXLC]{1,15}))?(?![\p{L}\p{M}])/uy
const TIED = /\p{L}{1,2}[/-]\p{L}{1,3}(?![\p{L}\p{M}\p{N}/-])/uy
const NUMBER_SIGN = /[nN]\.?[º°][ \u00a0\u202f]?(?=\d)/y
const NAME_NEXT = /[ \u00a0\u202f](?:\p{Lu}|& )/uy
const CAPITAL = /^\p{Lu}/u
const NUMBER_NEXT = /[ \u00a0\u202f]\d/y
const SLASHED = /\p{L}\/\p{L}?(?=[ \u00a0\u202f])/uy
const PRODUCT_NUMBER = /[ \u00a0\u202f-](\d{4})(?![\p{L}\d]|[.,]\d)/uy
const CLOSED = /$|[\s,;:!?)\]"'”’»]/y
const MARK_NEXT = /$|[,;:!?.)\]"'”’»]/y

const testAt = (expression: RegExp, text: string, at: number): boolean => matchAt(expression, text, at) !== null
const own = <Value>(table: Readonly<Record<string, Value>>, key: string): Value | undefined =>
  Object.hasOwn(table, key) ? table[key] : undefined

/** The words of an abbreviation that may start with a capital, in the form that the word before asks for. */
function wordsOf(
  table: Readonly<Record<string, string>>,
  key: string,
  before: string,
  { forms }: Language['abbreviations'],
): string | undefined {
  const exact = own(table, key)
  const small = exact === undefined && /^\p{Lu}\P{Lu}+$/u.test(key) ? own(table, key.toLowerCase()) : undefined
  const words = exact ?? small
  if (words === undefined) return undefined
  const form = own(own(forms ?? {}, words) ?? {}, before) ?? words
  return small === undefined ? form : form.slice(0, 1).toUpperCase() + form.slice(1)
}

/** An abbreviation from `at` whose key is `key`, with its full stop before `end`. */
function expand(text: string, at: number, key: string, end: number, { abbreviations, sentences }: Language): Replacement | null {
  const before = wordBefore(text, at).toLowerCase()
  const title =
    wordsOf(abbreviations.name, key, before, abbreviations) ?? own(abbreviations.name, key.slice(0, 1) + key.slice(1).toLowerCase())
  if (title !== undefined && testAt(NAME_NEXT, text, end)) return { words: title, end }
  const counted = wordsOf(abbreviations.number, key, before, abbreviations)
  const isAnswer = key === 'no' && sentences.beforeNo.has(before)
  if (counted !== undefined && !isAnswer && testAt(NUMBER_NEXT, text, end)) return { words: counted, end }
  const words = wordsOf(abbreviations.any, key, before, abbreviations)
  if (words === undefined || !testAt(CLOSED, text, end)) return null
  // The full stop may also end the sentence.
  return { words: text[end - 1] === '.' && endsSentence(text, end - 1, sentences) ? `${words}.` : words, end }
}

function sayAbbreviation(text: string, at: number, dotted: string, language: Language): Replacement | null {
  const end = at + dotted.length
  if (!dotted.endsWith('.')) return null
  const second = matchAt(SECOND, text, end)?.[0]
  const both = second && expand(text, at, `${dotted}${second.replace(/^[\u00a0\u202f]/, ' ').slice(0, -1)}`, end + second.length, language)
  return both || expand(text, at, dotted.slice(0, -1), end, language)
}

/** "U.S.A." becomes "U-S-A", which every engine says letter by letter. */
function sayInitials(text: string, at: number, dotted: string, { sentences }: Language): Replacement | null {
  if (!INITIALS.test(dotted)) return null
  const letters = dotted.replace(/\.$/, '').split('.').join('-')
  const end = at + dotted.length
  return { words: dotted.endsWith('.') && endsSentence(text, end - 1, sentences) ? `${letters}.` : letters, end }
}

function sayRoman(text: string, word: string, end: number, language: Language): Replacement | null {
  const kind = Object.hasOwn(language.chapterWords, word.toLowerCase()) ? language.chapterWords[word.toLowerCase()] : undefined
  const isRegnal = language.regnalNames.has(word)
  if (!kind && !isRegnal) return null
  const found = matchAt(ROMAN_AFTER, text, end)
  const value = found && romanValue(found[2]!)
  if (!found || !value) return null
  const numeralEnd = end + found[0].length - found[3]!.length
  if (
    value > MAX_ROMAN ||
    (found[2]!.length === 1 &&
      !isNumeral(text, found[2]!, numeralEnd, isRegnal ? 'ruler' : CAPITAL.test(word) ? 'title' : 'word', language))
  )
    return null
  const words = isRegnal
    ? language.regnal(value, word)
    : kind === 'cardinal'
      ? language.cardinal(value)
      : language.ordinal(value, kind === 'ordinal' ? 'm' : kind)
  // German marks the ordinal by a full stop; before a capital or the end it also ends the sentence.
  const keepsStop = found[3] === '.' && (!isRegnal || !language.stopOrdinal || endsSentence(text, numeralEnd, language.sentences))
  return { words: `${word}${found[1]}${words}${keepsStop ? '.' : ''}`, end: end + found[0].length }
}

/** Single letters are also names of parts, initials and, in English, a pronoun. */
function isNumeral(
  text: string,
  letter: string,
  end: number,
  after: 'ruler' | 'title' | 'word',
  { isIWord, stopOrdinal }: Language,
): boolean {
  if (!'IVX'.includes(letter)) return false
  if (after === 'ruler' && text[end] === '.' && !stopOrdinal && testAt(NAME_NEXT, text, end + 1)) return false
  return letter !== 'I' || !isIWord || after === 'title' || testAt(MARK_NEXT, text, end)
}

function saySlashed(text: string, at: number, { slashed }: Language): Replacement | null {
  const found = slashed && matchAt(SLASHED, text, at)?.[0]
  const words = found ? own(slashed, found) : undefined
  return words === undefined ? null : { words, end: at + found!.length }
}

function sayProduct(text: string, word: string, end: number, { productNumber }: Language): Replacement | null {
  const found = productNumber && matchAt(PRODUCT_NUMBER, text, end)
  const number = found ? productNumber(word, Number(found[1])) : null
  return number === null ? null : { words: `${word} ${number}`, end: end + found![0].length }
}

/** Words in place of the text from `at`, where a word starts, and the end of the word where nothing is replaced. */
export function sayWord(text: string, at: number, language: Language): Replacement {
  const dotted = matchAt(DOTTED, text, at)![0]
  const word = dotted.split('.', 1)[0]!
  const end = at + word.length
  const isInside = /[-.]/.test(text[at - 1] ?? '')
  const isBare = end === at + dotted.length || dotted.length === word.length + 1
  const hasStop = isBare && dotted.endsWith('.')
  const bare = !dotted.endsWith('.') && language.abbreviations.bare.has(dotted) ? dotted : null
  // Full names have no full stop of their own: "… in May. 5 people" is two sentences.
  const isMonth = isBare && !(hasStop && /^(?:May|June|July|\p{L}{5,})$/u.test(word))
  return (
    sayTied(text, at, language) ??
    romansBeforeNoun(text, at, language) ??
    romanOrdinal(text, at, language) ??
    (isInside ? null : (saySlashed(text, at, language) ?? sayProduct(text, word, end, language))) ??
    sayNumberSign(text, at, language) ??
    (isMonth && !isInside ? sayMonthAndDay(text, word, at + dotted.length, language) : null) ??
    (isInside ? null : (sayAbbreviation(text, at, dotted, language) ?? sayInitials(text, at, dotted, language))) ??
    (bare === null ? null : expand(text, at, bare, at + bare.length, language)) ??
    (isBare ? sayRoman(text, word, end, language) : null) ?? { words: word, end }
  )
}

/** "t/m". */
function sayTied(text: string, at: number, { abbreviations: { tied } }: Language): Replacement | null {
  const found = tied && matchAt(TIED, text, at)
  const words = found && own(tied, found[0])
  return words ? { words, end: at + found[0].length } : null
}

/** "XIX wieku", "XVIII–XIX вв.". */
function romansBeforeNoun(text: string, at: number, language: Language): Replacement | null {
  const found = language.ordinalNoun && matchAt(ROMANS, text, at)
  if (!found) return null
  const values = [found[1], found[2]].flatMap((numeral) => (numeral === undefined ? [] : [romanValue(numeral)]))
  return values.every((value) => value !== null) ? sayOrdinalNoun(text, at, at + found[0].length, values, language) : null
}

/** "n° 5". */
function sayNumberSign(text: string, at: number, { abbreviations }: Language): Replacement | null {
  const found = matchAt(NUMBER_SIGN, text, at)
  const words = abbreviations.number['n°']
  return found && words !== undefined ? { words: `${words} `, end: at + found[0].length } : null
}

function romanOrdinal(text: string, at: number, language: Language): Replacement | null {
  const found = language.romanOrdinal && matchAt(language.romanOrdinal, text, at)
  const value = found && romanValue(found[1]!)
  return found && value ? { words: language.ordinal(value, 'm'), end: at + found[0].length } : null
}
