// The body of a Word document as a tree of HTML. Pure.

import { attributeOf, childOf, childrenOf, element, elementsIn, type MarkupElement } from '../markup/markup.ts'
import { createFlow, type Flow, hasReadable, type ListPlace, type Node, tableOf } from '../office/flow.ts'
import type { CountItem } from './numbering.ts'
import { alternativeOf, type RunEvents, runsIn } from './runs.ts'
import { levelIn, valueIn, type WordStyle, type WordStyles } from './styles.ts'

export type WordParts = {
  readonly styles: WordStyles
  readonly count: CountItem
  /** The notes by kind and id. */
  readonly note: (kind: 'footnote' | 'endnote', id: string) => MarkupElement | undefined
  readonly link: (id: string) => string | null
}
export type WordText = {
  readonly root: MarkupElement
  /** The id of the relationship of a picture before the first words; null without one. */
  readonly cover: string | null
  /** The language that most letters have; null without one. */
  readonly language: string | null
}

/** Controls of Word around a part that is not read -> its role. */
const GALLERIES: Readonly<Record<string, string>> = {
  'Table of Contents': 'toc',
  'Cover Pages': 'titlepage',
  Bibliographies: 'bibliography',
}
const UNREAD: ReadonlySet<string> = new Set(['sectpr', 'del', 'movefrom', 'altchunk'])

/** `body`: the element of the document. */
export function readWordBody(body: MarkupElement, { styles, count, note, link }: WordParts): WordText {
  const letters = new Map<string, number>()
  const noted = new Set<string>()
  let cover: string | null = null
  let hasText = false
  let isInNote = false

  /** `after`: blocks that stand behind the paragraph. */
  function eventsFor(style: WordStyle, after: MarkupElement[]): RunEvents {
    return {
      link,
      said: (text, own) => {
        if (text.trim() !== '') hasText = true
        const language = own ?? style.language
        if (language !== null) letters.set(language, (letters.get(language) ?? 0) + text.length)
      },
      picture: (id) => {
        if (!hasText) cover ??= id
      },
      box: (content) => void after.push(element('div', blocksIn(content))),
      note: (kind, id) => {
        const [name, content] = [`${kind}-${id}`, note(kind, id)]
        // A note that refers to notes could name itself.
        if (content === undefined || isInNote || noted.has(name)) return ''
        noted.add(name)
        isInNote = true
        after.push(element('aside', blocksIn(content), { id: name, 'epub:type': kind }))
        isInNote = false
        return element('a', ['*'], { href: `#${name}`, 'epub:type': 'noteref' })
      },
    }
  }

  function paragraph(from: MarkupElement, flow: Flow): void {
    const properties = childOf(from, 'ppr')
    const style = styles(valueIn(properties, 'pstyle'))
    const run = childOf(properties, 'rpr')
    const after: MarkupElement[] = []
    const content = style.isHidden ? [] : runsIn(from, eventsFor(style, after))
    const level = style.role === 'text' ? (levelIn(properties) ?? style.level) : 0
    const role = level > 0 ? 'text' : style.role
    const list = hasReadable(content) ? listOf(properties, style) : null
    if (list?.label) content.unshift(`${list.label} `)
    const last = flow.last()
    const isJoined = last !== undefined && joins.has(last)
    const next = isJoined ? last : { role, level, list: level > 0 ? null : (list?.place ?? null), content }
    if (isJoined) for (const node of content) last.content.push(node)
    else flow.paragraph(next)
    joins.delete(next)
    // Without its mark a paragraph goes on in the next one.
    if (childOf(run, 'del') !== undefined && content.length > 0) joins.add(next)
    for (const block of after) flow.block(block)
  }
  const joins = new Set<object>()

  function listOf(properties: MarkupElement | undefined, style: WordStyle): { place: ListPlace | null; label: string } | null {
    const own = childOf(properties, 'numpr')
    const numId = valueIn(own, 'numid') ?? style.numId
    if (numId === null || numId === '0') return null
    const ilvl = Number(valueIn(own, 'ilvl') ?? style.ilvl) || 0
    const found = count(numId, ilvl)
    if (found === null) return null
    const isHeading = (levelIn(properties) ?? style.level) > 0
    // A number with words, such as "Chapter 3", is text.
    if (isHeading || /\p{L}{2}/u.test(found.label)) return { place: null, label: found.label }
    return { place: { depth: ilvl, value: found.value }, label: '' }
  }

  const table = (from: MarkupElement) => tableOf(rowsIn(from).map((row) => cellsIn(row).map(blocksIn)))

  function blocks(container: MarkupElement, flow: Flow): void {
    for (const child of childrenOf(container)) {
      switch (child.name) {
        case 'p':
        case 'omathpara':
          paragraph(child, flow)
          break
        case 'tbl':
          flow.block(table(child))
          break
        case 'sdt':
          control(child, flow)
          break
        case 'alternatecontent':
          for (const each of alternativeOf(child, blocksIn)) if (typeof each !== 'string') flow.block(each)
          break
        default:
          if (!UNREAD.has(child.name)) blocks(child, flow)
      }
    }
  }
  function control(from: MarkupElement, flow: Flow): void {
    const content = childOf(from, 'sdtcontent')
    if (content === undefined) return
    const gallery = [...elementsIn(childOf(from, 'sdtpr') ?? element('', []))].find(({ name }) => name === 'docpartgallery')
    const role = GALLERIES[attributeOf(gallery, 'val') ?? '']
    if (role === undefined) blocks(content, flow)
    else flow.block(element('section', blocksIn(content), { 'epub:type': role }))
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

/** Rows and cells may be in controls and marks of changes. */
function partsIn(from: MarkupElement, name: string, around: ReadonlySet<string>): MarkupElement[] {
  return childrenOf(from).flatMap((child) => {
    if (child.name === name) return [child]
    return around.has(child.name) ? partsIn(child, name, around) : []
  })
}
const AROUND: ReadonlySet<string> = new Set(['sdt', 'sdtcontent', 'ins', 'customxml', 'moveto'])
const rowsIn = (table: MarkupElement) => partsIn(table, 'tr', AROUND).filter((row) => childOf(childOf(row, 'trpr'), 'del') === undefined)
const cellsIn = (row: MarkupElement) => partsIn(row, 'tc', AROUND)
