// The text inside of a paragraph of an OpenDocument text. Pure.

import { attributeOf, childOf, childrenOf, element, type MarkupElement, textIn } from '../markup/markup.ts'
import { hasReadable, type Node } from '../office/flow.ts'
import type { TextStyles } from './styles.ts'

export type TextEvents = {
  /** Text that is read, with its language; null for that of the paragraph. */
  readonly said: (text: string, language: string | null) => void
  /** The frame of a picture. */
  readonly picture: (image: MarkupElement) => void
  /** The content of a text box. */
  readonly box: (content: MarkupElement) => void
  /** Returns the mark of a note. */
  readonly note: (note: MarkupElement) => Node
}

/** Elements that are not text: notes of reviewers, removed text, marks, numbers of pages, readings that another element has. */
const UNREAD: ReadonlySet<string> = new Set(
  'annotation annotation-end tracked-changes change change-start change-end bookmark bookmark-start bookmark-end reference-mark-start reference-mark-end soft-page-break page-number page-count note-citation hidden-text script alphabetical-index-mark toc-mark user-index-mark event-listeners'.split(
    ' ',
  ),
)

export function nodesIn(parent: MarkupElement, styles: TextStyles, events: TextEvents, language: string | null = null): Node[] {
  return parent.children.flatMap((child): Node[] => {
    if (typeof child === 'string') {
      events.said(child, language)
      return [child]
    }
    if (UNREAD.has(child.name)) return []
    switch (child.name) {
      case 's':
      case 'tab':
        return [' ']
      case 'line-break':
        return [element('br', [])]
      case 'note':
        return [events.note(child)]
      case 'frame':
        return frameOf(child, events)
      case 'a':
        return [element('a', nodesIn(child, styles, events, language), { href: attributeOf(child, 'href') ?? '' })]
      case 'ruby': {
        const [base, reading] = [childOf(child, 'ruby-base'), childOf(child, 'ruby-text')]
        if (base === undefined) return []
        return [element('ruby', [...nodesIn(base, styles, events, language), ...(reading ? [element('rt', [textIn(reading)])] : [])])]
      }
      case 'span': {
        const style = styles.style(attributeOf(child, 'style-name'))
        if (style.isHidden) return []
        const nodes = nodesIn(child, styles, events, style.language ?? language)
        return style.isRaised && hasReadable(nodes) ? [element('sup', nodes)] : nodes
      }
      case 'hidden-paragraph':
      case 'conditional-text':
        return attributeOf(child, 'is-hidden') === 'true' ? [] : nodesIn(child, styles, events, language)
    }
    // Fields show what they contain; shapes are read like frames.
    return isShape(child) ? frameOf(child, events) : nodesIn(child, styles, events, language)
  })
}

const isShape = ({ name }: MarkupElement): boolean => ['custom-shape', 'rect', 'g', 'ellipse', 'line', 'path', 'polygon'].includes(name)

/** A frame has one content in several forms, of which the first is read. */
function frameOf(frame: MarkupElement, events: TextEvents): Node[] {
  const children = childrenOf(frame)
  const box = children.find(({ name }) => name === 'text-box')
  if (box !== undefined) events.box(box)
  else if (isShape(frame)) events.box(frame)
  const image = children.find(({ name }) => name === 'image')
  if (image !== undefined) events.picture(image)
  if (box !== undefined || isShape(frame)) return []
  const described = children.find(({ name }) => name === 'desc') ?? children.find(({ name }) => name === 'title')
  return [element('img', [], { alt: described ? textIn(described) : '' })]
}
