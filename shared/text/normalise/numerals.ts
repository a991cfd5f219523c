// Finds the expression in figures at a place of the text, and says it: fractions, ranges, sums, measures, ordinals, years.
import { endsSentence } from '#shared/text/segmentation/borders.ts'
import {
  endOfDigits,
  formOf,
  isDigit,
  type Read,
  readAmount,
  sayAmount,
  sayCounted,
  sayDigits,
  sayInteger,
  sayMoney,
  sayPlain,
} from './amounts.ts'
import { sayDate, sayDayAndMonth, sayOrdinalNoun, sayTime, wordBefore } from './dates.ts'
import { sayArithmetic, saySides } from './figures/arithmetic.ts'
import { sayTelephone } from './figures/telephone.ts'
import { perUnit, sayDuration, unitAt, withRate, withUnit } from './figures/units.ts'
import type { Amount, Gender, Language } from './language.ts'
import { matchAt, type Replacement } from './match.ts'

const SYMBOLS: Readonly<Record<string, string>> = { $: 'USD', '€': 'EUR', '£': 'GBP', '¥': 'JPY', '₹': 'INR', '₩': 'KRW', '₽': 'RUB' }
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
const CURRENCY_AFTER = /[ \u00a0\u202f]?([$€£¥₹₩₽]|[A-Z]{3}(?![\p{L}\p{M}]))/uy
const CURRENCY_MARK = /[ \u00a0\u202f]?(\p{L}{1,5})(\.?)(?![\p{L}\p{M}])/uy
const CURRENCY_BEFORE = /((?:[A-Z]{1,2}\$|[$€£¥₹₩₽]))[ \u00a0\u202f]?([-−]?)(?=[.,]?\d)/y
/** A hyphen before another sum, with blanks or without. */
const TO_SUM = /[ \u00a0\u202f]?[-–—][ \u00a0\u202f]?/y
/** Between the ends of a range: a hyphen, or a dash with blanks; "1 - 2 = …" is arithmetic. */
const TO_NUMBER = /(?:[-–—]|[ \u00a0\u202f][–—-][ \u00a0\u202f])(?=\d)/y
const LETTER = /[\p{L}\p{M}]/u
/** A letter and a hyphen before a number. */
const HYPHENS = /\p{L}-$/u
/** Hyphens and at least one letter behind a number: "5-3-Ws". */
const CHAIN_ON = /(?:-\d{1,9}){0,3}-\p{Lu}/uy
const CODE_BEFORE = /([A-Z]{3})[ \u00a0\u202f]?()(?=\d)/y
const SCALE = /([ \u00a0\u202f]?)(\p{L}{1,9}\.?)(?![\p{L}\p{M}])/uy
/** A fraction after a whole number, as in "2 1/2". */
const AFTER_WHOLE = /[ \u00a0\u202f](?=\d{1,2}\/\d{1,3}(?![\d/]))/y
/** Characters around a number that decide about its case. */
const AROUND = 24
/** The next word, without words such as "y" and "que". */
const NOUN = /[ \u00a0\u202f](\p{L}{3,30})/uy

const plainAmount = (whole: string): Amount => ({ whole, decimals: '', isGrouped: false })

function sayFraction(text: string, at: number, language: Language): Replacement | null {
  const found = matchAt(SLASH, text, at)
  // The last two numbers of "31/31/100" are no fraction.
  if (!found || /\d\/$/.test(text.slice(Math.max(0, at - 2), at))) return null
  const [over, under] = [Number(found[1]), Number(found[2])]
  const end = at + found[0].length
  if (found[0] === '24/7') return { words: `${sayInteger('24', language)} ${sayInteger('7', language)}`, end }
  const isCode = /^0\d/.test(found[1]!) || /^0\d/.test(found[2]!)
  // "50/50", "60/40", "2019/20" and "05/2020" are two numbers; "22/7" and "3/2" are fractions, and "120/80" is said with "over".
  const isPair = over >= under && (under > 9 || over === under) && over < 100
  const isYears = (found[1]!.length === 4 && found[2]!.length === 2) || (found[1]!.length <= 2 && /^(?:19|20)\d\d$/.test(found[2]!))
  if (isPair || isYears) return { words: [found[1]!, found[2]!].map((digits) => sayPlain(plainAmount(digits), language)).join(' '), end }
  const isFraction = !isCode && over > 0 && under > 1 && under <= 1000 && over < 100
  const words = isFraction ? language.fraction(over, under) : null
  if (words !== null) {
    // "3/4th" is written by those who say "three fourths".
    const suffix = over > 0 && language.ordinalMark ? matchAt(language.ordinalMark, text, end) : null
    return { words, end: end + (suffix && language.groupMarks === ',' ? suffix[0].length : 0) }
  }
  return { words: `${sayInteger(found[1]!, language)} ${language.say.over} ${sayInteger(found[2]!, language)}`, end }
}

/** A fraction, with the unit that it counts. */
function saySlashed(text: string, at: number, language: Language): Replacement | null {
  const fraction = sayFraction(text, at, language)
  return fraction && withUnit(text, fraction, language)
}

/** Three or more groups of digits, as in a telephone number or a version. */
function sayChain(text: string, at: number, language: Language): Replacement | null {
  const found = matchAt(CHAIN, text, at)
  if (!found || readAmount(text, at, language).end >= at + found[0].length) return null
  const hasHyphens = found[0].includes('-')
  const parts = found[0].split(/[-.]/)
  const isAddress = parts.length === 4 && parts.every((digits) => Number(digits) < 256)
  const words = parts.map((digits) => (hasHyphens || isAddress ? sayDigits(digits, language) : sayInteger(digits, language)))
  return { words: words.join(hasHyphens ? ', ' : ` ${language.say.dot} `), end: at + found[0].length }
}

function sayOrdinal(text: string, { whole: digits }: Amount, end: number, language: Language): Replacement | null {
  const mark = language.ordinalMark && matchAt(language.ordinalMark, text, end)
  if (!mark || digits.length > 6 || Number(digits) === 0) return null
  const words = language.ofMark
    ? language.ofMark(Number(digits), mark[1]!)
    : language.ordinal(Number(digits), language.genderOfMark(mark[1]!))
  return words === null ? null : { words, end: end + mark[0].length }
}

type Scale = { readonly words: string; readonly gender: Gender; readonly end: number }

/** A scale such as "million". A short one such as the M of "$5M" counts only next to its currency. */
function scaleAt(text: string, at: number, amount: Amount, language: Language, isAfterCurrency: boolean): Scale {
  const none = { words: '', gender: language.scaleGender, end: at }
  const found = matchAt(SCALE, text, at)
  const key = found?.[2] ?? ''
  const bare = key.endsWith('.') ? key.slice(0, -1) : key
  const name = Object.hasOwn(language.scales, key) ? key : bare
  if (!found || !Object.hasOwn(language.scales, name)) return none
  const last = at + found[0].length
  const endsHere = key.endsWith('.') && endsSentence(text, last - 1, language.sentences)
  const end = last - (name === key && !endsHere ? 0 : 1)
  const isByCurrency = isAfterCurrency ? found[1] === '' : /[$€£¥₹₩₽]/.test(text[end] ?? '')
  if (name.length <= 2 && !isByCurrency) return none
  const scale = language.scales[name]!
  return typeof scale === 'string' ? { ...none, words: scale, end } : { words: formOf(amount, scale, language), gender: scale.gender, end }
}

/** The code of a currency behind a number, by its sign, its code or its short form. */
function currencyAt(text: string, at: number, language: Language): { readonly code: string; readonly end: number } | null {
  const sign = matchAt(CURRENCY_AFTER, text, at)
  if (sign) return { code: SYMBOLS[sign[1]!] ?? sign[1]!, end: at + sign[0].length }
  const mark = language.currencyMarks && matchAt(CURRENCY_MARK, text, at)
  const code = mark && Object.hasOwn(language.currencyMarks!, mark[1]!) ? language.currencyMarks![mark[1]!]! : null
  if (!mark || code === null) return null
  const end = at + mark[0].length
  return { code, end: mark[2] === '.' && endsSentence(text, end - 1, language.sentences) ? end - 1 : end }
}

/** Says the scale, currency or unit after a number or a range. Null if none follows. */
function sayMeasured(text: string, end: number, amounts: readonly Amount[], language: Language): Replacement | null {
  const last = amounts.at(-1)!
  const lead = amounts
    .slice(0, -1)
    .map((amount) => `${sayAmount(amount, language)} ${language.say.to} `)
    .join('')
  const scale = scaleAt(text, end, last, language, false)
  const currency = currencyAt(text, scale.end, language)
  if (currency && Object.hasOwn(language.currencies, currency.code)) {
    const words = lead + sayMoney(last, currency.code, scale.words, language, scale.gender)
    return withRate(text, { words, end: currency.end }, language)
  }
  if (scale.words !== '') {
    const scaled = `${lead}${sayAmount(last, language, scale.gender)} ${scale.words}`
    const unit = unitAt(text, scale.end, language)
    return unit ? { words: `${scaled} ${language.say.ofScale(unit.noun.many)}`, end: unit.end } : { words: scaled, end: scale.end }
  }
  const unit = unitAt(text, end, language)
  return unit && withRate(text, { words: lead + sayCounted(last, unit.noun, language), end: unit.end }, language)
}

/** A part of a telephone number, such as 0142. */
const isCode = ({ whole, decimals }: Amount): boolean => whole.length > 1 && whole.startsWith('0') && decimals === ''
const isBlankOrStart = (char: string | undefined): boolean => char === undefined || /[\s("'“‘«]/.test(char)

function sayDecade(text: string, at: number, { decade }: Pick<Language, 'decade'>, to = ''): Replacement | null {
  const found = decade && matchAt(decade.form, text, at)
  if (!found) return null
  const isClear = found[1]!.length === 4 || decade.notAfter === null || /['’]/.test(text[at - 1] ?? '')
  const end = at + found[0].length
  const word = wordBefore(text, at).toLowerCase()
  const isAlone = word === '' && !/^[ -]\p{L}/u.test(text.slice(end, end + 2)) && text[at - 1] !== '-'
  if (!isClear && (isAlone || decade.notAfter.has(word))) return null
  // A range has two ends, so a chain of them is no range.
  const next = to !== '' && /^[-–]/.test(text.slice(end, end + 1)) ? sayDecade(text, end + 1, { decade }) : null
  const words = decade.say(found[1]!)
  return next ? { words: `${words} ${to} ${next.words}`, end: next.end } : { words, end }
}

/** A number that is part of a code: behind a letter, as in "A321" or "W26s", or between hyphens and letters, as in "5-3-Ws". Null for another one. */
function sayCode(text: string, at: number, { amount, end }: Read, language: Language): Replacement | null {
  const isBehindLetter = LETTER.test(text[at - 1] ?? '')
  const isInChain = HYPHENS.test(text.slice(Math.max(0, at - 2), at)) || matchAt(CHAIN_ON, text, end) !== null
  if ((!isBehindLetter && !isInChain) || amount.decimals !== '' || amount.isGrouped) return null
  const year = amount.whole.length === 4 ? Number(amount.whole) : 0
  const words = year >= 1900 && year < 2100 ? language.year(year) : amount.whole.length > 3 ? sayDigits(amount.whole, language) : null
  return { words: words ?? sayInteger(amount.whole, language), end }
}

/** A number with what belongs to it. `at` has a digit. */
function sayNumber(text: string, at: number, language: Language): Replacement {
  const decade = sayDecade(text, at, language, language.say.to)
  if (decade) return decade
  const first = readAmount(text, at, language)
  const ordinal = first.amount.decimals === '' ? sayOrdinal(text, first.amount, first.end, language) : null
  if (ordinal) return ordinal
  const vulgar = VULGAR[text[first.end] ?? '']
  if (vulgar) {
    const fraction = language.fraction(...vulgar) ?? ''
    return withUnit(text, { words: joinedFraction(first.amount, fraction, language), end: first.end + 1 }, language)
  }
  if (first.amount.decimals === '' && matchAt(AFTER_WHOLE, text, first.end)) {
    const fraction = sayFraction(text, first.end + 1, language)
    if (fraction) return withUnit(text, { words: joinedFraction(first.amount, fraction.words, language), end: fraction.end }, language)
  }
  const code = sayCode(text, at, first, language)
  if (code) return code
  const amounts = [first.amount]
  let { end } = first
  const joint = matchAt(TO_NUMBER, text, end)
  if (joint) {
    const second = readAmount(text, end + joint[0].length, language)
    // "2 ** 31 - 1 bytes" is no range.
    const isRange = joint[0].length === 1 || Number(first.amount.whole) < Number(second.amount.whole)
    if (isRange && isCode(second.amount)) {
      const digits = [first.amount.whole, second.amount.whole].map((part) => sayDigits(part, language))
      if (first.amount.decimals === '') return { words: digits.join(', '), end: second.end }
    }
    if (isRange) {
      amounts.push(second.amount)
      end = second.end
    }
  }
  const areBare = amounts.every(({ decimals, isGrouped }) => decimals === '' && !isGrouped)
  const values = amounts.map(({ whole }) => Number(whole))
  const ordinals = areBare ? sayOrdinalNoun(text, at, end, values, language) : null
  if (ordinals) return ordinals
  const before = text.slice(Math.max(0, at - AROUND), at).toLowerCase()
  const spoken = language.inCase?.(before, text.slice(at, end + AROUND)) ?? language
  const measured = sayMeasured(text, end, amounts, spoken)
  if (measured) return measured
  const rate = perUnit(text, end, language)
  if (rate)
    return { words: `${amounts.map((amount) => sayAmount(amount, spoken)).join(` ${language.say.to} `)} ${rate.words}`, end: rate.end }
  if (amounts.length === 1 && end - at <= 3 && text[end] === '.' && /\s/.test(text[end + 1] ?? '')) {
    const words = language.stopOrdinal?.(Number(first.amount.whole), wordBefore(text, at), matchAt(NOUN, text, end + 1)?.[1] ?? '')
    if (words) return { words, end: end + 1 }
  }
  const gender = spoken.genderOf(matchAt(NOUN, text, end)?.[1] ?? '', values.at(-1)!)
  return { words: amounts.map((amount) => sayPlain(amount, spoken, gender)).join(` ${language.say.to} `), end }
}

/** "one and a half". */
const joinedFraction = (whole: Amount, fraction: string, language: Language): string =>
  language.mixed?.(whole.whole, fraction) ??
  `${sayAmount(whole, language)} ${language.say.and} ${language.say.and === 'and' ? fraction.replace(/^one /, 'a ') : fraction}`

/** ".50" after a currency. */
function readBare(text: string, at: number): { readonly amount: Amount; readonly end: number } {
  const end = endOfDigits(text, at + 1)
  return { amount: { whole: '0', decimals: text.slice(at + 1, end), isGrouped: false }, end }
}

function sayPrefixed(text: string, at: number, language: Language): Replacement | null {
  const symbol = matchAt(CURRENCY_BEFORE, text, at) ?? matchAt(CODE_BEFORE, text, at)
  const code = symbol && (SYMBOLS[symbol[1]!] ?? PREFIXES[symbol[1]!] ?? symbol[1]!)
  if (!symbol || !code || !Object.hasOwn(language.currencies, code)) return null
  const minus = symbol[2] === '' ? '' : `${language.say.minus} `
  const from = at + symbol[0].length
  if (!isDigit(text[from]) && text[from] !== language.decimalMark) return null
  const { amount, end } = isDigit(text[from]) ? readAmount(text, from, language) : readBare(text, from)
  const spoken = language.inCase?.(text.slice(Math.max(0, at - AROUND), at).toLowerCase(), '') ?? language
  const joint = matchAt(TO_SUM, text, end)
  if (joint) {
    const second = end + joint[0].length + (text.startsWith(symbol[1]!, end + joint[0].length) ? symbol[1]!.length : 0)
    if (isDigit(text[second]) && (joint[0].length === 1 || second > end + joint[0].length)) {
      const to = readAmount(text, second, language)
      const scale = scaleAt(text, to.end, to.amount, language, true)
      const first = amount.decimals === '' ? sayAmount(amount, language) : sayMoney(amount, code, '', language)
      const words = `${first} ${language.say.to} ${sayMoney(to.amount, code, scale.words, language, scale.gender)}`
      return { words: minus + words, end: scale.end }
    }
  }
  const scale = scaleAt(text, end, amount, spoken, true)
  return withRate(text, { words: minus + sayMoney(amount, code, scale.words, spoken, scale.gender), end: scale.end }, language)
}

/** A sign before a number: "+5 °C". */
function sayPlus(text: string, at: number, language: Language): Replacement | null {
  if (text[at] !== '+' || !isBlankOrStart(text[at - 1]) || !isDigit(text[at + 1])) return null
  const { words, end } = sayNumber(text, at + 1, language)
  return { words: `${language.say.plus} ${words}`, end }
}

/** The expression in figures that starts at `at`; null if none does. */
export function sayFigures(text: string, at: number, language: Language): Replacement | null {
  const char = text[at]!
  if (isDigit(char)) {
    const ratio = matchAt(RATIO, text, at)
    return (
      language.address?.(text, at) ??
      sayDate(text, at, language) ??
      sayTelephone(text, at, language) ??
      sayDuration(text, at, language) ??
      saySides(text, at, language) ??
      sayArithmetic(text, at, language) ??
      sayTime(text, at, language) ??
      sayChain(text, at, language) ??
      saySlashed(text, at, language) ??
      sayDayAndMonth(text, at, language) ??
      (ratio
        ? {
            words: `${sayInteger(ratio[1]!, language)} ${language.say.ratio} ${sayInteger(ratio[2]!, language)}`,
            end: at + ratio[0].length,
          }
        : sayNumber(text, at, language))
    )
  }
  if (char === '+' || char === '(') return sayTelephone(text, at, language) ?? sayPlus(text, at, language)
  const sign = Object.hasOwn(language.signs, char) ? language.signs[char] : undefined
  if (sign !== undefined) {
    // "git~1" and "a<5" are no words with a sign.
    if (/[~<>]/.test(char) && (!isBlankOrStart(text[at - 1]) || text.startsWith('<3', at))) return null
    const blank = /[ \u00a0\u202f]/.test(text[at + 1] ?? '') ? 1 : 0
    return isDigit(text[at + 1 + blank]) ? { words: `${sign} `, end: at + 1 + blank } : null
  }
  const vulgar = VULGAR[char]
  if (vulgar) return withUnit(text, { words: language.fraction(...vulgar) ?? '', end: at + 1 }, language)
  const hash = language.abbreviations.number['#']
  if (char === '#') return hash !== undefined && isDigit(text[at + 1]) ? { words: `${hash} `, end: at + 1 } : null
  if ((char === '-' || char === '−') && isBlankOrStart(text[at - 1])) {
    const next = isDigit(text[at + 1])
      ? (saySlashed(text, at + 1, language) ?? sayNumber(text, at + 1, language))
      : sayPrefixed(text, at + 1, language)
    return next && { words: `${language.say.minus} ${next.words}`, end: next.end }
  }
  if (char === language.decimalMark && isBlankOrStart(text[at - 1]) && isDigit(text[at + 1])) {
    const end = endOfDigits(text, at + 1)
    return { words: `${language.say.point} ${sayDigits(text.slice(at + 1, end), language)}`, end }
  }
  return sayPrefixed(text, at, language)
}
