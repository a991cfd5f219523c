// Cardinals of languages without tables of their own. A file of the package is missing here if its words are wrong or meant for cheques,
// as those of Chinese, Danish and Serbian are.
import { LATIN_CARDINALS } from './cardinals/packaged-latin.ts'
import { NON_LATIN_CARDINALS } from './cardinals/packaged-others.ts'

/** By ISO 639-1 code. Takes the digits of an integer below 10^15. */
export const OTHER_CARDINALS: Readonly<Record<string, (digits: string) => string>> = { ...LATIN_CARDINALS, ...NON_LATIN_CARDINALS }

const MAX_DIGITS = 15
/** Characters that make a number part of something else: a decimal, a date, a sum, a code. */
const TIES_BEFORE = /[\p{L}\p{M}\p{N}.,:/\-–−+%$€£¥₹#]/u
const TIES_AFTER = /[\p{L}\p{M}\p{N}%‰°$€£¥₹º]/u
const MARKS = /[.,:/\-–−]/
const BLANK = /\s/

/** Replaces integers that stand alone. Everything else, such as "3.5" or "10 000", is left as it is. */
export function spellIntegers(text: string, cardinal: (digits: string) => string): string {
  return text.replace(/\d+/g, (digits, from: number) => {
    const to = from + digits.length
    const [before, after] = [text.charAt(from - 1), text.charAt(to)]
    if (TIES_BEFORE.test(before) || TIES_AFTER.test(after)) return digits
    if (BLANK.test(before) && /\p{N}/u.test(text.charAt(from - 2))) return digits
    if ((MARKS.test(after) || BLANK.test(after)) && /[\p{N}%‰°$€£¥₹]/u.test(text.charAt(to + 1))) return digits
    if (digits.length > MAX_DIGITS || (digits.length > 1 && digits.startsWith('0')))
      return Array.from(digits, (digit) => cardinal(digit)).join(' ')
    return cardinal(digits)
  })
}
