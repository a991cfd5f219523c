// The text inside of a paragraph of a Word document. Pure.

import { attributeOf, childOf, childrenOf, element, type MarkupElement, namedIn, textIn } from '../markup/markup.ts'
import { hasReadable, type Node } from '../office/flow.ts'
import { symbolOf } from '../office/symbol-font.ts'
import { isSwitchedOn, valueIn } from './styles.ts'

/** Receives what is met on the way through the runs. */
export type RunEvents = {
  /** Text that is read, with its language; null for that of the style. */
  readonly said: (text: string, language: string | null) => void
  /** The id of a relationship, of a picture. */
  readonly picture: (id: string) => void
  /** The content of a text box. */
  readonly box: (content: MarkupElement) => void
  /** Returns the mark of a note. */
  readonly note: (kind: 'footnote' | 'endnote', id: string) => Node
  /** The target of the link; null for one that has none. */
  readonly link: (id: string) => string | null
}

/** Text that a change of the document has removed, properties, and instructions of fields. */
const UNREAD: ReadonlySet<string> = new Set(
  'del movefrom ppr rpr sdtpr sdtendpr smarttagpr instrtext deltext delinstrtext fldchar footnoteref endnoteref annotationref commentreference'.split(
    ' ',
  ),
)
const CHARACTERS: Readonly<Record<string, string>> = { tab: ' ', ptab: ' ', nobreakhyphen: '\u2011', softhyphen: '' }

/** `parent`: a paragraph, or an element in one. */
export function runsIn(parent: MarkupElement, events: RunEvents): Node[] {
  return childrenOf(parent).flatMap((child) => nodeOf(child, events))
}

function nodeOf(from: MarkupElement, events: RunEvents): Node[] {
  if (UNREAD.has(from.name)) return []
  switch (from.name) {
    case 'r':
      return runOf(from, events)
    case 'hyperlink': {
      const href = events.link(attributeOf(from, 'id') ?? '') ?? `#${attributeOf(from, 'anchor') ?? ''}`
      return [element('a', runsIn(from, events), { href })]
    }
    case 'ruby': {
      const reading = childOf(from, 'rt')
      const base = childOf(from, 'rubybase')
      if (base === undefined) return []
      return [element('ruby', [...runsIn(base, events), ...(reading ? [element('rt', [textOf(reading)])] : [])])]
    }
    case 'omath':
      return [element('span', [sayIn(textOf(from), null, events)])]
    case 'alternatecontent':
      return alternativeOf(from, (part) => runsIn(part, events))
    case 'drawing':
    case 'pict':
    case 'object':
      return drawingOf(from, events)
    case 'footnotereference':
    case 'endnotereference':
      return [events.note(from.name === 'footnotereference' ? 'footnote' : 'endnote', attributeOf(from, 'id') ?? '')]
  }
  // Inserted text, fields, smart tags and controls.
  return runsIn(from, events)
}

function runOf(run: MarkupElement, events: RunEvents): Node[] {
  const properties = childOf(run, 'rpr')
  if (isSwitchedOn(properties, 'vanish') || childOf(properties, 'del') !== undefined) return []
  const language = valueIn(properties, 'lang') ?? null
  const nodes = childrenOf(run).flatMap((child): Node[] => {
    if (child.name === 't') return [sayIn(textIn(child), language, events)]
    if (child.name === 'br' || child.name === 'cr')
      return attributeOf(child, 'type') === undefined || attributeOf(child, 'type') === 'textWrapping' ? [element('br', [])] : [' ']
    if (child.name === 'sym') return [symbolIn(child)]
    const character = CHARACTERS[child.name]
    return character === undefined ? nodeOf(child, events) : [character]
  })
  const isRaised = valueIn(properties, 'vertalign') === 'superscript'
  return isRaised && hasReadable(nodes) ? [element('sup', nodes)] : nodes
}

function sayIn(text: string, language: string | null, events: RunEvents): string {
  events.said(text, language)
  return text
}

function symbolIn(symbol: MarkupElement): string {
  const code = Number.parseInt(attributeOf(symbol, 'char') ?? '', 16)
  if (!(code > 0 && code <= 0xffff)) return ''
  if (code >= 0xf000 && code <= 0xf0ff) return /^symbol$/i.test(attributeOf(symbol, 'font') ?? '') ? symbolOf(code) : ''
  return String.fromCharCode(code)
}

/** The text of formulas and readings of characters. */
const textOf = (from: MarkupElement): string =>
  namedIn(from, 't')
    .map((each) => textIn(each))
    .join('')

/** The first alternative that has something; programs write the same content in two ways. */
export function alternativeOf<T>(from: MarkupElement, read: (part: MarkupElement) => T[]): T[] {
  const parts = childrenOf(from)
  for (const part of [...parts.filter(({ name }) => name === 'choice'), ...parts.filter(({ name }) => name === 'fallback')]) {
    const found = read(part)
    if (found.length > 0) return found
  }
  return []
}

/** A picture speaks its description; text boxes stand behind their paragraph. */
function drawingOf(from: MarkupElement, events: RunEvents): Node[] {
  const nodes: Node[] = []
  let description = ''
  const left = [from]
  while (left.length > 0) {
    const next = left.pop()!
    switch (next.name) {
      case 'txbxcontent':
        events.box(next)
        continue
      case 'docpr':
        description ||= attributeOf(next, 'descr') ?? ''
        break
      case 'shape':
        description ||= next.attributes.get('alt') ?? ''
        break
      case 'blip':
        events.picture(attributeOf(next, 'embed') ?? '')
        break
      case 'imagedata':
        events.picture(attributeOf(next, 'id') ?? '')
        break
      case 'rect':
        if (next.attributes.get('o:hr') === 't') nodes.push(element('hr', []))
        break
      case 'alternatecontent':
        left.push(
          ...childrenOf(next)
            .filter(({ name }) => name === 'choice')
            .slice(0, 1),
        )
        continue
    }
    for (const child of childrenOf(next).toReversed()) left.push(child)
  }
  nodes.push(element('img', [], { alt: description }))
  return nodes
}
