// The body of an OpenDocument text as a tree of HTML. Pure.

import { attributeOf, childOf, childrenOf, element, type MarkupElement } from '../markup/markup.ts'
import { createFlow, type Flow, hasReadable, type ListPlace, type Node, tableOf } from '../office/flow.ts'
import { DEEPEST_HEADING } from '../office/style-names.ts'
import { createCounters } from './counters.ts'
import type { TextStyles } from './styles.ts'
import { nodesIn, type TextEvents } from './text.ts'

export type OdtText = {
  readonly root: MarkupElement
  /** The element of a picture before the first words; null without one. */
  readonly cover: MarkupElement | null
  /** The language that most letters have; null without one. */
  readonly language: string | null
}

/** Generated parts that are not read -> role. */
const PARTS: Readonly<Record<string, string>> = {
  'table-of-content': 'toc',
  'illustration-index': 'loi',
  'table-index': 'lot',
  'object-index': 'loi',
  'user-index': 'toc',
  'alphabetical-index': 'index',
  bibliography: 'bibliography',
}
const UNREAD: ReadonlySet<string> = new Set(
  'tracked-changes forms sequence-decls variable-decls user-field-decls annotation soft-page-break dde-connection-decls'.split(' '),
)

/** `body`: the element office:text. */
export function readTextBody(body: MarkupElement, styles: TextStyles): OdtText {
  const letters = new Map<string, number>()
  let cover: MarkupElement | null = null
  let hasText = false
  let notes = 0
  let isInNote = false
  const counters = createCounters(styles)

  function eventsFor(language: string | null, after: MarkupElement[]): TextEvents {
    return {
      said: (text, own) => {
        if (text.trim() === '') return
        hasText = true
        const used = own ?? language ?? styles.language
        if (used !== null) letters.set(used, (letters.get(used) ?? 0) + text.length)
      },
      picture: (image) => {
        if (!hasText) cover ??= image
      },
      box: (content) => void after.push(element('div', blocksIn(content))),
      note: (note) => {
        const content = childOf(note, 'note-body')
        if (content === undefined || isInNote) return ''
        const id = attributeOf(note, 'id') ?? `note-${++notes}`
        const kind = attributeOf(note, 'note-class') === 'endnote' ? 'endnote' : 'footnote'
        isInNote = true
        after.push(element('aside', blocksIn(content), { id, 'epub:type': kind }))
        isInNote = false
        return element('a', ['*'], { href: `#${id}`, 'epub:type': 'noteref' })
      },
    }
  }

  /** `list`: the place of an item that the paragraph begins; null for other text. */
  function paragraph(from: MarkupElement, flow: Flow, list: ListPlace | null): void {
    const style = styles.style(attributeOf(from, 'style-name'))
    const after: MarkupElement[] = []
    const content = style.isHidden ? [] : nodesIn(from, styles, eventsFor(style.language, after), style.language)
    const written = Number(attributeOf(from, 'outline-level') ?? Number.NaN)
    const isHeading = style.role === 'text' && (from.name === 'h' || style.level > 0)
    const level = isHeading ? Math.min(DEEPEST_HEADING, written >= 1 ? written : style.level || 1) : 0
    if (from.name === 'h' && level > 0 && hasReadable(content)) {
      const label = counters.heading(level, from)
      if (label !== '') content.unshift(`${label} `)
    }
    flow.paragraph({ role: style.role, level, list: level > 0 ? null : list, content })
    for (const block of after) flow.block(block)
  }

  function list(from: MarkupElement, flow: Flow, outer: { readonly style: string | undefined; readonly depth: number } | null): void {
    const style = attributeOf(from, 'style-name') ?? outer?.style
    const depth = outer === null ? 0 : outer.depth + 1
    const count = counters.list(from, style, depth)
    for (const item of childrenOf(from)) {
      if (item.name !== 'list-item' && item.name !== 'list-header') continue
      let place: ListPlace | null = null
      for (const child of childrenOf(item)) {
        if (child.name === 'list') list(child, flow, { style, depth })
        else if (child.name === 'p' || child.name === 'h') {
          if (place === null && item.name === 'list-item' && child.name === 'p') {
            place = { depth, value: count(attributeOf(item, 'start-value')) }
            paragraph(child, flow, place)
          } else paragraph(child, flow, null)
        } else blocks({ ...item, children: [child] }, flow)
      }
    }
  }

  const cellsIn = (row: MarkupElement) => childrenOf(row).filter(({ name }) => name === 'table-cell')
  const table = (from: MarkupElement) => tableOf(rowsIn(from).map((row) => cellsIn(row).map(blocksIn)))

  function blocks(container: MarkupElement, flow: Flow): void {
    for (const child of childrenOf(container)) {
      const part = PARTS[child.name]
      if (UNREAD.has(child.name) || attributeOf(child, 'display') === 'none') continue
      if (part !== undefined) flow.block(element('section', blocksIn(childOf(child, 'index-body') ?? child), { 'epub:type': part }))
      else if (child.name === 'p' || child.name === 'h') paragraph(child, flow, null)
      else if (child.name === 'list') list(child, flow, null)
      else if (child.name === 'table') flow.block(table(child))
      else if (child.name === 'frame' || child.name === 'custom-shape') paragraph(element('p', [child]), flow, null)
      else blocks(child, flow)
    }
  }
  function blocksIn(container: MarkupElement): Node[] {
    const flow = createFlow()
    blocks(container, flow)
    return flow.nodes()
  }

  const nodes = blocksIn(body)
  const language = [...letters].toSorted(([, left], [, right]) => right - left)[0]?.[0] ?? null
  return { root: element('', [element('body', nodes)]), cover, language }
}

/** Rows may be in groups and headers. */
function rowsIn(from: MarkupElement): MarkupElement[] {
  return childrenOf(from).flatMap((child) => {
    if (child.name === 'table-row') return [child]
    return /^table-(?:header-rows|rows|row-group)$/.test(child.name) ? rowsIn(child) : []
  })
}
