// Joins the lines of wrapped prose, and keeps those of lists, verse and addresses apart. Pure and linear.
import type { SentenceRules } from './language.ts'

/** Lines of prose are rarely wrapped at less, in columns; a character of Chinese or Japanese writing takes two. */
const LEAST_WIDTH = 44
/** A bullet or a number in front of an item. */
const BULLET = /^(?:[•◦▪‣●○■□·∙*+–—-]|\(?(?:\d{1,3}|[a-zA-Z]|[ivx]{1,4})[.)]|\(\d{1,3}\)) /u
/** The start of a list in one line: a bullet, a number or letter, and the marks after it. */
const ITEM = /^([•◦▪‣●⁃] ?\(?|\(|)(\d{1,3}|[ivx]{1,4}|[a-zA-Z]|)([.)]{1,2}|) /u
const ROMAN = 'i ii iii iv v vi vii viii ix x xi xii'.split(' ')
const CONTINUES = /^["'“„«(]{0,2}(?:\p{Ll}|[,;:.!?…)\]»])/u
const WIDE = /[\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}\p{Script=Hangul}\u3000-\u303f\uff00-\uffef]/u
const UNSPACED = /^[\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}]/u
const ENDS = /[.!?…。！？:;：；।॥۔؟]["'”’»)\]」』]{0,3}$/u
/** A mark at the end of a line. */
const MARKED = /[\p{P}]$/u
const LAST_WORD = /\p{L}{1,20}$/u
/** Short lines, none of which ends with a mark, are a list also where they begin with small letters. */
const LEAST_ITEMS = 3
const MAX_ITEM_WIDTH = 30
/** Columns that are counted of a line; beyond them a line is long. */
const MOST_COLUMNS = 400

function columnsOf(line: string): number {
  let columns = 0
  for (const character of line.slice(0, MOST_COLUMNS)) columns += WIDE.test(character) ? 2 : 1
  return columns
}

const firstWordOf = (line: string): string => (UNSPACED.test(line) ? line.slice(0, 1) : /^\S{1,40}/.exec(line)![0])

/**
 * The paragraphs of a text with single blanks, or the lines of one where they stand for themselves.
 */
export function toUnits(text: string, { ordinals, starters }: SentenceRules): string[] {
  return text.split(/\n[^\S\n]*\n\s*/).flatMap((paragraph) => {
    const lines = paragraph.split('\n').flatMap(single)
    return (lines.length < 2 ? lines : joinWrapped(lines, starters)).flatMap((line) => toItems(line, ordinals !== null))
  })
}

/** The items of a list in one line, such as "1. Wash it. 2. Boil it." and "a) yes b) no"; any other line as it is. `hasOrdinals`: "2." is also an ordinal. */
function toItems(line: string, hasOrdinals: boolean): string[] {
  const marker = ITEM.exec(line)
  if (!marker || (marker[1]!.trim() === '' && (marker[2] === '' || marker[3] === ''))) return [line]
  const [first, bullet, value, suffix] = marker as unknown as [string, string, string, string]
  const items: string[] = []
  let from = 0
  for (let next = nextValue(value); next !== null; next = nextValue(next)) {
    const at = line.indexOf(` ${bullet}${next}${suffix} `, from === 0 ? first.length - 1 : from + 1)
    if (at < 0 || (hasOrdinals && suffix === '.' && !ENDS.test(line.slice(Math.max(0, at - 4), at)))) break
    items.push(line.slice(from, at).trim())
    from = at
  }
  return [...items, line.slice(from).trim()]
}

const MAX_ITEM = 500

/** The number or letter after `value`, '' for a bullet alone; null after the last. */
function nextValue(value: string): string | null {
  if (value === '') return value
  if (/^\d/.test(value)) return Number(value) < MAX_ITEM ? String(Number(value) + 1) : null
  const roman = ROMAN.indexOf(value)
  if (roman >= 0 && roman + 1 < ROMAN.length) return ROMAN[roman + 1]!
  return /^[a-y]$/.test(value) ? String.fromCharCode(value.charCodeAt(0) + 1) : null
}

function single(line: string): string[] {
  const plain = line.replace(/\s+/g, ' ').trim()
  return plain === '' ? [] : [plain]
}

function joinWrapped(lines: readonly string[], starters: ReadonlySet<string>): string[] {
  const width = lines.reduce((most, line) => Math.max(most, columnsOf(line)), 0)
  if (lines.length >= LEAST_ITEMS && width <= MAX_ITEM_WIDTH && !lines.some((line) => ENDS.test(line))) return [...lines]
  const isNarrow = width < LEAST_WIDTH && !isNarrowProse(lines, starters)
  const units: string[][] = []
  for (const [at, line] of lines.entries()) {
    const before = lines[at - 1]
    const unit = units.at(-1)
    if (before === undefined || !unit || endsUnit(before, line, width, isNarrow)) units.push([line])
    else unit.push(line)
  }
  return units.map((unit) => unit.join(' '))
}

/**
 * True for prose in narrow lines, as in mail and columns: only its last line ends with a mark, and another one stops in the middle of a phrase, such
 * as behind an article. Other narrow lines are verse, lists and addresses.
 */
function isNarrowProse(lines: readonly string[], starters: ReadonlySet<string>): boolean {
  const before = lines.slice(0, -1)
  return (
    ENDS.test(lines.at(-1)!) &&
    !before.some((line) => MARKED.test(line)) &&
    before.some((line) => starters.has(LAST_WORD.exec(line)?.[0].toLowerCase() ?? ''))
  )
}

/** True if the break between two lines of a paragraph of this width is not one of wrapped prose. */
function endsUnit(before: string, line: string, width: number, isNarrow: boolean): boolean {
  if (BULLET.test(line) && (BULLET.test(before) || ENDS.test(before) || columnsOf(before) < LEAST_WIDTH)) return true
  if (CONTINUES.test(line)) return false
  if (isNarrow) return true
  return columnsOf(before) + 1 + columnsOf(firstWordOf(line)) <= width
}
