// Cardinals of languages without tables of their own. A file of the package is missing here if its words are wrong or meant for cheques,
// as those of Chinese, Danish and Serbian are.
import { toCardinal as ar } from 'n2words/ar-SA'
import { toCardinal as cs } from 'n2words/cs-CZ'
import { toCardinal as el } from 'n2words/el-GR'
import { toCardinal as fi } from 'n2words/fi-FI'
import { toCardinal as hi } from 'n2words/hi-IN'
import { toCardinal as hr } from 'n2words/hr-HR'
import { toCardinal as hu } from 'n2words/hu-HU'
import { toCardinal as id } from 'n2words/id-ID'
import { toCardinal as ja } from 'n2words/ja-JP'
import { toCardinal as ko } from 'n2words/ko-KR'
import { toCardinal as nl } from 'n2words/nl-NL'
import { toCardinal as pl } from 'n2words/pl-PL'
import { toCardinal as ro } from 'n2words/ro-RO'
import { toCardinal as ru } from 'n2words/ru-RU'
import { toCardinal as sv } from 'n2words/sv-SE'
import { toCardinal as tr } from 'n2words/tr-TR'
import { toCardinal as uk } from 'n2words/uk-UA'
import { toCardinal as vi } from 'n2words/vi-VN'

/** By ISO 639-1 code. Takes the digits of an integer below 10^15. */
export const OTHER_CARDINALS: Readonly<Record<string, (digits: string) => string>> = {
  ar,
  cs,
  el,
  fi,
  hi,
  hr,
  hu,
  id,
  ja,
  ko,
  nl,
  pl,
  ro,
  ru,
  sv,
  tr,
  uk,
  vi,
}

const MOST_DIGITS = 15
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
    if (digits.length > MOST_DIGITS || (digits.length > 1 && digits.startsWith('0')))
      return Array.from(digits, (digit) => cardinal(digit)).join(' ')
    return cardinal(digits)
  })
}
