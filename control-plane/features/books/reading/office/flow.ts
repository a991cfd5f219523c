// The paragraphs of an office document, one after the other, as a tree of HTML: lists, quotations, the title page. Pure.
import { toTitle } from '../book.ts'
import { element, type MarkupElement, namedIn, textIn } from '../markup/markup.ts'
import { DEEPEST_HEADING, type ParagraphRole } from './style-names.ts'

export type Node = MarkupElement | string
/** `depth`: 0 for a list that is in no other one. `value`: the number of the item; null for a bullet. */
export type ListPlace = { readonly depth: number; readonly value: number | null }
export type Paragraph = {
  readonly role: ParagraphRole
  /** 1 to 6; 0 for text. */
  readonly level: number
  readonly list: ListPlace | null
  readonly content: Node[]
}
export type Flow = ReturnType<typeof createFlow>

const DEEPEST_LIST = 20
const ROLE_OF_PART: Partial<Record<ParagraphRole, string>> = { toc: 'toc', index: 'index', bibliography: 'bibliography' }

export function createFlow() {
  const entries: (Paragraph | MarkupElement)[] = []
  return {
    paragraph: (paragraph: Paragraph) => void entries.push(paragraph),
    /** A table, a note, a text box. */
    block: (block: MarkupElement) => void entries.push(block),
    /** The last paragraph that was added; undefined after a block and at the start. */
    last: (): Paragraph | undefined => {
      const last = entries.at(-1)
      return last && 'role' in last ? last : undefined
    },
    nodes: (): Node[] => nodesOf(entries),
  }
}

function nodesOf(entries: readonly (Paragraph | MarkupElement)[]): Node[] {
  const all = entries.filter((entry) => 'role' in entry)
  const titles = all.filter(({ role }) => role === 'title')
  // A style that several paragraphs have is that of chapters, and the title page has nothing but titles before it.
  const isTitlePage = titles.length === 1
  let isAtStart = true
  const out: Node[] = []
  /** The list that is open at each depth. */
  let lists: OpenList[] = []
  let group = null as { readonly role: ParagraphRole; readonly nodes: Node[] } | null
  for (const entry of entries) {
    if (!('role' in entry)) {
      lists = []
      group = null
      out.push(entry)
      continue
    }
    const isEmpty = entry.content.length === 0
    const role = roleIn(entry, isTitlePage && isAtStart)
    if (role === 'text' && !isEmpty) isAtStart = false
    if (group?.role !== role) {
      group = role === 'text' ? null : { role, nodes: [] }
      lists = []
      if (group) out.push(groupOf(group.role, group.nodes))
    }
    const target = group?.nodes ?? out
    if (entry.list === null || role === 'toc') {
      if (!isEmpty) lists = []
      const level = entry.role === 'title' ? 1 : entry.level
      target.push(element(level > 0 ? `h${Math.min(DEEPEST_HEADING, level)}` : 'p', entry.content))
    } else lists = addItem(target, lists, entry.list, entry.content)
  }
  return out
}

/** Titles and their bylines are a page of their own at the start, and text elsewhere. */
function roleIn({ role, level }: Paragraph, isAtStart: boolean): ParagraphRole {
  if (role === 'title' || role === 'byline') return isAtStart ? 'title' : 'text'
  return level > 0 && role === 'quote' ? 'text' : role
}

function groupOf(role: ParagraphRole, nodes: readonly Node[]): MarkupElement {
  if (role === 'quote') return element('blockquote', nodes)
  if (role === 'title') return element('section', nodes, { 'epub:type': 'titlepage' })
  return element('section', nodes, { 'epub:type': ROLE_OF_PART[role] ?? '' })
}

/** `items`: the children of its element. `last`: those of its last item. */
type OpenList = { readonly name: string; readonly items: MarkupElement[]; last: Node[] }

/** Adds an item to the open list of its depth, which it opens where it is needed. Returns the lists that are open then. */
function addItem(target: Node[], open: readonly OpenList[], { depth, value }: ListPlace, content: readonly Node[]): OpenList[] {
  const name = value === null ? 'ul' : 'ol'
  const place = Math.min(depth, DEEPEST_LIST)
  const lists = open.slice(0, place + 1)
  if (lists[place] && lists[place].name !== name) lists.pop()
  while (lists.length <= place) {
    const items: MarkupElement[] = []
    const parent = lists.at(-1)?.last ?? target
    parent.push(element(name, items, value === null || value === 1 ? {} : { start: String(value) }))
    lists.push({ name, items, last: parent })
  }
  const list = lists[place]!
  list.last = [...content]
  list.items.push(element('li', list.last, value === null ? {} : { value: String(value) }))
  return lists
}

/** Paragraphs of a cell that are one text; more are a layout. */
const CELL_PARAGRAPHS = 3

/** The content of a cell of a table: a few paragraphs are joined. */
export function cellOf(nodes: readonly Node[]): MarkupElement {
  const isText = nodes.every((node) => typeof node === 'string' || node.name === 'p')
  if (!isText || nodes.length > CELL_PARAGRAPHS) return element('td', nodes)
  return element(
    'td',
    nodes.flatMap((node, at) => [...(at === 0 ? [] : [' ']), ...(typeof node === 'string' ? [node] : node.children)]),
  )
}

/** A table from the content of its cells, row by row. One column is a layout. */
export function tableOf(rows: readonly (readonly (readonly Node[])[])[]): MarkupElement {
  if (rows.every((cells) => cells.length <= 1)) return element('div', rows.flat(2))
  return element(
    'table',
    rows.map((cells) => element('tr', cells.map(cellOf))),
  )
}

/** True if there is something to read in the nodes. */
export const hasReadable = (nodes: readonly Node[]): boolean =>
  nodes.some((node) => (typeof node === 'string' ? node : textIn(node)).trim() !== '')

/** The title on the title page. */
export function titleIn(root: MarkupElement): string | null {
  const page = namedIn(root, 'section').find(({ attributes }) => attributes.get('epub:type') === 'titlepage')
  const heading = page && namedIn(page, 'h1')[0]
  return heading ? toTitle(textIn(heading)) || null : null
}
