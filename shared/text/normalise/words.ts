// Finds abbreviations, initialisms and roman numerals at a word of the text, and says them. Pure.
import { endsSentence } from '../segmentation/borders.ts'
import { sayMonthAndDay, wordBefore } from './dates.ts'
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
const NUMBER_SIGN = /[nN]\.?[º°][ \u00a0\u202f]?(?=\d)/y
const NAME_NEXT = /[ \u00a0\u202f](?:\p{Lu}|& )/uy
const CAPITAL = /^\p{Lu}/u
const NUMBER_NEXT = /[ \u00a0\u202f]\d/y
const SLASHED = /\p{L}\/\p{L}?(?=[ \u00a0\u202f])/uy
const PRODUCT_NUMBER = /[ \u00a0\u202f-](\d{4})(?![\p{L}\d]|[.,]\d)/uy
const CLOSED = /$|[\s,;:!?)\]"'”’»]/y
const MARK_NEXT = /$|[,;:!?.)\]"'”’»]/y

const testAt = (expression: RegExp, text: string, at: number): boolean => matchAt(expression, text, at) !== null
const own = (table: Readonly<Record<string, string>>, key: string): string | undefined =>
  Object.hasOwn(table, key) ? table[key] : undefined

/** An abbreviation from `at` whose key is `key`, with its full stop before `end`. */
function expand(text: string, at: number, key: string, end: number, { abbreviations, sentences }: Language): Replacement | null {
  const title = own(abbreviations.name, key) ?? own(abbreviations.name, key.slice(0, 1) + key.slice(1).toLowerCase())
  if (title !== undefined && testAt(NAME_NEXT, text, end)) return { words: title, end }
  const counted = own(abbreviations.number, key)
  const isAnswer = key === 'no' && sentences.beforeNo.has(wordBefore(text, at).toLowerCase())
  if (counted !== undefined && !isAnswer && testAt(NUMBER_NEXT, text, end)) return { words: counted, end }
  const words = own(abbreviations.any, key)
  if (words === undefined || !testAt(CLOSED, text, end)) return null
  // The full stop may also end the sentence.
  return { words: endsSentence(text, end - 1, sentences) ? `${words}.` : words, end }
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
  const words = isRegnal ? language.regnal(value, word) : kind === 'ordinal' ? language.ordinal(value, 'm') : language.cardinal(value)
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
  const isBareTitle = !dotted.endsWith('.') && language.abbreviations.bare.has(dotted) && testAt(NAME_NEXT, text, at + dotted.length)
  // Full names have no full stop of their own: "… in May. 5 people" is two sentences.
  const isMonth = isBare && !(hasStop && /^(?:May|June|July|\p{L}{5,})$/u.test(word))
  return (
    romanOrdinal(text, at, language) ??
    (isInside ? null : (saySlashed(text, at, language) ?? sayProduct(text, word, end, language))) ??
    sayNumberSign(text, at, language) ??
    (isMonth && !isInside ? sayMonthAndDay(text, word, at + dotted.length, language) : null) ??
    (isInside ? null : (sayAbbreviation(text, at, dotted, language) ?? sayInitials(text, at, dotted, language))) ??
    (isBareTitle ? { words: language.abbreviations.name[dotted]!, end: at + dotted.length } : null) ??
    (isBare ? sayRoman(text, word, end, language) : null) ?? { words: word, end }
  )
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
