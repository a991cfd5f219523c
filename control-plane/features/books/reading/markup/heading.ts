// Headings whose words are elements of their own: `<span>Chapter 2</span><span>The Calm</span>`. Pure.
import { isLabel } from '../chapters/titles.ts'

/** Between two elements of a heading that touch. */
export const HEADING_SEAM = '\u0003'
const SEAMS = /([^\s\u0003]{0,40})\u0003{1,20}(?=([^\s\u0003]{0,3}))/gu
const LONG_WORD = 4
const CHARS_BEFORE = 40

/** The text with a blank at each seam between two words, a line break at one behind the number of a chapter, and without one inside of a word, such as after a large first letter. */
export function joinSeams(text: string): string {
  if (!text.includes(HEADING_SEAM)) return text
  return text
    .replaceAll(SEAMS, (_, before: string, after: string, at: number) => {
      const phrase = text.slice(Math.max(0, at - CHARS_BEFORE), at + before.length).replaceAll(HEADING_SEAM, '')
      return before !== '' && after !== '' && isBorder(before, after, phrase.trim())
        ? `${before}${isLabel(phrase.trim()) ? '\n' : ' '}`
        : before
    })
    .replaceAll(HEADING_SEAM, '')
}

/** `phrase`: the words before, with `before` as the last one. */
function isBorder(before: string, after: string, phrase: string): boolean {
  const last = before.at(-1)!
  const isCapital = /^\p{Lu}/u.test(after)
  if (/[.:;!?—–]/.test(last)) return /^[\p{L}\p{N}]/u.test(after)
  if (!isCapital) return false
  if (/\p{N}|\p{Ll}/u.test(last)) return true
  // A capital before: a word in capitals or a numeral, if a new word begins.
  return /^\p{Lu}\p{Ll}/u.test(after) || before.length >= LONG_WORD || (phrase.includes(' ') && (before.length > 1 || isLabel(phrase)))
}
