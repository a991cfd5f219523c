// The text of an RTF group: paragraphs, lists and tables of the document, of a note or of a text box.

import { element, type MarkupElement } from '../markup/markup.ts'
import { cellOf, createFlow, hasReadable, type ListPlace, type Node } from '../office/flow.ts'
import type { NamedStyle } from '../office/style-names.ts'

/** `isHanging`: the first line begins to the left of the others, as in lists. `depth`: of the list, from 0. */
export type ParagraphState = NamedStyle & { readonly isHanging: boolean; readonly isInTable: boolean; readonly depth: number }
export type RtfText = ReturnType<typeof createRtfText>

/** The mark and the tab before an item of a list. A label may be a sign of a font of ornaments, which is left out. */
const BULLET = /^\s{0,10}[•·‣▪●○■□–*o-]\t\s{0,10}/
const LABEL = /^\s{0,10}[•·‣▪●○■□–—*o-]?\t/
const NUMBER = /^\s{0,10}(\d{1,5})[.)]?\t\s{0,10}/

export function createRtfText() {
  const flow = createFlow()
  let nodes: Node[] = []
  /** Text that is not yet a node, and whether it is raised. */
  let [pieces, isRaised]: [string[], boolean] = [[], false]
  let label: string[] | null = null
  let after: MarkupElement[] = []
  let cell = createFlow()
  let cells: MarkupElement[] = []
  let rows: MarkupElement[] = []

  function endPieces(): void {
    const text = pieces.join('')
    pieces = []
    if (text === '') return
    nodes.push(isRaised && text.trim() !== '' ? element('sup', [text]) : text)
  }
  function endTable(): void {
    if (cells.length > 0) endRow()
    if (rows.length === 0) return
    const isLayout = rows.every(({ children }) => children.length <= 1)
    const content = isLayout ? rows.flatMap((row) => row.children.flatMap((each) => (typeof each === 'string' ? [] : each.children))) : rows
    flow.block(element(isLayout ? 'div' : 'table', content))
    rows = []
  }
  function endRow(): void {
    rows.push(element('tr', cells))
    cells = []
  }
  /** The place in a list, and the paragraph without its label. */
  function listOf(state: ParagraphState): { list: ListPlace; content: Node[] } | null {
    const [first = ''] = nodes
    const written =
      label === null ? (state.isHanging && typeof first === 'string' ? first : '') : `${label.join('').replaceAll('\t', '')}\t`
    const number = NUMBER.exec(written)
    const found = number?.[0] ?? (label === null ? BULLET : LABEL).exec(written)?.[0]
    if (found === undefined) return null
    const content = label === null ? [(first as string).slice(found.length), ...nodes.slice(1)] : nodes
    return { list: { depth: state.depth, value: number ? Number(number[1]) : null }, content }
  }
  function endParagraph(state: ParagraphState): void {
    endPieces()
    if (!state.isInTable && cells.length === 0) endTable()
    const into = state.isInTable ? cell : flow
    const item = hasReadable(nodes) && state.level === 0 ? listOf(state) : null
    // A number of a heading is text.
    const shown =
      item === null && label !== null && hasReadable(label) ? [`${label.join('').replaceAll('\t', ' ').trim()} `, ...nodes] : nodes
    into.paragraph({ role: state.role, level: state.level, list: item?.list ?? null, content: item?.content ?? shown })
    for (const block of after) into.block(block)
    ;[nodes, label, after] = [[], null, []]
  }
  const hasContent = () => nodes.length > 0 || pieces.length > 0 || after.length > 0
  return {
    say(text: string, raised: boolean): void {
      if (raised !== isRaised) endPieces()
      isRaised = raised
      pieces.push(text)
    },
    /** The text of the mark before an item. */
    label(text: string): void {
      label ??= []
      label.push(text)
    },
    node(node: Node): void {
      endPieces()
      nodes.push(node)
    },
    /** A block that stands behind the paragraph. */
    block: (block: MarkupElement): void => void after.push(block),
    endParagraph,
    /** Ends a paragraph that has something in it. */
    break(state: ParagraphState): void {
      if (hasContent()) endParagraph(state)
    },
    endCell(state: ParagraphState): void {
      if (hasContent()) endParagraph({ ...state, isInTable: true })
      cells.push(cellOf(cell.nodes()))
      cell = createFlow()
    },
    endRow(): void {
      if (cells.length > 0) endRow()
    },
    /** The blocks, after the end. */
    nodes(state: ParagraphState): Node[] {
      if (hasContent()) endParagraph(state)
      // A cell that was not ended.
      cells.push(...(cell.last() ? [cellOf(cell.nodes())] : []))
      endTable()
      return flow.nodes()
    },
  }
}
