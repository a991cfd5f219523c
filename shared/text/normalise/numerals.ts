// Finds the expression in figures at a place of the text, and says it: fractions, ranges, sums, measures, ordinals, years.
import { endOfDigits, isDigit, readAmount, sayAmount, sayCounted, sayDigits, sayInteger, sayMoney, sayPlain } from './amounts.ts'
import { sayDate, sayDayAndMonth, sayTime, wordBefore } from './dates.ts'
import type { Amount, Language } from './language.ts'
import { matchAt, type Replacement } from './match.ts'

const SYMBOLS: Readonly<Record<string, string>> = { $: 'USD', '€': 'EUR', '£': 'GBP', '¥': 'JPY', '₹': 'INR', '₩': 'KRW' }
const PREFIXES: Readonly<Record<string, string>> = { US$: 'USD', CA$: 'CAD', AU$: 'AUD', A$: 'AUD', R$: 'BRL' }
const VULGAR: Readonly<Record<string, readonly [number, number]>> = {
  '½': [1, 2],
  '⅓': [1, 3],
  '⅔': [2, 3],
  '¼': [1, 4],
  '¾': [3, 4],
  '⅕': [1, 5],
  '⅖': [2, 5],
  '⅗': [3, 5],
  '⅘': [4, 5],
  '⅙': [1, 6],
  '⅚': [5, 6],
  '⅛': [1, 8],
  '⅜': [3, 8],
  '⅝': [5, 8],
  '⅞': [7, 8],
}

const CHAIN = /\d+(?:[-.]\d+){2,}/y
const SLASH = /(\d{1,9})\/(\d{1,9})(?![\d/])/y
const RATIO = /(\d{1,9}):(\d{1,9})(?![\d:])/y
const UNIT = /[ \u00a0\u202f]?([%‰¢]|[°º][CF]?|µ?\p{L}{1,5}(?:\/\p{L}{1,2})?[²³]?)(?![\p{L}\p{M}])/uy
const CURRENCY_AFTER = /[ \u00a0\u202f]?([$€£¥₹₩]|[A-Z]{3}(?![\p{L}\p{M}]))/uy
const CURRENCY_BEFORE = /((?:[A-Z]{1,2}\$|[$€£¥₹₩]))[ \u00a0\u202f]?([-−]?)(?=\d)/y
const CODE_BEFORE = /([A-Z]{3})[ \u00a0\u202f]?()(?=\d)/y
const SCALE = /([ \u00a0\u202f]?)(\p{L}{1,9}\.?)(?![\p{L}\p{M}])/uy
/** A fraction after a whole number, as in "2 1/2". */
const AFTER_WHOLE = /[ \u00a0\u202f](?=\d{1,2}\/\d{1,3}(?![\d/]))/y
/** The next word, without words such as "y" and "que". */
const NOUN = /[ \u00a0\u202f](\p{L}{3,30})/uy

function sayFraction(text: string, at: number, language: Language): Replacement | null {
  const found = matchAt(SLASH, text, at)
  if (!found) return null
  const [over, under] = [Number(found[1]), Number(found[2])]
  const isFraction = over > 0 && over < under && under <= 100
  const words = isFraction ? language.fraction(over, under) : null
  const joint = isFraction ? ` ${language.say.over} ` : ' '
  return {
    words: words ?? `${sayInteger(found[1]!, language)}${joint}${sayInteger(found[2]!, language)}`,
    end: at + found[0].length,
  }
}

/** Three or more groups of digits, as in a telephone number or a version. */
function sayChain(text: string, at: number, language: Language): Replacement | null {
  const found = matchAt(CHAIN, text, at)
  if (!found || readAmount(text, at, language).end >= at + found[0].length) return null
  const hasHyphens = found[0].includes('-')
  const parts = found[0].split(/[-.]/)
  const words = parts.map((digits) => (hasHyphens ? sayDigits(digits, language) : sayInteger(digits, language)))
  return { words: words.join(hasHyphens ? ', ' : ` ${language.say.point} `), end: at + found[0].length }
}

function sayOrdinal(text: string, at: number, end: number, language: Language): Replacement | null {
  const mark = language.ordinalMark && matchAt(language.ordinalMark, text, end)
  const digits = text.slice(at, end)
  if (!mark || digits.length > 6 || Number(digits) === 0) return null
  return { words: language.ordinal(Number(digits), language.genderOfMark(mark[1]!)), end: end + mark[0].length }
}

/** A scale such as "million". A short one such as the M of "$5M" counts only next to its currency. */
function scaleAt(text: string, at: number, language: Language, isAfterCurrency: boolean): { words: string; end: number } {
  const found = matchAt(SCALE, text, at)
  const key = found?.[2] ?? ''
  const bare = key.endsWith('.') ? key.slice(0, -1) : key
  const name = Object.hasOwn(language.scales, key) ? key : bare
  if (!found || !Object.hasOwn(language.scales, name)) return { words: '', end: at }
  const end = at + found[0].length - (name === key ? 0 : 1)
  const isByCurrency = isAfterCurrency ? found[1] === '' : /[$€£¥₹₩]/.test(text[end] ?? '')
  return name.length > 2 || isByCurrency ? { words: language.scales[name]!, end } : { words: '', end: at }
}

/** Says the scale, currency or unit after a number or a range. Null if none follows. */
function sayMeasured(text: string, end: number, amounts: readonly Amount[], language: Language): Replacement | null {
  const last = amounts.at(-1)!
  const lead = amounts
    .slice(0, -1)
    .map((amount) => `${sayAmount(amount, language)} ${language.say.to} `)
    .join('')
  const scale = scaleAt(text, end, language, false)
  const currency = matchAt(CURRENCY_AFTER, text, scale.end)
  const code = currency && (SYMBOLS[currency[1]!] ?? currency[1]!)
  if (code && Object.hasOwn(language.currencies, code))
    return { words: lead + sayMoney(last, code, scale.words, language), end: scale.end + currency[0].length }
  if (scale.words !== '') return { words: `${lead}${sayAmount(last, language, language.scaleGender)} ${scale.words}`, end: scale.end }
  const unit = matchAt(UNIT, text, end)
  const name = (unit?.[1] ?? '').replace('º', '°')
  if (name === '' || !Object.hasOwn(language.units, name)) return null
  return { words: lead + sayCounted(last, language.units[name]!, language), end: end + unit![0].length }
}

/** A part of a telephone number, such as 0142. */
const isCode = ({ whole, decimals }: Amount): boolean => whole.length > 1 && whole.startsWith('0') && decimals === ''
const isBlankOrStart = (char: string | undefined): boolean => char === undefined || /[\s("'“‘«]/.test(char)

function sayDecade(text: string, at: number, { decade }: Language): Replacement | null {
  const found = decade && matchAt(decade.form, text, at)
  if (!found) return null
  const isClear = found[1]!.length === 4 || decade.after === null || /['’]/.test(text[at - 1] ?? '')
  if (!isClear && !decade.after.has(wordBefore(text, at).toLowerCase())) return null
  return { words: decade.say(found[1]!), end: at + found[0].length }
}

/** A number with what belongs to it. `at` has a digit. */
function sayNumber(text: string, at: number, language: Language): Replacement {
  const decade = sayDecade(text, at, language)
  if (decade) return decade
  const first = readAmount(text, at, language)
  const ordinal = first.amount.decimals === '' && !first.amount.isGrouped ? sayOrdinal(text, at, first.end, language) : null
  if (ordinal) return ordinal
  const vulgar = VULGAR[text[first.end] ?? '']
  if (vulgar) {
    const fraction = language.fraction(...vulgar) ?? ''
    return { words: joinedFraction(first.amount, fraction, language), end: first.end + 1 }
  }
  if (first.amount.decimals === '' && matchAt(AFTER_WHOLE, text, first.end)) {
    const fraction = sayFraction(text, first.end + 1, language)
    if (fraction) return { words: joinedFraction(first.amount, fraction.words, language), end: fraction.end }
  }
  const amounts = [first.amount]
  let { end } = first
  if (/[-–—]/.test(text[end] ?? '') && isDigit(text[end + 1])) {
    const second = readAmount(text, end + 1, language)
    if (isCode(second.amount)) {
      const digits = [first.amount.whole, second.amount.whole].map((part) => sayDigits(part, language))
      if (first.amount.decimals === '') return { words: digits.join(', '), end: second.end }
    }
    amounts.push(second.amount)
    end = second.end
  }
  const measured = sayMeasured(text, end, amounts, language)
  if (measured) return measured
  if (amounts.length === 1 && end - at <= 3 && text[end] === '.' && /\s/.test(text[end + 1] ?? '')) {
    const words = language.stopOrdinal?.(Number(first.amount.whole), wordBefore(text, at))
    if (words) return { words, end: end + 1 }
  }
  const gender = language.genderOf(matchAt(NOUN, text, end)?.[1] ?? '')
  return { words: amounts.map((amount) => sayPlain(amount, language, gender)).join(` ${language.say.to} `), end }
}

/** "one and a half". */
const joinedFraction = (whole: Amount, fraction: string, language: Language): string =>
  `${sayAmount(whole, language)} ${language.say.and} ${language.say.and === 'and' ? fraction.replace(/^one /, 'a ') : fraction}`

function sayPrefixed(text: string, at: number, language: Language): Replacement | null {
  const symbol = matchAt(CURRENCY_BEFORE, text, at) ?? matchAt(CODE_BEFORE, text, at)
  const code = symbol && (SYMBOLS[symbol[1]!] ?? PREFIXES[symbol[1]!] ?? symbol[1]!)
  if (!symbol || !code || !Object.hasOwn(language.currencies, code)) return null
  const minus = symbol[2] === '' ? '' : `${language.say.minus} `
  const { amount, end } = readAmount(text, at + symbol[0].length, language)
  if (/[-–—]/.test(text[end] ?? '')) {
    const second = text[end + 1] === symbol[1] ? end + 2 : end + 1
    if (isDigit(text[second])) {
      const to = readAmount(text, second, language)
      const scale = scaleAt(text, to.end, language, true)
      const words = `${sayAmount(amount, language)} ${language.say.to} ${sayMoney(to.amount, code, scale.words, language)}`
      return { words: minus + words, end: scale.end }
    }
  }
  const scale = scaleAt(text, end, language, true)
  return { words: minus + sayMoney(amount, code, scale.words, language), end: scale.end }
}

/** The expression in figures that starts at `at`; null if none does. */
export function sayFigures(text: string, at: number, language: Language): Replacement | null {
  const char = text[at]!
  if (isDigit(char)) {
    const ratio = matchAt(RATIO, text, at)
    return (
      sayDate(text, at, language) ??
      sayTime(text, at, language) ??
      sayChain(text, at, language) ??
      sayFraction(text, at, language) ??
      sayDayAndMonth(text, at, language) ??
      (ratio
        ? { words: `${sayInteger(ratio[1]!, language)} ${language.say.to} ${sayInteger(ratio[2]!, language)}`, end: at + ratio[0].length }
        : sayNumber(text, at, language))
    )
  }
  const vulgar = VULGAR[char]
  if (vulgar) return { words: language.fraction(...vulgar) ?? '', end: at + 1 }
  const sign = language.abbreviations.number['#']
  if (char === '#') return sign !== undefined && isDigit(text[at + 1]) ? { words: `${sign} `, end: at + 1 } : null
  if ((char === '-' || char === '−') && isBlankOrStart(text[at - 1])) {
    const next = isDigit(text[at + 1]) ? sayNumber(text, at + 1, language) : sayPrefixed(text, at + 1, language)
    return next && { words: `${language.say.minus} ${next.words}`, end: next.end }
  }
  if (char === language.decimalMark && isBlankOrStart(text[at - 1]) && isDigit(text[at + 1])) {
    const end = endOfDigits(text, at + 1)
    return { words: `${language.say.point} ${sayDigits(text.slice(at + 1, end), language)}`, end }
  }
  return sayPrefixed(text, at, language)
}
