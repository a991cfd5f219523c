// Finds dates and times at a place of the text, and says them.
import { endOfDigits } from './amounts.ts'
import type { Language } from './language.ts'
import { matchAt, type Replacement } from './match.ts'

const ISO_DATE = /(\d{4})-(\d{2})-(\d{2})(?!\d)/y
const FIGURE_DATE = /(\d{1,2})([./-])(\d{1,2})\2(\d{4})(?!\d)/y
const TIME = /(\d{1,2})[:](\d{2})(?::(\d{2}))?(?![\d:])/y
const HALF_DAY = /[ \u00a0\u202f]?([apAP])\.?[mM](?:\.(?=[ \u00a0]\p{Ll}|[,;:)]))?(?![\p{L}\p{M}])/uy
const MONTH_AFTER = /\.?[ \u00a0\u202f](?:of |de )?(\p{L}{3,10})(?:\.(?=[ \u00a0][\p{Ll}\d]))?(?![\p{L}\p{M}])/uy
const YEAR_AFTER = /,?[ \u00a0\u202f](?:de )?(\d{4})(?![\d.,]\d|\d)/y
const DAY = /[ \u00a0\u202f](\d{1,2})(?!\d|[.,:/-]\d|[ \u00a0\u202f]?[%°$€£])(?:st|nd|rd|th)?(?![\p{L}\p{M}])/uy
const CAPITAL = /^\p{Lu}/u

const isDayOfYear = (day: number, month: number): boolean => day >= 1 && day <= 31 && month >= 1 && month <= 12

/** The word that ends before `at`, of at most 12 letters; '' without one. */
export function wordBefore(text: string, at: number): string {
  return /(\p{L}{1,12})[ \u00a0]$/u.exec(text.slice(Math.max(0, at - 14), at))?.[1] ?? ''
}

/** A date in figures; null if there is none at `at`. */
export function sayDate(text: string, at: number, language: Language): Replacement | null {
  const iso = matchAt(ISO_DATE, text, at)
  if (iso && isDayOfYear(Number(iso[3]), Number(iso[2]))) {
    const date = { day: Number(iso[3]), month: Number(iso[2]), year: Number(iso[1]) }
    return { words: language.date(date, wordBefore(text, at)), end: at + iso[0].length }
  }
  const figures = matchAt(FIGURE_DATE, text, at)
  if (!figures) return null
  const [first, second, year] = [Number(figures[1]), Number(figures[3]), Number(figures[4])]
  const isMonthFirst = language.dateOrder === 'mdy' && figures[2] !== '.'
  const orders = [
    { day: first, month: second, year },
    { day: second, month: first, year },
  ]
  const date = (isMonthFirst ? orders.reverse() : orders).find(({ day, month }) => isDayOfYear(day, month))
  return date ? { words: language.date(date, wordBefore(text, at)), end: at + figures[0].length } : null
}

function yearAfter(text: string, at: number): { year: number | null; end: number } {
  const found = matchAt(YEAR_AFTER, text, at)
  return found ? { year: Number(found[1]), end: at + found[0].length } : { year: null, end: at }
}

/** A date that starts with its day, such as "3. Mai 2024". */
export function sayDayAndMonth(text: string, at: number, language: Language): Replacement | null {
  const end = endOfDigits(text, at)
  const day = Number(text.slice(at, end))
  if (end - at > 2) return null
  const mark = language.ordinalMark && matchAt(language.ordinalMark, text, end)
  const from = end + (mark?.[0].length ?? 0)
  const found = matchAt(MONTH_AFTER, text, from)
  const month = found && language.months.get(found[1]!.toLowerCase())
  // "the 1st of May" is already as it is said.
  if (!found || !month || !isDayOfYear(day, month) || / of /.test(found[0]) || (language.capitalMonths && !CAPITAL.test(found[1]!)))
    return null
  const { year, end: after } = yearAfter(text, from + found[0].length)
  return { words: language.date({ day, month, year }, wordBefore(text, at)), end: after }
}

/** A date that starts with its month, such as "January 5, 2024". `at` is after the name and its full stop. */
export function sayMonthAndDay(text: string, name: string, at: number, language: Language): Replacement | null {
  const month = language.groupMarks === ',' ? language.months.get(name.toLowerCase()) : undefined
  if (!month || !CAPITAL.test(name)) return null
  const found = matchAt(DAY, text, at)
  if (!found || !isDayOfYear(Number(found[1]), month)) return null
  const { year, end } = yearAfter(text, at + found[0].length)
  return { words: language.date({ day: Number(found[1]), month, year }, ''), end }
}

/** A time; null if there is none at `at`. */
export function sayTime(text: string, at: number, language: Language): Replacement | null {
  const found = (language.timeForm && matchAt(language.timeForm, text, at)) ?? matchAt(TIME, text, at)
  if (!found) return null
  const [hours, minutes, seconds] = [Number(found[1]), Number(found[2]), found[3] === undefined ? null : Number(found[3])]
  if (hours > 24 || minutes > 59 || (seconds ?? 0) > 59) return null
  const end = at + found[0].length
  const half = matchAt(HALF_DAY, text, end)
  const hour = / Uhr(?![\p{L}\p{M}])/uy
  const words = language.time({ hours, minutes, seconds })
  if (half && hours <= 12) {
    const clock = minutes === 0 ? language.cardinal(hours) : words
    return { words: `${clock} ${half[1]!.toLowerCase()} m`, end: end + half[0].length }
  }
  return { words, end: words.includes(' Uhr') && matchAt(hour, text, end) ? end + 4 : end }
}
