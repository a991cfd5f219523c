// Elements by their roles and classes: parts that are not read, and text that is never visible. Pure.
import { WHY } from '../chapters/why.ts'
import { elementsIn, type MarkupElement, textIn } from './markup.ts'

/** Role in EPUB, without the prefix that it has as an ARIA role -> reason. */
const OMITTED: Readonly<Record<string, string>> = {
  footnote: WHY.footnotes,
  footnotes: WHY.footnotes,
  endnote: WHY.endnotes,
  endnotes: WHY.endnotes,
  rearnote: WHY.endnotes,
  rearnotes: WHY.endnotes,
  toc: WHY.contents,
  'toc-brief': WHY.contents,
  landmarks: WHY.contents,
  'page-list': WHY.contents,
  loi: WHY.pictures,
  lot: WHY.tables,
  index: WHY.index,
  'index-group': WHY.index,
  'index-entry': WHY.index,
  'index-entry-list': WHY.index,
  'index-headnotes': WHY.index,
  'index-legend': WHY.index,
  bibliography: WHY.bibliography,
  biblioentry: WHY.bibliography,
  cover: WHY.cover,
  titlepage: WHY.titlePage,
  'title-page': WHY.titlePage,
  halftitlepage: WHY.titlePage,
  'copyright-page': WHY.copyright,
  copyright: WHY.copyright,
  imprint: WHY.copyright,
}
/** Classes of converters and publishers -> reason. */
const OMITTED_CLASSES: readonly (readonly [RegExp, string])[] = [
  [/(?:^|\s)(?:foot|side)[-_]?notes?(?:[-_]?(?:text|body|content|block|list|section|para|p|group))?\d{0,4}(?:\s|$)/i, WHY.footnotes],
  [/(?:^|\s)(?:ftn|fntext|fn-?text|fnote|fn\d{1,4})(?:\s|$)/i, WHY.footnotes],
  [/(?:^|\s)(?:end|rear)[-_]?notes?(?:[-_]?(?:text|body|content|block|list|section|para|p|group))?\d{0,4}(?:\s|$)/i, WHY.endnotes],
  [/(?:^|\s)(?:pg-?boilerplate|pg-?header|pg-?footer)(?:\s|$)/i, WHY.gutenberg],
]
const OMITTED_IDS: readonly (readonly [RegExp, string])[] = [[/^pg-(?:header|footer)$/i, WHY.gutenberg]]
/** Elements that may be a part of their own. A note in a sentence is one of these, too, when it has a role. */
const PARTS: ReadonlySet<string> = new Set('aside div section p li dd ol ul dl td blockquote footer article table'.split(' '))

/** Elements whose text is never visible. */
const INVISIBLE: ReadonlySet<string> = new Set('head script style template map rp noscript noframes datalist'.split(' '))
const INVISIBLE_STYLE = /(?:display\s{0,5}:\s{0,5}none|visibility\s{0,5}:\s{0,5}(?:hidden|collapse))/i
/** UTF-16 units in headings and paragraphs from which a form is the page itself, as some servers send it, and not a question to its reader. */
const PAGE_IN_FORM = 400
/** Elements with text that cannot be read in order -> reason. */
const UNREAD: Readonly<Record<string, string>> = {
  svg: 'Text in a drawing is not read.',
  canvas: 'Text in a drawing is not read.',
  audio: 'Text in place of a recording is not read.',
  video: 'Text in place of a film is not read.',
  iframe: 'Text in place of another page is not read.',
  object: 'Text in place of an object is not read.',
  form: 'A form is not read.',
  button: 'A form is not read.',
  input: 'A form is not read.',
  select: 'A form is not read.',
  textarea: 'A form is not read.',
}

export const rolesOf = ({ attributes }: MarkupElement): string[] =>
  `${attributes.get('epub:type') ?? ''} ${attributes.get('role') ?? ''}`
    .toLowerCase()
    .split(/\s+/)
    .map((role) => role.replace(/^doc-/, ''))
export const classOf = ({ attributes }: MarkupElement): string => attributes.get('class') ?? ''

export const omissionOf = (role: string): string | null => (Object.hasOwn(OMITTED, role) ? OMITTED[role]! : null)
export const isNoteOmission = (why: string): boolean => why === WHY.footnotes || why === WHY.endnotes

/** The reason for which a part with a role or a class is left out; null for one that is read. */
export function omissionIn(element: MarkupElement): string | null {
  const byRole = rolesOf(element)
    .map(omissionOf)
    .find((why) => why !== null)
  if (byRole !== undefined) return byRole
  // A navigation without a role, such as links to the neighbours of a page.
  if (element.name === 'nav') return WHY.contents
  if (!PARTS.has(element.name)) return null
  const [names, id] = [classOf(element), element.attributes.get('id') ?? '']
  const found =
    OMITTED_CLASSES.find(([pattern]) => names !== '' && pattern.test(names)) ?? OMITTED_IDS.find(([pattern]) => pattern.test(id))
  return found?.[1] ?? null
}

/** True for text that is in the file and is never visible. */
export function isInvisible({ name, attributes }: MarkupElement): boolean {
  if (INVISIBLE.has(name) || attributes.has('hidden') || (name === 'dialog' && !attributes.has('open'))) return true
  return INVISIBLE_STYLE.test(attributes.get('style') ?? '')
}

/** True if a form contains the text of a page. */
function isPage(form: MarkupElement): boolean {
  let length = 0
  for (const each of elementsIn(form)) if (/^(?:p|h[1-6])$/.test(each.name)) length += textIn(each).trim().length
  return length >= PAGE_IN_FORM
}

/** The text that is seen and cannot be read, and why; null for an element that is read. */
export function unreadIn(element: MarkupElement): { readonly words: string; readonly why: string } | null {
  const isHidden = element.attributes.get('aria-hidden') === 'true'
  if (!isHidden && (!Object.hasOwn(UNREAD, element.name) || (element.name === 'form' && isPage(element)))) return null
  const texts = element.name === 'svg' ? [...elementsIn(element)].filter(({ name }) => name === 'text') : [element]
  const words = texts.map(textIn).join(' ').replaceAll(/\s+/g, ' ').trim()
  return { words, why: isHidden ? 'It is hidden from programs that read aloud.' : UNREAD[element.name]! }
}
