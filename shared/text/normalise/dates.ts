// Finds dates and times at a place of the text, and says them.
import { endsSentence } from '#shared/text/segmentation/borders.ts'
import { endOfDigits, isDigit } from './amounts.ts'
import type { DayDate, Language } from './language.ts'
import { matchAt, type Replacement } from './match.ts'

const YEAR_FIRST = /(\d{4})([-/.])(\d{1,2})\2(\d{1,2})(?![\d/]|[-.]\d)/y
const FIGURE_DATE = /(\d{1,2})([./-])(\d{1,2})\2(\d{4})(?!\d)/y
/** A date with a year of two digits: "4/15/24", "15.4.24". */
const SHORT_YEAR = /(\d{1,2})([./])(\d{1,2})\2(\d{2})(?![\d/%]|[-.]\d)/y
const SHORT_HYPHENS = /(\d{2})(-)(\d{2})-(\d{2})(?![\d/%]|[-.]\d)/y
/** A day and a month: "4/15", "02.03.", where a word before allows it. */
const NO_YEAR = /(\d{1,2})([./])(\d{1,2})(?![\d/%°]|[.,:-]\d|[ \u00a0\u202f]?[%€$£])/y
/** A day and a month of two figures, one of which starts with 0. */
const PADDED = /^(?:0\d\.[01]\d|[0-3]\d\.0\d)$/
/** Denominators of everyday fractions. */
const COMMON_PARTS: ReadonlySet<number> = new Set([2, 3, 4, 5, 6, 8, 10, 12, 16])
/** A word behind a fraction that says of what it is. */
const OF_SOMETHING = /[ \u00a0](?:of|de|del|dei|degli|delle|di|des|du|do|da|dos|das|der|d['’])(?!\p{L})/iuy
/** Days before the name of their month: "17/18 juin", "17-18-19 juin". */
const DAYS = /\d{1,2}(?:[/–-]\d{1,2}){1,4}(?=[ \u00a0](?:de )?(\p{L}{3,12}))/uy
/** A day before another one with the name of their month: "с 1 по 15 июня". */
const FIRST_DAY = /(\d{1,2})(?= \p{L}{1,2} \d{1,2} (\p{L}{3,12}))/uy
/** Short years below it are of this century. */
const CENTURY = 50
const TIME = /(\d{1,2})[:](\d{2})(?::(\d{2}))?(?![\d:])/y
/** A full stop before the minutes, where a word before says that it is a time. */
const STOP_TIME = /(\d{1,2})\.([0-5]\d)(?!\d|[.,]\d)/y
/** A full stop before the minutes, where a half of the day follows: "5.30 p.m.". */
const DOTTED_TIME = /(\d{1,2})\.(\d{2})(?=[ \u00a0\u202f]?[apAP]\.?[ \u00a0\u202f]?[mM](?![\p{L}\p{M}]))/uy
/** Characters before a time that decide about its form. */
const BEFORE_TIME = 16
/** Another time after a hyphen, with blanks or without. */
const TO_TIME = /[ \u00a0\u202f]?[-–—][ \u00a0\u202f]?(?=\d)/y
const WHOLE_HOUR = /(\d{1,2})(?=[ \u00a0\u202f]?[apAP]\.?[ \u00a0\u202f]?[mM](?![\p{L}\p{M}]))/uy
const HALF_DAY = /[ \u00a0\u202f]?(?!Am|Pm)([apAP])\.?[ \u00a0\u202f]?[mM](?:\.(?=[ \u00a0]\p{Ll}|[,;:)]))?(?![\p{L}\p{M}])/uy
const MONTH_AFTER = /\.?[ \u00a0\u202f](?:of |de )?(\p{L}{3,12})(?:\.(?=[ \u00a0][\p{Ll}\d]))?(?![\p{L}\p{M}])/uy
const YEAR_AFTER = /(?:,?[ \u00a0\u202f](?:de )?|-)(\d{4})(?![\d.,]\d|\d)/y
const DAY = /[ \u00a0\u202f-](\d{1,2})(?!\d|[.,:/]\d|-\d{1,3}(?!\d)|[ \u00a0\u202f]?[%°$€£])(?:st|nd|rd|th)?(?![\p{L}\p{M}])/uy
const CAPITAL = /^\p{Lu}/u

const hasMark = ({ dateMarks = './' }: Language, mark: string): boolean => dateMarks.includes(mark)

const isDayOfYear = (day: number, month: number): boolean => day >= 1 && day <= 31 && month >= 1 && month <= 12

/** The word that ends before `at`, of at most 12 letters; '' without one. */
export function wordBefore(text: string, at: number): string {
  return /(\p{L}{1,12})[ \u00a0]$/u.exec(text.slice(Math.max(0, at - 14), at))?.[1] ?? ''
}

/** True if the name of a month is more likely another word: "may" and "march" in small letters, without a year. */
const isOtherWord = (name: string, year: number | null, { capitalMonths }: Language): boolean =>
  capitalMonths && !CAPITAL.test(name) && year === null && /^(?:may|march|mar|sat|sun)$/.test(name)

/** A date in figures; null if there is none at `at`. */
export function sayDate(text: string, at: number, language: Language): Replacement | null {
  const iso = matchAt(YEAR_FIRST, text, at)
  if (iso && isDayOfYear(Number(iso[4]), Number(iso[3]))) {
    const date = { day: Number(iso[4]), month: Number(iso[3]), year: Number(iso[1]) }
    return sayDayDate(text, at, at + iso[0].length, date, language)
  }
  const short = matchAt(SHORT_YEAR, text, at)
  const hyphens = hasMark(language, '-') && text[at - 1] !== '-' ? matchAt(SHORT_HYPHENS, text, at) : null
  const full = matchAt(FIGURE_DATE, text, at) ?? hyphens ?? (short && !isVersion(text, at, short, language) ? short : null)
  if (full) return dateOf(text, at, full, yearOf(full[4]!), language)
  const days = matchAt(DAYS, text, at)
  if (days && language.months.has(days[1]!.toLowerCase())) {
    const dayOf = language.dayOfMonth ?? language.cardinal
    const each = days[0].split(/[/–-]/).map((day) => dayOf(Number(day)))
    // "10-12 June" is a range; days with slashes, or more than two, are named one by one.
    const isRange = each.length === 2 && !days[0].includes('/')
    return { words: each.join(isRange ? ` ${language.say.to} ` : ' '), end: at + days[0].length }
  }
  const day = language.dayOfMonth ? matchAt(FIRST_DAY, text, at) : null
  if (day && language.months.has(day[2]!.toLowerCase())) return { words: language.dayOfMonth!(Number(day[1])), end: at + day[0].length }
  return sayDayOfMonth(text, at, language)
}

/** A day and a month in figures: "on 4/15", "am 02.03.", or "02.03" as the whole text. */
function sayDayOfMonth(text: string, at: number, language: Language): Replacement | null {
  const found = matchAt(NO_YEAR, text, at)
  if (!found) return null
  const isAnnounced = language.dateWords.has(wordBefore(text, at).toLowerCase())
  const end = at + found[0].length
  if (found[2] === '/') {
    if (!hasMark(language, '/')) return null
    const [over, under] = [Number(found[1]), Number(found[3])]
    const isPart = over < under && COMMON_PARTS.has(under)
    const isFraction = isPart && (matchAt(OF_SOMETHING, text, end) !== null || language.dateOrder === 'mdy')
    return isAnnounced && !isFraction ? dateOf(text, at, found, null, language) : null
  }
  // Only German writes the day and the month with full stops, and a second one; others write decimals or times so.
  if (language.stopOrdinal === null) return null
  const isWhole = at === 0 && end === text.length && PADDED.test(found[0])
  const hasStop = text[end] === '.' && !isDigit(text[end + 1])
  if (!isWhole && !(hasStop && isAnnounced)) return null
  const date = dateOf(text, at, found, null, language)
  if (!date || !hasStop) return date
  // The same full stop may end the sentence.
  return { words: endsSentence(text, end, language.sentences) ? `${date.words}.` : date.words, end: end + 1 }
}

/**
 * True if three groups with full stops are more likely a version: always in English, and behind a letter or a word that does not announce a date,
 * as in "Version 3.1.10".
 */
function isVersion(text: string, at: number, [, , mark]: RegExpExecArray, { decimalMark, dateWords }: Language): boolean {
  if (mark !== '.') return false
  const word = wordBefore(text, at).toLowerCase()
  return decimalMark === '.' || /[\p{L}\p{M}_]$/u.test(text.slice(Math.max(0, at - 2), at)) || (word !== '' && !dateWords.has(word))
}

const yearOf = (digits: string): number => (digits.length > 2 ? Number(digits) : Number(digits) + (Number(digits) < CENTURY ? 2000 : 1900))

function dateOf(text: string, at: number, figures: RegExpExecArray, year: number | null, language: Language): Replacement | null {
  const [first, second] = [Number(figures[1]), Number(figures[3])]
  const isMonthFirst = language.dateOrder === 'mdy' && figures[2] !== '.'
  const orders = [
    { day: first, month: second, year, isDayFirst: true },
    { day: second, month: first, year, isDayFirst: false },
  ]
  const date = (isMonthFirst ? orders.reverse() : orders).find(({ day, month }) => isDayOfYear(day, month))
  return date ? sayDayDate(text, at, at + figures[0].length, date, language) : null
}

/** A date from `at` to `end`, with the word for the year behind it. */
function sayDayDate(text: string, at: number, end: number, date: DayDate, language: Language): Replacement {
  const words = language.date(date, wordBefore(text, at))
  const mark = date.year !== null && language.yearMark ? matchAt(language.yearMark, text, end) : null
  return mark ? { words: words + stopAfter(mark[0], text, end, language), end: end + mark[0].length } : { words, end }
}

/** The full stop of an abbreviation from `at` that also ends its sentence, or ''. */
const stopAfter = (abbreviation: string, text: string, at: number, { sentences }: Language): string =>
  abbreviation.endsWith('.') && endsSentence(text, at + abbreviation.length - 1, sentences) ? '.' : ''

/** Numbers before a noun that makes ordinals of them: "в 2024 году", "XVIII–XIX вв.". `at`: where they start; `end`: where they end. */
export function sayOrdinalNoun(text: string, at: number, end: number, values: readonly number[], language: Language): Replacement | null {
  const { ordinalNoun } = language
  const found = ordinalNoun && matchAt(ordinalNoun.form, text, end)
  if (!found) return null
  const before = wordBefore(text, at).toLowerCase()
  const said = values.flatMap((value) => {
    const each = ordinalNoun.say(value, found[1]!, before)
    return each ? [each] : []
  })
  if (said.length < values.length) return null
  const ordinals = said.map(([ordinal]) => ordinal).join(` ${language.say.to} `)
  return { words: `${ordinals} ${said.at(-1)![1]}${stopAfter(found[0], text, end, language)}`, end: end + found[0].length }
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
  if (!found || !month || !isDayOfYear(day, month) || / of /.test(found[0])) return null
  const { year, end: after } = yearAfter(text, from + found[0].length)
  if (isOtherWord(found[1]!, year, language)) return null
  return sayDayDate(text, at, after, { day, month, year, isDayFirst: true }, language)
}

/** A date that starts with its month, such as "January 5, 2024". `at` is after the name and its full stop. */
export function sayMonthAndDay(text: string, name: string, at: number, language: Language): Replacement | null {
  const month = language.months.get(name.toLowerCase())
  if (!month) return null
  const found = matchAt(DAY, text, at)
  if (!found || !isDayOfYear(Number(found[1]), month)) return null
  const { year, end } = yearAfter(text, at + found[0].length)
  // Other languages put the day before the month; "en mayo 30 personas" has no date.
  if (language.dateOrder === 'mdy' || language.groupMarks === ',' ? isOtherWord(name, year, language) : year === null) return null
  return { words: language.date({ day: Number(found[1]), month, year, isDayFirst: false }, ''), end }
}

/** A time, or two with a hyphen between them; null if there is none at `at`. */
export function sayTime(text: string, at: number, language: Language): Replacement | null {
  const first = oneTime(text, at, language)
  const joint = first && matchAt(TO_TIME, text, first.end)
  const second = joint && oneTime(text, first.end + joint[0].length, language)
  if (!first) {
    // "5-7pm": the first hour has no half of its own.
    const hour = /(\d{1,2})[-–](?=\d)/y
    const range = matchAt(hour, text, at)
    const to = range && Number(range[1]) <= 12 ? oneTime(text, at + range[0].length, language) : null
    return to?.isHalf ? { words: `${language.cardinal(Number(range![1]))} ${language.say.to} ${to.words}`, end: to.end } : null
  }
  return second ? { words: `${first.words} ${language.say.to} ${second.words}`, end: second.end } : first
}

function oneTime(text: string, at: number, language: Language): (Replacement & { readonly isHalf: boolean }) | null {
  const found =
    (language.timeForm && matchAt(language.timeForm, text, at)) ??
    matchAt(TIME, text, at) ??
    (language.timeWords?.has(wordBefore(text, at).toLowerCase()) ? matchAt(STOP_TIME, text, at) : null) ??
    (language.halfDay && (matchAt(DOTTED_TIME, text, at) ?? matchAt(WHOLE_HOUR, text, at)))
  if (!found) return null
  const [hours, minutes, seconds] = [Number(found[1]), Number(found[2] ?? 0), found[3] === undefined ? null : Number(found[3])]
  if (hours > 24 || minutes > 59 || (seconds ?? 0) > 59) return null
  const end = at + found[0].length
  const before = text.slice(Math.max(0, at - BEFORE_TIME), at).toLowerCase()
  const half = language.halfDay && matchAt(HALF_DAY, text, end)
  if (half && hours <= 12) {
    const clock = minutes === 0 && !seconds ? language.hourOnly(hours) : language.time({ hours, minutes, seconds }, before)
    return { words: `${clock} ${language.halfDay![half[1]!.toLowerCase() as 'a' | 'p']}`, end: end + half[0].length, isHalf: true }
  }
  if (found[2] === undefined) return null
  const words = language.time({ hours, minutes, seconds }, before)
  const hourMark = language.hourMark && matchAt(language.hourMark, text, end)
  return { words, end: end + (hourMark?.[0].length ?? 0), isHalf: false }
}
