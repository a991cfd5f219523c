// The text of a book from the positions of its runs: lines, paragraphs, hyphens, running heads, chapters. Pure. Lengths are points.
import { type OmittedPart, type ReadChapter, toTitle } from '../book.ts'
import { blockOfText } from '../chapters/block.ts'
import { finishedBook } from '../chapters/finish.ts'
import { inReadingOrder, type OpenNote, type TextRun, withoutNotes } from './columns.ts'

export type Page = { readonly height: number; readonly runs: readonly TextRun[] }
/** `page`: from 0. */
export type OutlineEntry = { readonly title: string; readonly page: number }
type Line = { readonly text: string; readonly x: number; readonly end: number; readonly y: number; readonly size: number }

/** Share of the height at the top and at the bottom where running heads and page numbers stand. */
const BAND = 0.1
const REPEATS = 0.3
const MIN_REPEATS = 3
const HEADING = 1.25
const LONGEST_HEADING = 120
/** Digits of less than this share of the size of their line are the mark of a note, and raised ones of any smaller size. */
const SMALL = 0.75
/** Height above the baseline, as a share of the size of the line, from which a run is raised. */
const RAISED = 0.15
const LIGATURES: Readonly<Record<string, string>> = { ﬀ: 'ff', ﬁ: 'fi', ﬂ: 'fl', ﬃ: 'ffi', ﬄ: 'ffl', ﬅ: 'st', ﬆ: 'st' }
const PAGE_NUMBER = /^[-–—[(\s]{0,4}(?:\d{1,5}|[ivxlcdm]{1,8})[-–—\])\s.]{0,4}$/i

/** `outline`: empty without one; lines in large type are then the chapters. */
export function readPages(
  pages: readonly Page[],
  outline: readonly OutlineEntry[],
): { readonly chapters: ReadChapter[]; readonly skipped: OmittedPart[]; readonly notices: string[] } {
  const lines = pages.map(({ runs }) => linesOf(inReadingOrder(runs)))
  const body = bodySize(lines.flat())
  const { kept: inside, removed } = withoutMargins(pages, lines)
  let open: OpenNote | null = null
  const kept = inside.map((page, at) => {
    const found = withoutNotes(page, pages[at]!.height, body, open)
    open = found.open
    return found.text
  })
  const notes = inside.flat().length - kept.flat().length
  const words = new Set(kept.flat().flatMap(({ text }) => text.toLowerCase().match(/[\p{L}\p{M}-]+/gu) ?? []))
  const titles = Map.groupBy(outline, ({ page }) => page)
  const drafts: { title: string; lines: Line[] }[] = [{ title: '', lines: [] }]
  for (const [number, page] of kept.entries()) {
    for (const { title } of titles.get(number) ?? []) drafts.push({ title, lines: [] })
    for (const line of page) {
      const isHeading = line.size >= body * HEADING && line.text.length <= LONGEST_HEADING && /\p{L}|\p{N}/u.test(line.text)
      const last = drafts.at(-1)!
      if (isHeading && last.lines.length === 0 && last.title !== '') {
        // The heading of a chapter of the outline, or the second line of a heading.
        if (outline.length === 0) last.title = `${last.title} ${line.text}`
        else if (!letters(last.title).includes(letters(line.text))) last.lines.push(line)
      } else if (isHeading && outline.length === 0) drafts.push({ title: line.text, lines: [] })
      else last.lines.push(line)
    }
  }
  const texts = drafts.map((draft) => ({
    ...{ title: toTitle(draft.title), place: '', isListed: outline.length > 0, why: null },
    blocks: paragraphsOf(draft.lines, words).flatMap((paragraph) => (paragraph.trim() === '' ? [] : [blockOfText(paragraph)])),
  }))
  const { chapters, skipped } = finishedBook(texts, { notes: 'omit' })
  const privateUse = kept.flat().reduce((sum, { text }) => sum + (text.match(/[\ue000-\uf8ff]/g)?.length ?? 0), 0)
  return {
    chapters,
    skipped: [
      ...skipped,
      ...(removed === 0 ? [] : [{ title: '', why: `${removed} running heads and page numbers are not read.` }]),
      ...(notes === 0 ? [] : [{ title: '', why: `${notes} lines of notes at the foot of pages are not read.` }]),
    ],
    notices: privateUse === 0 ? [] : [`${privateUse} characters have no meaning outside of this PDF, because its fonts do not name them.`],
  }
}

const letters = (text: string): string => text.toLowerCase().replaceAll(/[^\p{L}\p{N}]+/gu, '')

/** Runs on one baseline, from left to right, in the order in which the file has the lines. */
function linesOf(runs: readonly TextRun[]): Line[] {
  const groups: TextRun[][] = []
  for (const run of runs) {
    const last = groups.at(-1)?.at(-1)
    const isSameLine = last !== undefined && Math.abs(last.y - run.y) < Math.max(last.size, run.size) * 0.4 && run.x >= last.x - 1
    if (isSameLine) groups.at(-1)!.push(run)
    else groups.push([run])
  }
  return groups.flatMap((group) => {
    let text = ''
    let end = group[0]!.x
    const size = group.reduce((most, run) => (run.text.trim() === '' ? most : Math.max(most, run.size)), 0)
    const baseline = group.reduce((least, run) => (run.size === size ? Math.min(least, run.y) : least), Number.POSITIVE_INFINITY)
    for (const run of group) {
      const isSmall = run.size < size * SMALL || (run.size < size && run.y - baseline > size * RAISED)
      const isNoteMark = isSmall && /^\s?\d{1,3}\s?$/.test(run.text)
      if (!isNoteMark) text += run.x - end > run.size * 0.15 && !/\s$/.test(text) && text !== '' ? ` ${run.text}` : run.text
      end = run.x + run.width
    }
    const said = text.replaceAll(/[ﬀ-ﬆ]/g, (ligature) => LIGATURES[ligature] ?? ligature).trim()
    return said === '' ? [] : [{ text: said, x: group[0]!.x, end, y: group[0]!.y, size }]
  })
}

/** The size that most characters have. */
function bodySize(lines: readonly Line[]): number {
  const sizes = new Map<number, number>()
  for (const { size, text } of lines) sizes.set(Math.round(size * 2) / 2, (sizes.get(Math.round(size * 2) / 2) ?? 0) + text.length)
  return [...sizes].sort(([, a], [, b]) => b - a)[0]?.[0] ?? 1
}

function withoutMargins(pages: readonly Page[], lines: readonly (readonly Line[])[]): { kept: Line[][]; removed: number } {
  const isInBand = (line: Line, page: number) => {
    const share = line.y / pages[page]!.height
    return share < BAND || share > 1 - BAND
  }
  const pattern = (line: Line) => line.text.toLowerCase().replaceAll(/\d+/g, '#')
  const repeats = new Map<string, number>()
  for (const [page, own] of lines.entries())
    for (const each of new Set(own.filter((line) => isInBand(line, page)).map(pattern))) repeats.set(each, (repeats.get(each) ?? 0) + 1)
  const least = Math.max(MIN_REPEATS, pages.length * REPEATS)
  let removed = 0
  const kept = lines.map((own, page) =>
    own.filter((line) => {
      const isMargin = isInBand(line, page) && (PAGE_NUMBER.test(line.text) || (repeats.get(pattern(line)) ?? 0) >= least)
      if (isMargin) removed++
      return !isMargin
    }),
  )
  return { kept, removed }
}

/** Lines joined to paragraphs. `words`: all words of the book in lower case. */
function paragraphsOf(lines: readonly Line[], words: ReadonlySet<string>): string[] {
  // Not Math.min with all lines as arguments: a chapter may have hundreds of thousands.
  const left = lines.reduce((least, { x }) => Math.min(least, x), Number.POSITIVE_INFINITY)
  const paragraphs: string[] = []
  // Pieces, because looking at the end of a growing string would copy all of it for every line.
  let pieces: string[] = []
  let previous: Line | null = null
  for (const line of lines) {
    if (previous === null) pieces.push(line.text)
    else if (endsParagraph(previous, line, left)) {
      paragraphs.push(pieces.join(''))
      pieces = [line.text]
    } else pieces.push(...joined(pieces.pop()!, line.text, words))
    previous = line
  }
  return [...paragraphs, pieces.join('')]
}

/** A larger distance, an indented line after a full stop, or a change of size. */
function endsParagraph(previous: Line, line: Line, left: number): boolean {
  const distance = previous.y - line.y
  if (distance > Math.max(previous.size, line.size) * 1.9) return true
  if (Math.abs(previous.size - line.size) > previous.size * 0.2) return true
  const isIndented = line.x - left > line.size * 0.8 && line.x - previous.x > line.size * 0.8
  return isIndented && /[.!?:…"”»’')\]]$/.test(previous.text)
}

/** A hyphen at the end of a line goes if the whole word occurs elsewhere, or the hyphenated one does not. */
function joined(text: string, next: string, words: ReadonlySet<string>): [string, string] {
  const tail = text.slice(-60)
  const before = /([\p{L}\p{M}]{1,50})[-\u2010\u00ad]$/u.exec(tail)?.[1]
  const after = /^[\p{L}\p{M}]{1,50}/u.exec(next)?.[0]
  if (before === undefined || after === undefined) return [text, ` ${next}`]
  const isOneWord = words.has(`${before}${after}`.toLowerCase()) || !words.has(`${before}-${after}`.toLowerCase())
  return isOneWord && /^\p{Ll}/u.test(after) ? [text.slice(0, -1), next] : [text, next]
}
