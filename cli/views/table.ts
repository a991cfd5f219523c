// Tables of at most 80 columns. Text from other machines may contain control characters that a terminal would execute; they are removed.

export const WIDTH = 80
const GAP = 2

/** Replaces control and bidirectional formatting characters with spaces. */
export const printable = (text: string): string => text.replace(/[\u0000-\u001f\u007f-\u009f\u200e\u200f\u202a-\u202e\u2066-\u2069]+/g, ' ')

export const cut = (text: string, width: number): string => (text.length <= width ? text : `${text.slice(0, Math.max(0, width - 1))}…`)

/** A row of cells, followed by notes, each wrapped and indented on lines of its own. */
export type Row = { readonly cells: readonly string[]; readonly notes?: readonly string[] }

/** `maxWidths`: the limit of each column; the last column takes the remaining width. */
export function tableLines(head: readonly string[], rows: readonly Row[], maxWidths: readonly number[]): string[] {
  const all = [head, ...rows.map(({ cells }) => cells.map(printable))]
  const widths = head.map((_title, column) => Math.min(maxWidths[column] ?? WIDTH, Math.max(...all.map((cells) => cells[column]!.length))))
  const line = (cells: readonly string[]): string => {
    const text = cells.map((cell, column) => {
      if (column === cells.length - 1) return cell
      return cut(cell, widths[column]!).padEnd(widths[column]! + GAP)
    })
    return cut(text.join(''), WIDTH).trimEnd()
  }
  return [line(head), ...rows.flatMap(({ cells, notes = [] }) => [line(cells.map(printable)), ...notes.flatMap(noteLines)])]
}

const INDENT = '    '
const noteLines = (note: string): string[] => wrapped(note, WIDTH - INDENT.length).map((line) => INDENT + line)

/** Two columns, the first `leftWidth` wide; the second is wrapped. */
export function pairLines(pairs: readonly (readonly [left: string, right: string])[], leftWidth: number): string[] {
  return pairs.flatMap(([left, right]) =>
    wrapped(right, WIDTH - leftWidth - GAP).map((line, at) => `${(at === 0 ? left : '').padEnd(leftWidth + GAP)}${line}`.trimEnd()),
  )
}

/** Lines of at most `width` characters; a longer word has a line of its own. */
function wrapped(text: string, width: number): string[] {
  const lines: string[] = []
  let current = ''
  for (const word of printable(text).split(' ').filter(Boolean)) {
    if (current && current.length + 1 + word.length > width) {
      lines.push(current)
      current = word
    } else current = current ? `${current} ${word}` : word
  }
  return current ? [...lines, current] : lines
}

/** A duration in its largest unit, such as "2 h". */
export function shortDuration(seconds: number): string {
  const units: [number, string][] = [
    [86_400, 'd'],
    [3_600, 'h'],
    [60, 'min'],
  ]
  for (const [length, name] of units) if (seconds >= length) return `${Math.floor(seconds / length)} ${name}`
  return `${Math.max(0, Math.floor(seconds))} s`
}
