// Cardinals of languages without tables of their own. A text is never made worse: what may be an ordinal, a year or an inflected form stays as it
// is, for the engine. A file of the package is missing here if its words are wrong or meant for cheques (Chinese, Danish, Serbian, Swedish, Ukrainian),
// or if its language writes no blanks, so that no number stands alone (Japanese, Korean).
import { LATIN_CARDINALS } from './cardinals/packaged-latin.ts'
import { NON_LATIN_CARDINALS } from './cardinals/packaged-others.ts'

/** By ISO 639-1 code. Takes the digits of an integer below 10^15. */
export const OTHER_CARDINALS: Readonly<Record<string, (digits: string) => string>> = { ...LATIN_CARDINALS, ...NON_LATIN_CARDINALS }

const MAX_DIGITS = 15
/** Characters that make a number part of something else: a decimal, a date, a sum, a code. */
const TIES_BEFORE = /[\p{L}\p{M}\p{N}.,:/\-–−+%$€£¥₹₽₴₺#№§]/u
const TIES_AFTER = /[\p{L}\p{M}\p{N}%‰°$€£¥₹₽₴₺º]/u
/** Currencies and marks with a blank between them and the number. */
const SIGNS = /[\p{Sc}%‰№§#+±]/u
const MARKS = /[.,:/\-–−'’]/
const BLANK = /\s/
/** Languages whose numbers agree with their nouns and change after prepositions. */
const INFLECTED = new Set(['ar', 'cs', 'el', 'hr', 'ro'])
const PREPOSITIONS = new Set('v ve s k ke od do o u po na z ze za při před kod iz bez oko preko'.split(' '))
const WORD_BEFORE = /(\p{L}{1,12})\s$/u
const WORD_AFTER = /^\s\p{L}/u

/** Replaces integers that stand alone and can only be cardinals. Everything else, such as "3.5", "10 000" or "3. května", is left as it is. */
export function spellIntegers(text: string, cardinal: (digits: string) => string, language = ''): string {
  return text.replace(/\d+/g, (digits, from: number) => {
    const to = from + digits.length
    const [before, after, next] = [text.charAt(from - 1), text.charAt(to), text.charAt(to + 1)]
    if (TIES_BEFORE.test(before) || TIES_AFTER.test(after)) return digits
    if (BLANK.test(before) && (/\p{N}/u.test(text.charAt(from - 2)) || SIGNS.test(text.charAt(from - 2)))) return digits
    if ((MARKS.test(after) || BLANK.test(after)) && (/\p{N}/u.test(next) || SIGNS.test(next))) return digits
    // "3. května", "5'te": an ordinal or an ending. A full stop at the end of the text ends the sentence.
    if (MARKS.test(after) && /\p{L}/u.test(next)) return digits
    if (after === '.' && text.slice(to + 1, to + 20).trim() !== '') return digits
    if (INFLECTED.has(language) && isInflected(text, from, to, digits)) return digits
    if (digits.length > MAX_DIGITS || (digits.length > 1 && digits.startsWith('0')))
      return Array.from(digits, (digit) => cardinal(digit)).join(' ')
    return cardinal(digits)
  })
}

/** True for what may be a year, follows a preposition, or has a gender: "v roce 2024", "do 5", "21 kniha". */
function isInflected(text: string, from: number, to: number, digits: string): boolean {
  const isYear = digits.length === 4 && /^[12]/.test(digits)
  const word = WORD_BEFORE.exec(text.slice(Math.max(0, from - 14), from))?.[1] ?? ''
  const isCounted = WORD_AFTER.test(text.slice(to, to + 2)) && /(?:^|[^1])[12]$/.test(digits)
  return isYear || isCounted || PREPOSITIONS.has(word.toLowerCase())
}
