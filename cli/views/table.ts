// Columns for people: as wide as they need to be, and 80 characters at most. What other machines said is made harmless first: a terminal
// obeys control characters, whoever sent them.

export const WIDTH = 80
const GAP = 2

/** One line of text without anything a terminal would act upon. */
// biome-ignore lint/suspicious/noControlCharactersInRegex: they are what must go
export const harmless = (text: string): string => text.replace(/[\u0000-\u001f\u007f-\u009f\u200e\u200f\u202a-\u202e\u2066-\u2069]+/g, ' ')

export const cut = (text: string, width: number): string => (text.length <= width ? text : `${text.slice(0, Math.max(0, width - 1))}…`)

/** A row of cells, then notes that belong to it, each on a line of its own and wrapped. */
export type Row = { readonly cells: readonly string[]; readonly notes?: readonly string[] }

/** `most`: the widest each column may be; the last takes what is left. */
export function tableLines(head: readonly string[], rows: readonly Row[], most: readonly number[]): string[] {
  const all = [head, ...rows.map(({ cells }) => cells.map(harmless))]
  const widths = head.map((_title, column) => Math.min(most[column] ?? WIDTH, Math.max(...all.map((cells) => cells[column]!.length))))
  const line = (cells: readonly string[]): string => {
    const text = cells.map((cell, column) => {
      if (column === cells.length - 1) return cell
      return cut(cell, widths[column]!).padEnd(widths[column]! + GAP)
    })
    return cut(text.join(''), WIDTH).trimEnd()
  }
  return [line(head), ...rows.flatMap(({ cells, notes = [] }) => [line(cells.map(harmless)), ...notes.flatMap(noteLines)])]
}

const INDENT = '    '
function noteLines(note: string): string[] {
  const lines: string[] = []
  let current = ''
  for (const word of harmless(note).split(' ').filter(Boolean)) {
    if (current && INDENT.length + current.length + 1 + word.length > WIDTH) {
      lines.push(INDENT + current)
      current = word
    } else current = current ? `${current} ${word}` : word
  }
  return current ? [...lines, INDENT + current] : lines
}

/** How long ago, in the largest unit that says enough. */
export function ago(seconds: number): string {
  const units: [number, string][] = [
    [86_400, 'd'],
    [3_600, 'h'],
    [60, 'min'],
  ]
  for (const [length, name] of units) if (seconds >= length) return `${Math.floor(seconds / length)} ${name}`
  return `${Math.max(0, Math.floor(seconds))} s`
}
