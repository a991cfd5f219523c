// The words of `say-as`: what a text in figures means, said in the language that it is in. Pure.
import { readAmount, sayAmount, sayDigits, sayInteger, sayMoney } from '../normalise/amounts.ts'
import type { DayDate, Language } from '../normalise/language.ts'
import { normaliseText, tablesOf } from '../normalise/normalise.ts'
import { spelled } from '../script/writer.ts'

/** `format`: as the element names it, '' without one. `language`: a tag, '' if it is unknown. `before`: the text before the element. */
export type SayAs = { readonly as: string; readonly format: string; readonly language: string; readonly before: string }
type Sayer = (text: string, language: Language, say: SayAs) => string | null

const SPELLED = /^(?:characters|spell-out|verbatim|letters)$/
const INTEGER = /^([+\-−]?)(\d{1,3}(?:[.,' \u00a0\u202f]\d{3}){1,5}|\d{1,30})$/
const AMOUNT = /^([+\-−]?)(\d[\d.,' \u00a0\u202f]{0,30})$/
const FRACTION = /^(?:(\d{1,9})[ +]{1,3})?(\d{1,9})[/⁄](\d{1,9})$/
const CODE_FIRST = /^([A-Za-z]{3})\s?(\d[\d.,' \u00a0\u202f]{0,30})$/
const CODE_LAST = /^(\d[\d.,' \u00a0\u202f]{0,30}?)\s?([A-Za-z]{3})$/
const MORE_DIGITS = /\d/
/** Orders of the parts of a date, by the format of SSML. */
const ORDERS: ReadonlySet<string> = new Set(['mdy', 'dmy', 'ymd', 'ydm', 'md', 'dm', 'my', 'ym', 'y', 'm', 'd'])
/** Short years below it are of this century, as in texts. */
const CENTURY = 50

const SAYERS: Readonly<Record<string, Sayer>> = {
  cardinal: cardinalOf,
  number: cardinalOf,
  ordinal: (text, language) => {
    const digits = /^(\d{1,12})/.exec(text)?.[1]
    return digits === undefined ? null : language.ordinal(Number(digits))
  },
  fraction: fractionOf,
  date: dateOf,
  time: normalised,
  currency: moneyOf,
  unit: normalised,
}

/** True for a value of `interpret-as` that is understood. */
export const isSayAs = (as: string): boolean => SPELLED.test(as) || as === 'digits' || as === 'telephone' || Object.hasOwn(SAYERS, as)

/** Null for a text that is not of this kind, and for a language without tables. Then the text is read as it is written. */
export function sayAs(written: string, say: SayAs): string | null {
  const text = written.trim()
  const language = tablesOf(say.language)
  if (SPELLED.test(say.as)) return charactersOf(text, language)
  if (say.as === 'digits') return digitsOf(text, language)
  if (say.as === 'telephone') return telephoneOf(text, language)
  return language && Object.hasOwn(SAYERS, say.as) ? SAYERS[say.as]!(text, language, say) : null
}

/** One by one; digits in words, which no engine joins again. */
const charactersOf = (text: string, language: Language | undefined): string =>
  spelled(text)
    .replaceAll(/[^\p{L}\p{M}\p{N}\s]/gu, ' $& ')
    .replaceAll(/\s+/g, ' ')
    .replaceAll(/\d/g, (digit) => (language ? language.cardinal(Number(digit)) : digit))
    .trim()

const groupsOf = (text: string): string[] => text.match(/\d+/g) ?? []
const inDigits = (digits: string, language: Language | undefined): string => (language ? sayDigits(digits, language) : spelled(digits))

function digitsOf(text: string, language: Language | undefined): string | null {
  const groups = groupsOf(text)
  return groups.length === 0 ? null : groups.map((group) => inDigits(group, language)).join(', ')
}

function telephoneOf(text: string, language: Language | undefined): string | null {
  const said = digitsOf(text, language)
  return said !== null && text.startsWith('+') && language ? `${language.say.plus} ${said}` : said
}

const signed = (sign: string, words: string, language: Language): string =>
  sign === '' ? words : `${sign === '+' ? language.say.plus : language.say.minus} ${words}`

function cardinalOf(text: string, language: Language): string | null {
  const integer = INTEGER.exec(text)
  // Three digits after the decimal mark of the language are decimals; a plain integer is no year here.
  if (integer && !integer[2]!.includes(language.decimalMark))
    return signed(integer[1]!, sayInteger(integer[2]!.replaceAll(/\D/g, ''), language), language)
  const amount = AMOUNT.exec(text)
  if (!amount) return null
  const read = readAmount(amount[2]!, 0, language)
  return read.end === amount[2]!.length ? signed(amount[1]!, sayAmount(read.amount, language), language) : null
}

function fractionOf(text: string, language: Language): string | null {
  const [, whole, numerator, denominator] = FRACTION.exec(text) ?? []
  if (numerator === undefined || denominator === undefined) return null
  const [over, under] = [Number(numerator), Number(denominator)]
  const said = language.fraction(over, under) ?? `${language.cardinal(over)} ${language.say.over} ${language.cardinal(under)}`
  if (whole === undefined) return said
  return language.mixed?.(whole, said) ?? `${sayInteger(whole, language)} ${language.say.and} ${said}`
}

function moneyOf(text: string, language: Language, say: SayAs): string | null {
  const [, before, after] = CODE_FIRST.exec(text) ?? []
  const last = before === undefined ? CODE_LAST.exec(text) : null
  const [code, figures] = [(before ?? last?.[2])?.toUpperCase(), after ?? last?.[1]]
  if (code === undefined || figures === undefined || !Object.hasOwn(language.currencies, code)) return normalised(text, language, say)
  const { amount, end } = readAmount(figures, 0, language)
  return end === figures.length ? sayMoney(amount, code, '', language) : null
}

/** Words that the normaliser has for the text; null if figures are left. */
function normalised(text: string, _language: Language, say: SayAs): string | null {
  const said = normaliseText(text, say.language)
  return said !== text && !MORE_DIGITS.test(said) ? said : null
}

function dateOf(text: string, language: Language, say: SayAs): string | null {
  const { format, before } = say
  const named = format.toLowerCase().replaceAll(/(.)\1+/g, '$1')
  const order = named !== '' ? named : /^\d{4}(?:\D|\d{4}$)/.test(text) ? 'ymd' : language.dateOrder
  if (!ORDERS.has(order) || (named === '' && !/^\d{1,4}\D?\d\d?\D?\d{1,4}$/.test(text))) return normalised(text, language, say)
  const figures = /^\d{8}$/.test(text) ? eightDigits(text, order) : groupsOf(text)
  if (figures.length !== order.length) return null
  const part = (letter: string) => (order.includes(letter) ? Number(figures[order.indexOf(letter)]) : null)
  const [year, month, day] = [yearOf(figures[order.indexOf('y')]), part('m'), part('d')]
  if ((month !== null && (month < 1 || month > 12)) || (day !== null && (day < 1 || day > 31))) return null
  if (day !== null && month !== null) return language.date(dayDate(day, month, year, order), lastWordOf(before))
  const name = month === null ? null : monthName(month, language)
  const said = [day === null ? null : language.ordinal(day), name, year === null ? null : language.year(year)]
  return said.filter((words) => words !== null).join(' ')
}

const dayDate = (day: number, month: number, year: number | null, order: string): DayDate => ({
  day,
  month,
  year,
  isDayFirst: order.indexOf('d') < order.indexOf('m'),
})

/** "20261128" in an order of three parts. */
function eightDigits(text: string, order: string): string[] {
  let at = 0
  return [...order].map((letter) => {
    const length = letter === 'y' ? 4 : 2
    at += length
    return text.slice(at - length, at)
  })
}

function yearOf(figures: string | undefined): number | null {
  if (figures === undefined) return null
  return figures.length > 2 ? Number(figures) : Number(figures) + (Number(figures) < CENTURY ? 2000 : 1900)
}

function monthName(month: number, { months, capitalMonths }: Language): string | null {
  const name = [...months].find(([, number]) => number === month)?.[0] ?? null
  return name !== null && capitalMonths ? name.charAt(0).toUpperCase() + name.slice(1) : name
}

const lastWordOf = (text: string): string => /(\p{L}{1,12})\s$/u.exec(text.slice(-14))?.[1] ?? ''
