// Lines of a plain text as blocks: paragraphs, verse, lists, scene breaks, notes. Pure.
import { type Block, blockOf, blockOfText, isSceneBreak, type MarkCounts, type UnreadPart, withoutWrittenMarks } from '../chapters/block.ts'
import { WHY } from '../chapters/why.ts'

/** UTF-16 units. The width of the lines of a text whose lines are all shorter. */
const NARROWEST = 40
const BULLET = /^\s*[-*•–] +(?=\S)/
const STAR = /^\s*[*•] +(?=\S)/
const NUMBER = /^\s*(\d{1,3})[.)] +(?=\S)/
const NOTE = /^\[(?:footnote|note|fn) ?[\w*†]{0,4}[:.] ?/i
const UNDERLINE = /^(?:[-=~_—]{3,60})$/
const PART: UnreadPart = { why: WHY.footnotes, title: '', isNote: true }

/** The length that lines of prose have: nine of ten lines in front of another one are shorter. */
export function proseWidthOf(lines: readonly string[]): number {
  const lengths: number[] = []
  for (const [at, line] of lines.entries()) if (line.trim() !== '' && lines[at + 1]?.trim()) lengths.push(line.trimEnd().length)
  lengths.sort((a, b) => a - b)
  return Math.max(NARROWEST, lengths[Math.floor(lengths.length * 0.9)] ?? 0)
}

/** `width`: of the lines of the whole text. `marks` grows by the marks that are left out. */
export function blocksOfLines(lines: readonly string[], width: number, marks: MarkCounts): Block[] {
  const blocks: Block[] = []
  let paragraph: string[] = []
  /** A note in brackets that is still open. */
  let isInNote = false
  const end = () => {
    if (paragraph.length === 0) return
    const note = NOTE.exec(paragraph[0]!.trim())
    isInNote ||= note !== null
    if (!isInNote) blocks.push(...blocksOf(paragraph, width, marks))
    else {
      const text = paragraph.map((line) => line.trim()).join(' ')
      const isClosed = /\]\s*$/.test(text)
      const said = text.slice(note?.[0].length ?? 0).replace(/\]\s*$/, '')
      if (said !== '') blocks.push({ ...blockOfText(withoutWrittenMarks(said, marks)), part: PART })
      isInNote = !isClosed
    }
    paragraph = []
  }
  for (const line of lines) {
    if (line.trim() === '') end()
    else if (line.trim().length > 1 && isSceneBreak(line)) {
      // A rule directly below a line is its underline.
      const isUnderline = paragraph.length > 0 && UNDERLINE.test(line.trim())
      end()
      if (!isUnderline) blocks.push(blockOf('break', ''))
    } else paragraph.push(line)
  }
  end()
  return blocks
}

function blocksOf(lines: readonly string[], width: number, marks: MarkCounts): Block[] {
  const clean = (line: string) => withoutWrittenMarks(line, marks).replaceAll(/\s+/g, ' ').trim()
  // A dash may begin speech; two of them, one below the other, are a list.
  const isList = lines.filter((line) => BULLET.test(line)).length > 1 || STAR.test(lines[0]!)
  const isNumbered = lines.filter((line) => NUMBER.test(line)).length > 1
  if ((isList && BULLET.test(lines[0]!)) || (isNumbered && NUMBER.test(lines[0]!))) {
    const items: { marker: string; lines: string[] }[] = []
    for (const line of lines) {
      const number = isNumbered ? NUMBER.exec(line) : null
      const bullet = isNumbered ? null : BULLET.exec(line)
      const mark = number ?? bullet
      if (mark === null) items.at(-1)!.lines.push(line)
      else items.push({ marker: number === null ? '- ' : `${number[1]}. `, lines: [line.slice(mark[0].length)] })
    }
    return items.map(({ marker, lines: own }) => blockOf('item', clean(own.join(' ')), { marker }))
  }
  const said = lines.map(clean).filter(Boolean)
  if (said.length === 0) return []
  return [blockOfText(said.join(isProse(lines, width) ? ' ' : '\n'))]
}

/** True if the lines end where the next word would not fit. */
function isProse(lines: readonly string[], width: number): boolean {
  let [full, short] = [0, 0]
  for (const [at, line] of lines.entries()) {
    const next = lines[at + 1]?.trim().split(/\s/, 1)[0]
    if (next === undefined) break
    if (line.trimEnd().length + 1 + next.length > width * 0.92) full++
    else short++
  }
  return full > short
}
