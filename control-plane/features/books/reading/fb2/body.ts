// The bodies of a FictionBook as a tree of HTML. Pure.
import { attributeOf, childrenOf, element, elementsIn, type MarkupElement, textIn } from '../markup/markup.ts'

type Node = MarkupElement | string
/** Names of bodies that contain notes. */
const NOTES = /^(?:foot|end)?notes?$|^comments?$|^примечания$/i
const DEEPEST_HEADING = 6
/** The format has no lists. */
const BULLET = /^\s{0,20}[•‣▪●◦]\s{0,20}(?:[•‣▪●◦]\s{1,20})?(?=\S)/
/** An empty line is a scene break only in a book that has few of them. */
const PARAGRAPHS_A_BREAK = 8
/** Elements that are not read. */
const SILENT: ReadonlySet<string> = new Set(['binary', 'description', 'stylesheet'])
const INLINE: Readonly<Record<string, string>> = { emphasis: 'em', strong: 'strong', sup: 'sup', sub: 'sub', code: 'code' }

/** `parts`: the children of the book. Bodies without a name of notes are read in their order, and notes stand behind them. */
export function bodyOf(parts: readonly MarkupElement[]): MarkupElement {
  const bodies = parts.filter(({ name }) => name === 'body')
  const isNotes = (body: MarkupElement) => NOTES.test(attributeOf(body, 'name')?.trim() ?? '')
  const texts = bodies.filter((body) => !isNotes(body))
  const convert = createConverter(breaksIn(texts))
  return element('body', [
    ...texts.flatMap((body) => childrenOf(body).flatMap((child) => (child.name === 'title' ? titlePage(child) : convert(child, 1)))),
    ...bodies.filter(isNotes).flatMap((body) => childrenOf(body).flatMap((child) => notes(child, convert))),
  ])
}

/** The title of a body is that of the book. */
const titlePage = (title: MarkupElement): Node[] => [element('section', [element('h1', lines(title))], { 'epub:type': 'titlepage' })]

type Convert = (from: MarkupElement, depth: number) => Node[]

function notes(from: MarkupElement, convert: Convert): Node[] {
  if (from.name !== 'section')
    return from.name === 'title' ? [] : [element('aside', convert(from, DEEPEST_HEADING), { 'epub:type': 'footnotes' })]
  const inner = childrenOf(from).filter(({ name }) => name !== 'title')
  // Sections of notes may be grouped by chapters.
  if (inner.some(({ name }) => name === 'section')) return inner.flatMap((child) => notes(child, convert))
  return [
    element(
      'aside',
      inner.flatMap((child) => convert(child, DEEPEST_HEADING)),
      { ...idOf(from), 'epub:type': 'footnote' },
    ),
  ]
}

const idOf = (from: MarkupElement): Record<string, string> => {
  const id = from.attributes.get('id')
  return id === undefined ? {} : { id }
}

/** True if empty lines of the bodies are scene breaks. */
function breaksIn(bodies: readonly MarkupElement[]): boolean {
  let [paragraphs, empty] = [0, 0]
  for (const body of bodies)
    for (const { name } of elementsIn(body)) {
      if (name === 'p') paragraphs++
      else if (name === 'empty-line') empty++
    }
  return empty * PARAGRAPHS_A_BREAK <= paragraphs
}

function createConverter(areBreaks: boolean): Convert {
  const all = (from: MarkupElement, depth: number): Node[] =>
    from.children.flatMap((child, at) => {
      if (typeof child === 'string') return []
      if (child.name !== 'empty-line') return convert(child, depth)
      return areBreaks && isParagraph(from.children, at, -1) && isParagraph(from.children, at, 1) ? [element('hr', [])] : []
    })
  const convert: Convert = (from, depth) => {
    const heading = `h${Math.min(DEEPEST_HEADING, depth)}`
    switch (from.name) {
      case 'section': {
        // A section without a title does not make those in it deeper.
        const isTitled = childrenOf(from).some(({ name }) => name === 'title')
        const inner = all(from, isTitled ? depth + 1 : depth)
        return [element('section', inner, idOf(from))]
      }
      case 'title':
        return [element(`h${Math.min(DEEPEST_HEADING, Math.max(1, depth - 1))}`, lines(from))]
      case 'subtitle':
        return /[\p{L}\p{N}]/u.test(textIn(from)) ? [element(heading, inline(from), idOf(from))] : [element('hr', [])]
      case 'epigraph':
      case 'cite':
      case 'annotation':
        return [element('blockquote', all(from, DEEPEST_HEADING), idOf(from))]
      case 'poem':
        return [
          element(
            'div',
            childrenOf(from).flatMap((child) => verse(child, all)),
            idOf(from),
          ),
        ]
      case 'table':
        return [element('table', childrenOf(from).map(row), idOf(from))]
      case 'image':
        return [picture(from)]
      case 'p': {
        const [first = '', ...others] = inline(from)
        const bullet = typeof first === 'string' ? BULLET.exec(first)?.[0] : undefined
        if (bullet === undefined) return [element('p', [first, ...others], idOf(from))]
        return [element('ul', [element('li', [(first as string).slice(bullet.length), ...others])], idOf(from))]
      }
      case 'text-author':
      case 'date':
        return [element('p', inline(from), idOf(from))]
    }
    return SILENT.has(from.name) ? [] : [element('p', inline(from), idOf(from))]
  }
  return convert
}

function isParagraph(children: readonly Node[], at: number, step: 1 | -1): boolean {
  for (let index = at + step; index >= 0 && index < children.length; index += step) {
    const child = children[index]!
    if (typeof child !== 'string') return child.name === 'p' || child.name === 'poem' || child.name === 'cite'
  }
  return false
}

/** The lines of a stanza are one paragraph. */
function verse(from: MarkupElement, all: (from: MarkupElement, depth: number) => Node[]): Node[] {
  if (from.name === 'epigraph') return [element('blockquote', all(from, DEEPEST_HEADING))]
  if (from.name !== 'stanza') return from.name === 'empty-line' ? [] : [element('p', from.name === 'title' ? lines(from) : inline(from))]
  const children = childrenOf(from)
  const above = children.filter(({ name }) => name === 'title' || name === 'subtitle').map((title) => element('p', lines(title)))
  const verses = children.filter(({ name }) => name === 'v')
  return [
    ...above,
    element(
      'p',
      verses.flatMap((line, at) => (at === 0 ? inline(line) : [element('br', []), ...inline(line)])),
    ),
  ]
}

/** The paragraphs of a title as its lines. */
function lines(title: MarkupElement): Node[] {
  const paragraphs = childrenOf(title).filter(({ name }) => name === 'p')
  if (paragraphs.length === 0) return inline(title)
  return paragraphs.flatMap((line, at) => (at === 0 ? inline(line) : [' ', element('br', []), ...inline(line)]))
}

const row = (from: MarkupElement): Node =>
  element(
    'tr',
    childrenOf(from).map((cell) => element(cell.name === 'th' ? 'th' : 'td', inline(cell))),
  )

function picture(from: MarkupElement): MarkupElement {
  const alt = from.attributes.get('alt') ?? from.attributes.get('title') ?? ''
  return element('img', [], { alt })
}

function inline(from: MarkupElement): Node[] {
  return from.children.map((child) => {
    if (typeof child === 'string') return child
    if (child.name === 'image') return picture(child)
    if (child.name !== 'a') return element(INLINE[child.name] ?? 'span', inline(child), idOf(child))
    const href = attributeOf(child, 'href') ?? ''
    const isNote = child.attributes.get('type') === 'note'
    return element('a', inline(child), { href, ...(isNote && { 'epub:type': 'noteref' }) })
  })
}
