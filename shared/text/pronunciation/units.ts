// A text as the units in which terms are compared: letters without their case, signs without their forms, and blanks without their number. Pure.
import { withPlainSigns } from '../unicode/plain-signs.ts'

export type Units = {
  /** Code points. */
  readonly keys: readonly number[]
  /** The place of each unit in UTF-16 units, and the end of the last one. Characters that are not shown belong to the unit before them. */
  readonly starts: readonly number[]
}

const [BLANK, BREAK] = [0x20, 0x0a]
/** Such as hyphens that are shown at the end of a line only. */
const IGNORED = /^\p{Default_Ignorable_Code_Point}$/u
// Tested for each character of a book, so the characters of ASCII come first.
const isIgnored = (character: string): boolean => character > '\x7f' && IGNORED.test(character)
const isBlank = (character: string): boolean => (character <= ' ' || character > '\x7f') && /^\s$/.test(character)

/** `text`: in NFC. An empty line is another unit than a blank, because a term does not continue in the next paragraph. */
export function unitsOf(text: string): Units {
  const plain = withPlainSigns(text)
  const keys: number[] = []
  const starts: number[] = []
  let breaks = 0
  let wasBlank = false
  let at = 0
  for (const character of plain) {
    const start = at
    at += character.length
    if (isIgnored(character)) continue
    const blank = isBlank(character)
    if (blank) {
      breaks = (wasBlank ? breaks : 0) + (character === '\n' ? 1 : 0)
      if (wasBlank && breaks > 1) keys[keys.length - 1] = BREAK
    }
    if (!(blank && wasBlank)) {
      keys.push(blank ? BLANK : folded(character))
      starts.push(start)
    }
    wasBlank = blank
  }
  starts.push(at)
  return { keys, starts }
}

/** The lower case of a character where that is one character, too. */
function folded(character: string): number {
  const lower = character.toLowerCase()
  const codePoint = lower.codePointAt(0)!
  return lower.length === (codePoint > 0xffff ? 2 : 1) ? codePoint : character.codePointAt(0)!
}
