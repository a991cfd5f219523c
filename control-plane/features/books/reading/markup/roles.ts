// Parts of a document that are not read aloud. Pure.
import { type MarkupElement, textIn } from './markup.ts'

/** Role in EPUB, without the prefix that it has as an ARIA role -> reason. */
const OMITTED: Readonly<Record<string, string>> = {
  footnote: 'Footnotes are not read.',
  footnotes: 'Footnotes are not read.',
  endnote: 'Endnotes are not read.',
  endnotes: 'Endnotes are not read.',
  rearnote: 'Endnotes are not read.',
  rearnotes: 'Endnotes are not read.',
  toc: 'A table of contents is not read.',
  landmarks: 'A table of contents is not read.',
  'page-list': 'A table of contents is not read.',
  loi: 'A list of pictures is not read.',
  lot: 'A list of tables is not read.',
  index: 'An index is not read.',
  bibliography: 'A bibliography is not read.',
  cover: 'The cover is a picture.',
  titlepage: 'The title page is not read.',
  'title-page': 'The title page is not read.',
  'copyright-page': 'The copyright page is not read.',
  copyright: 'The copyright page is not read.',
}
const MARKS: ReadonlySet<string> = new Set(['noteref', 'pagebreak'])
const SILENT: ReadonlySet<string> = new Set(
  'head script style template svg audio video iframe object canvas rp rt map form button input select textarea'.split(' '),
)
const NOTE_MARK = /^[[(]?(?:\d{1,4}|[*†‡§]{1,3}|[ivxlc]{1,6})[\])]?$/i

const rolesOf = ({ attributes }: MarkupElement): string[] =>
  `${attributes.get('epub:type') ?? ''} ${attributes.get('role') ?? ''}`
    .toLowerCase()
    .split(/\s+/)
    .map((role) => role.replace(/^doc-/, ''))

export const omissionOf = (role: string): string | null => (Object.hasOwn(OMITTED, role) ? OMITTED[role]! : null)

/** The reason for which a part with a role is left out; null for one that is read. */
export const omissionIn = (element: MarkupElement): string | null =>
  rolesOf(element)
    .map(omissionOf)
    .find((why) => why !== null) ?? null

/** Marks of notes and pages, invisible parts and programs: they leave no trace. */
export function isSilent(element: MarkupElement): boolean {
  const { name, attributes } = element
  if (SILENT.has(name) || attributes.has('hidden') || attributes.get('aria-hidden') === 'true') return true
  if (/display\s{0,5}:\s{0,5}none/i.test(attributes.get('style') ?? '')) return true
  return rolesOf(element).some((role) => MARKS.has(role)) || isNoteMark(element)
}

/** A raised number that links to a note, or a link of a raised number. */
function isNoteMark(element: MarkupElement): boolean {
  if (element.name !== 'a' && element.name !== 'sup') return false
  const other = element.name === 'a' ? 'sup' : 'a'
  const inner = element.children.filter((child) => typeof child !== 'string' || child.trim() !== '')
  const [only] = inner
  if (inner.length !== 1 || typeof only === 'string' || only?.name !== other) return false
  const link = element.name === 'a' ? element : only
  return (link.attributes.get('href') ?? '').includes('#') && NOTE_MARK.test(textIn(element).trim())
}
