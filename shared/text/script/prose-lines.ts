// Tells the lines of wrapped prose from verse, and both from paragraphs of one line each. Pure; needs no lines before the last one.

export type Lines = 'wrapped' | 'verse' | 'paragraphs'

/** Columns: prose is rarely wrapped at less, and a longer line is no verse. */
const [NARROWEST, WIDEST] = [44, 120]
/** Lines that are looked at: more say the same. */
const MOST_LINES = 200
/** Share of the lines after the first one that begin with a small letter in prose, of lines that begin with a letter of two cases. */
const SMALL_SHARE = 1 / 3
/** Columns that may be free at the end of a line of Chinese or Japanese, which is not broken before a mark. */
const UNSPACED_COLUMNS = 6
const TAGS = /\[[^[\]]{1,210}\]/g
const FIRST = /^["'“„«‘([]{0,3}(?:(\p{Ll})|(\p{Lu}))/u
const MIDDLE = /^[,;:.!?…)\]»]/
const WIDE = /[\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}\p{Script=Hangul}\u3000-\u303f\uff00-\uffef]/u
/** All characters before it take one column. */
const FIRST_WIDE = '\u1100'
const UNSPACED = /^[\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}]/u

function columnsOf(line: string): number {
  let columns = 0
  for (const character of line.slice(0, 2 * WIDEST)) columns += character >= FIRST_WIDE && WIDE.test(character) ? 2 : 1
  return columns
}

/** Takes the lines of a paragraph one by one. */
export function createLineCounter() {
  let [count, widest, least, small, large] = [0, 0, Number.POSITIVE_INFINITY, 0, 0]
  let before = 0
  return {
    add(written: string): void {
      if (count === MOST_LINES) return
      const line = written
        .slice(0, 16 * WIDEST)
        .replaceAll(TAGS, '')
        .trim()
      const columns = columnsOf(line)
      if (count++ > 0) {
        const first = FIRST.exec(line)
        if (first?.[1] !== undefined || MIDDLE.test(line)) small++
        else if (first?.[2] !== undefined) large++
        // The first word of a line of prose had no room in the line before.
        const word = UNSPACED.test(line) ? UNSPACED_COLUMNS : columnsOf(/^\S{0,60}/.exec(line)![0]) + 1
        least = Math.min(least, before + word)
      }
      before = columns
      widest = Math.max(widest, columns)
    },
    count: (): number => count,
    /** For two lines and more. */
    lines(): Lines {
      if (widest > WIDEST) return 'paragraphs'
      if (widest < NARROWEST) return 'verse'
      const isProse = small + large > 0 ? small >= SMALL_SHARE * (small + large) : least > widest
      return isProse ? 'wrapped' : 'verse'
    },
  }
}

export function linesOfParagraph(lines: Iterable<string>): Lines {
  const counter = createLineCounter()
  for (const line of lines) counter.add(line)
  return counter.lines()
}
