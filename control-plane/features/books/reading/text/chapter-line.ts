// Finds the lines of a plain text that are headings of chapters. Pure.

/** UTF-16 units. */
const LONGEST_LINE = 60
const WORD =
  /^(chapter|part|book|prologue|epilogue|section|kapitel|teil|buch|prolog|epilog|chapitre|partie|livre|épilogue|capítulo|parte|libro|prólogo|epílogo|capitolo|глава|часть|книга|пролог|эпилог)(?![\p{L}\p{M}\p{N}])/iu
const NUMERAL =
  /^(?:\d{1,4}|[ivxlcdm]{1,10}|one|two|three|four|five|six|seven|eight|nine|ten|eleven|twelve|thirteen|fourteen|fifteen|sixteen|seventeen|eighteen|nineteen|twenty|thirty|forty|fifty|sixty)(?![\p{L}\p{M}\p{N}])/iu
const EAST_ASIAN = /^第[\d０-９〇零一二三四五六七八九十百千两]{1,9}[章回节節部卷话話]/u
const SENTENCE_END = /[.!?,;]$/

/**
 * `key`: equal for two lines that name the same chapter. `isNumbered`: the line says chapter and a numeral, or is one without a number such
 * as a prologue; others only begin with such a word.
 */
export type ChapterLine = { readonly key: string; readonly isNumbered: boolean }

/** Null for a line that does not begin with a chapter word, or is too long. */
export function chapterLineOf(line: string): ChapterLine | null {
  const trimmed = line.trim()
  if (trimmed.length > LONGEST_LINE) return null
  const eastAsian = EAST_ASIAN.exec(trimmed)?.[0]
  if (eastAsian !== undefined) return { key: eastAsian, isNumbered: true }
  const word = WORD.exec(trimmed)?.[0]
  if (word === undefined) return null
  const rest = trimmed.slice(word.length).trimStart()
  const numeral = NUMERAL.exec(rest)?.[0]
  const isAlone = rest === '' || /^[.:—–-]/.test(rest)
  const key = [word, numeral ?? rest.replace(/[.\s]{0,60}\d{0,5}$/, '')].join(' ').toLowerCase()
  return { key, isNumbered: numeral !== undefined || isAlone }
}

/** True if the line is a heading, given whether there is text directly above and below it. */
export function isHeading(line: string, hasTextAbove: boolean, hasTextBelow: boolean): boolean {
  const found = chapterLineOf(line)
  if (found === null) return false
  if (found.isNumbered) return !hasTextAbove || !hasTextBelow
  return !hasTextAbove && !hasTextBelow && !SENTENCE_END.test(line.trim())
}
