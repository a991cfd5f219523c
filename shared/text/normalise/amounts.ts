// Reads numbers in figures, and says amounts, sums of money and measures. Pure. Everything here is total: numbers that are too long
// are said digit by digit.
import { type Amount, type Gender, type Language, MAX_CARDINAL_DIGITS, type Noun } from './language.ts'
import { matchAt } from './match.ts'

export const isDigit = (char: string | undefined): boolean => char !== undefined && char >= '0' && char <= '9'

/** The index after the digits from `at`. */
export function endOfDigits(text: string, at: number): number {
  let end = at
  while (isDigit(text[end])) end++
  return end
}

/** "12,34,567": groups of two digits above the thousands. */
const INDIAN_GROUPS = /[1-9]\d?(?:,\d\d){1,6},\d{3}(?![\d,])/y

/** "10 000" with a plain blank. A digit before it makes it the rest of something else. */
const BLANK_GROUPS = /(?:[ \u00a0\u202f]\d{3})+(?![\d\p{L}/]|[ \u00a0\u202f-]\d)/uy
/** In English, where a comma is usual, only whole thousands and several groups are one number: "123 123" is two. */
function isBlankGroup(text: string, at: number, end: number, groupMarks: string): boolean {
  if (/\d[ \u00a0\u202f]$/.test(text.slice(Math.max(0, at - 2), at))) return false
  const found = matchAt(BLANK_GROUPS, text, end)?.[0]
  return found !== undefined && (groupMarks !== ',' || found.length > 4 || found.endsWith('000'))
}

export type Read = { readonly amount: Amount; readonly end: number }

/** The number at `at`, which has a digit there. */
export function readAmount(text: string, at: number, language: Language): Read {
  const { groupMarks } = language
  const indian = groupMarks.includes(',') ? matchAt(INDIAN_GROUPS, text, at)?.[0] : undefined
  let end = indian ? at + indian.length : endOfDigits(text, at)
  let whole = text.slice(at, end).replaceAll(',', '')
  let isGrouped = indian !== undefined
  const mark = text[end] ?? ''
  if (
    !indian &&
    whole.length <= 3 &&
    !whole.startsWith('0') &&
    mark !== '' &&
    (groupMarks.includes(mark) || isBlankGroup(text, at, end, groupMarks))
  ) {
    while (text[end] === mark && endOfDigits(text, end + 1) === end + 4) {
      whole += text.slice(end + 1, end + 4)
      end += 4
      isGrouped = true
    }
  }
  const isPoint = language.hasDecimalPoint === true && !isGrouped && text[end] === '.'
  const decimalMark = isPoint ? '.' : language.decimalMark
  const decimalsEnd = text[end] === decimalMark ? endOfDigits(text, end + 1) : end
  const decimals = text.slice(end + 1, decimalsEnd)
  // "1.2.3" is a version or an address, and its parts are said one by one.
  if (decimals === '' || (text[decimalsEnd] === decimalMark && isDigit(text[decimalsEnd + 1])))
    return { amount: { whole, decimals: '', isGrouped }, end }
  return { amount: { whole, decimals, isGrouped }, end: decimalsEnd }
}

export const sayDigits = (digits: string, language: Language): string =>
  Array.from(digits, (digit) => language.cardinal(Number(digit))).join(' ')

export function sayInteger(digits: string, language: Language, gender?: Gender): string {
  const isCode = digits.length > MAX_CARDINAL_DIGITS || (digits.length > 1 && digits.startsWith('0'))
  return isCode ? sayDigits(digits, language) : language.cardinal(Number(digits), gender)
}

export function sayAmount({ whole, decimals }: Amount, language: Language, gender?: Gender): string {
  if (decimals === '') return sayInteger(whole, language, gender)
  const said = language.decimal?.(whole, decimals) ?? null
  if (said !== null) return said
  const isShort = language.readsDecimalsAsNumber && decimals.length <= 3 && !decimals.startsWith('0')
  const tail = isShort ? language.cardinal(Number(decimals)) : sayDigits(decimals, language)
  return `${sayInteger(whole, language)} ${language.say.point} ${tail}`
}

/** A number that stands alone: a year if it has four digits without a mark between them. */
export function sayPlain(amount: Amount, language: Language, gender?: Gender): string {
  const isYear = amount.whole.length === 4 && amount.decimals === '' && !amount.isGrouped && !amount.whole.startsWith('0')
  return isYear ? language.year(Number(amount.whole)) : sayAmount(amount, language, gender)
}

const isOne = ({ whole, decimals }: Amount): boolean => whole === '1' && decimals === ''

/** Romance languages say "a million of euros" also where the million is written in figures. */
const endsInMillions = ({ whole, decimals }: Amount): boolean =>
  decimals === '' && !whole.startsWith('0') && whole.length > 6 && whole.length <= MAX_CARDINAL_DIGITS && whole.endsWith('000000')

/** The form of a noun that agrees with an amount. */
export function formOf(amount: Amount, noun: Noun, { formFor }: Pick<Language, 'formFor'>): string {
  const form = formFor ? formFor(amount) : isOne(amount) ? 'one' : 'many'
  return noun[form] ?? noun.many
}

export const sayCounted = (amount: Amount, noun: Noun, language: Language): string => {
  const counted = endsInMillions(amount) ? language.say.ofScale(noun.many) : formOf(amount, noun, language)
  return `${sayAmount(amount, language, noun.gender)} ${counted}`
}

/** A sum of money. `scale` is the spoken scale, such as "million", or ''. */
export function sayMoney(amount: Amount, code: string, scale: string, language: Language, scaleGender = language.scaleGender): string {
  const [unit, hundredth] = language.currencies[code]!
  if (scale !== '') return `${sayAmount(amount, language, scaleGender)} ${scale} ${language.say.ofScale(unit.many)}`
  const isWithCents = hundredth !== null && (amount.decimals.length === 1 || amount.decimals.length === 2)
  if (!isWithCents) return sayCounted(amount, unit, language)
  const cents: Amount = { whole: String(Number(amount.decimals.padEnd(2, '0'))), decimals: '', isGrouped: false }
  const units: Amount = { ...amount, decimals: '' }
  if (cents.whole === '0') return sayCounted(units, unit, language)
  if (units.whole === '0') return sayCounted(cents, hundredth, language)
  const and = language.say.moneyAnd === '' ? '' : `${language.say.moneyAnd} `
  return `${sayCounted(units, unit, language)} ${and}${sayCounted(cents, hundredth, language)}`
}
