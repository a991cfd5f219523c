// The order of reading of a page with two columns, and the notes at its foot. Pure. Lengths are points.

/** `y`: baseline above the lower edge of the page. */
export type TextRun = { readonly text: string; readonly x: number; readonly y: number; readonly width: number; readonly size: number }

/** Share of the text lines that the gap between the columns must divide. */
const MIN_SHARE = 0.6
const MIN_ROWS = 4
/** The gap is wider than this share of the size of the text, so that it is not a blank between words. */
const GAP = 0.8
const STEP = 2
/** Shares of the width of the text: the gap is near the middle. */
const [FROM, TO] = [0.3, 0.7]
/** A note is set smaller than the text. */
const NOTE_SIZE = 0.9
/** Share of the height of a page. */
const FOOT = 0.5

type Row = readonly TextRun[]

/** Runs of one baseline, from top to bottom. */
function rowsOf(runs: readonly TextRun[]): Row[] {
  const rows: TextRun[][] = []
  for (const run of runs.filter(({ text }) => text.trim() !== '').toSorted((a, b) => b.y - a.y)) {
    const row = rows.at(-1)
    if (row && Math.abs(row[0]!.y - run.y) < run.size * 0.4) row.push(run)
    else rows.push([run])
  }
  return rows
}

const isCrossed = (row: Row, x: number, half: number): boolean => row.some((run) => run.x < x + half && run.x + run.width > x - half)

/** The middle of the gap between two columns; null for a page with one. */
function gapOf(rows: readonly Row[]): number | null {
  const runs = rows.flat()
  if (rows.length < MIN_ROWS) return null
  const left = runs.reduce((least, { x }) => Math.min(least, x), Number.POSITIVE_INFINITY)
  const right = runs.reduce((most, { x, width }) => Math.max(most, x + width), Number.NEGATIVE_INFINITY)
  const sizes = runs.map(({ size }) => size).toSorted((a, b) => a - b)
  const half = (sizes[sizes.length >> 1]! * GAP) / 2
  let [best, most] = [0, 0]
  for (let x = left + FROM * (right - left); x <= left + TO * (right - left); x += STEP) {
    const divided = rows.filter((row) => !isCrossed(row, x, half))
    const hasBoth = (side: (run: TextRun) => boolean) => divided.filter((row) => row.some(side)).length >= MIN_ROWS
    if (divided.length > most && hasBoth((run) => run.x < x) && hasBoth((run) => run.x > x)) [best, most] = [x, divided.length]
  }
  return most >= MIN_SHARE * rows.length ? best : null
}

/** Sorts the runs in reading order: between lines across the page, the left column comes first. Pages of one column stay unchanged. */
export function inReadingOrder(runs: readonly TextRun[]): readonly TextRun[] {
  const rows = rowsOf(runs)
  const gap = gapOf(rows)
  if (gap === null) return runs
  const ordered: TextRun[] = []
  let [left, right]: [TextRun[], TextRun[]] = [[], []]
  const end = () => {
    ordered.push(...left, ...right)
    left = []
    right = []
  }
  for (const row of rows) {
    const sorted = row.toSorted((a, b) => a.x - b.x)
    if (isCrossed(row, gap, 0)) {
      end()
      ordered.push(...sorted)
      continue
    }
    left.push(...sorted.filter(({ x }) => x < gap))
    right.push(...sorted.filter(({ x }) => x >= gap))
  }
  end()
  return ordered
}

/** `x` and `end`: where the line begins and ends. */
type Placed = { readonly text: string; readonly x: number; readonly end: number; readonly y: number; readonly size: number }
const NOTE_MARK = /^(?:\d{1,3}[.)]?\s|[*†‡§])/
const ENDS = /[.!?…][”"’')\]]*$/
/** A line that goes on reaches this share of the width of its column. */
const FULL = 0.85
/** Lengths up to this share of a size are equal. */
const EQUAL = 0.1

/** The last line of a note that goes on at the foot of the next page. `indent`: from the left edge of the text. */
export type OpenNote = { readonly size: number; readonly indent: number }

/**
 * The lines of a page without the notes at its foot. Notes are lines below all text of the usual size, set smaller; the first one begins
 * with a mark, or continues the note `open` of the page before. `body`: the usual size.
 */
export function withoutNotes<L extends Placed>(
  lines: readonly L[],
  height: number,
  body: number,
  open: OpenNote | null,
): { readonly text: readonly L[]; readonly open: OpenNote | null } {
  const isSmall = ({ size }: Placed) => size <= body * NOTE_SIZE
  const lowest = lines.reduce((least, line) => (isSmall(line) ? least : Math.min(least, line.y)), Number.POSITIVE_INFINITY)
  const foot = lines.filter((line) => isSmall(line) && line.y < lowest && line.y < height * FOOT)
  const first = foot.reduce<L | null>((top, line) => (top === null || line.y > top.y ? line : top), null)
  // Of this page, because left and right pages of a book have different margins.
  const left = lines.reduce((least, line) => (isSmall(line) ? least : Math.min(least, line.x)), Number.POSITIVE_INFINITY)
  if (first === null || !(NOTE_MARK.test(first.text) || isNext(first, left, open))) return { text: lines, open: null }
  const notes = new Set(foot)
  return { text: lines.filter((line) => !notes.has(line)), open: openNote(foot.at(-1)!, lines, left) }
}

/** Anything else in small type, such as a caption, is text: it would be lost, while the rest of a note is only read where it does not belong. */
const isNext = ({ text, x, size }: Placed, left: number, open: OpenNote | null): boolean =>
  open !== null && /^\p{Ll}/u.test(text) && Math.abs(size - open.size) <= size * EQUAL && Math.abs(x - left - open.indent) <= size * EQUAL

/** Null for a note that ends: with a full stop, or before the end of its line, as after an address. */
function openNote({ text, x, end, size }: Placed, lines: readonly Placed[], left: number): OpenNote | null {
  const right = lines.reduce((most, line) => (Math.abs(line.x - x) <= size ? Math.max(most, line.end) : most), end)
  return ENDS.test(text) || end - x < FULL * (right - x) ? null : { size, indent: x - left }
}
