// Finds telephone numbers, and reads their digits one by one, in the groups that they are written in. Pure.
import { sayDigits } from '../amounts.ts'
import type { Language } from '../language.ts'
import { matchAt, type Replacement } from '../match.ts'

/** "+44 20 7946 0958", "+1 (212) 555-0148". */
const INTERNATIONAL = /\+(\d{1,3}(?:[ \u00a0\u202f]?[-–./]?[ \u00a0\u202f]?\(\d{1,5}\))?(?:[ \u00a0\u202f-]?\d{2,8}){1,6})(?!\d)/y
/** "(212) 555-0148", "(11) 99999-8888". */
const WITH_AREA = /\((\d{2,5})\)[ \u00a0\u202f]?[-–./]?[ \u00a0\u202f]?\d{2,8}(?:[ \u00a0\u202f.-]\d{2,8}){0,3}(?!\d)/y
/** "030 1234567", "0171/2345678", "06 12 34 56 78". */
const WITH_ZERO = /0\d{1,5}(?:[ \u00a0\u202f]?[-/.]?[ \u00a0\u202f]?\d{2,8}){1,5}(?!\d)/y
/** Any digits in groups, after a word that announces a telephone number. */
const ANNOUNCED = /\d{2,8}(?:[ \u00a0\u202f./-]\d{2,8}){0,5}(?!\d)/y
const MIN_DIGITS = 7
const MAX_DIGITS = 16

/** Up to 24 characters before `at`, in lower case. */
const before = (text: string, at: number): string => text.slice(Math.max(0, at - 24), at).toLowerCase()

/** True for a year in brackets and, in English, for what has not the form "(212) 555-0148". */
function isOtherBracket(found: RegExpExecArray, text: string, at: number, { telephone, dateOrder }: Language): boolean {
  if (telephone.before.test(before(text, at)) || found[1]!.startsWith('0')) return false
  const isYear = found[1]!.length === 4 && /^(?:1|20|21)/.test(found[1]!)
  return isYear || (dateOrder === 'mdy' && !/^\(\d{3}\)\D{0,2}\d{3}\D\d{4}$/.test(found[0]))
}

/** A telephone number at `at`, which has a digit, a plus sign or an opening bracket; null if there is none. */
export function sayTelephone(text: string, at: number, language: Language): Replacement | null {
  const char = text[at]
  const found =
    char === '+'
      ? matchAt(INTERNATIONAL, text, at)
      : char === '('
        ? matchAt(WITH_AREA, text, at)
        : language.telephone.before.test(before(text, at))
          ? matchAt(ANNOUNCED, text, at)
          : char === '0'
            ? matchAt(WITH_ZERO, text, at)
            : language.telephone.local
              ? matchAt(language.telephone.local, text, at)
              : null
  if (!found || (char === '(' && isOtherBracket(found, text, at, language))) return null
  const groups = found[0].match(/\d+/g) ?? []
  const digits = groups.reduce((sum, group) => sum + group.length, 0)
  const isYears = groups.length === 2 && groups.every((group) => group.length === 4 && Number(group) >= 1000 && Number(group) < 2200)
  if (digits < MIN_DIGITS || digits > MAX_DIGITS || (isYears && char !== '+' && char !== '(')) return null
  const sayGroup = (group: string, index: number) =>
    char === '+' && index === 0 && group.length === 2 && language.telephone.readsCountryAsNumber
      ? language.cardinal(Number(group))
      : sayDigits(group, language)
  const words = groups.map(sayGroup).join(', ')
  return { words: char === '+' ? `${language.say.plus} ${words}` : words, end: at + found[0].length }
}
