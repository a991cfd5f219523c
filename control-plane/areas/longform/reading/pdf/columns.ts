// The order of reading of a page with two columns, and the notes at its foot. Pure. Lengths are points.

/** `y`: baseline above the lower edge of the page. */
export type TextRun = { readonly text: string; readonly x: number; readonly y: number; readonly width: number; readonly size: number }

/** Share of the text lines that the gap between the columns must divide. */
const LEAST_SHARE = 0.6
const LEAST_ROWS = 4
/** The gap is wider than this share of the size of the text, so that it is not a blank between words. */
const GAP = 0.8
const STEP = 2
/** Of the width of the text: the gap is near the middle. */
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
  if (rows.length < LEAST_ROWS) return null
  const left = runs.reduce((least, { x }) => Math.min(least, x), Number.POSITIVE_INFINITY)
  const right = runs.reduce((most, { x, width }) => Math.max(most, x + width), Number.NEGATIVE_INFINITY)
  const sizes = runs.map(({ size }) => size).toSorted((a, b) => a - b)
  const half = (sizes[sizes.length >> 1]! * GAP) / 2
  let [best, most] = [0, 0]
  for (let x = left + FROM * (right - left); x <= left + TO * (right - left); x += STEP) {
    const divided = rows.filter((row) => !isCrossed(row, x, half))
    const hasBoth = (side: (run: TextRun) => boolean) => divided.filter((row) => row.some(side)).length >= LEAST_ROWS
    if (divided.length > most && hasBoth((run) => run.x < x) && hasBoth((run) => run.x > x)) [best, most] = [x, divided.length]
  }
  return most >= LEAST_SHARE * rows.length ? best : null
}

/** The runs in the order of reading: between lines across the page, the left column before the right one. Pages of one column are as they were. */
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

type Placed = { readonly text: string; readonly y: number; readonly size: number }
const NOTE_MARK = /^(?:\d{1,3}[.)]?\s|[*†‡§])/

const ENDS = /[.!?…][”"’')\]]*$/

/**
 * The lines of a page without the notes at its foot: lines below all text of the usual size, set smaller, of which the first one begins with a
 * mark. `body`: the usual size. `isOpen`: the last note of the page before has no end, so that it goes on here without a mark.
 */
export function withoutNotes<L extends Placed>(
  lines: readonly L[],
  height: number,
  body: number,
  isOpen: boolean,
): { readonly text: readonly L[]; readonly isOpen: boolean } {
  const isSmall = ({ size }: Placed) => size <= body * NOTE_SIZE
  const lowest = lines.reduce((least, line) => (isSmall(line) ? least : Math.min(least, line.y)), Number.POSITIVE_INFINITY)
  const foot = lines.filter((line) => isSmall(line) && line.y < lowest && line.y < height * FOOT)
  const first = foot.reduce<L | null>((top, line) => (top === null || line.y > top.y ? line : top), null)
  if (first === null || !(isOpen || NOTE_MARK.test(first.text))) return { text: lines, isOpen: false }
  const notes = new Set(foot)
  return { text: lines.filter((line) => !notes.has(line)), isOpen: !ENDS.test(foot.at(-1)!.text.trim()) }
}
