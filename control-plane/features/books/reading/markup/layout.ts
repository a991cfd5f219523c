// Tables and verse: elements whose blocks are cells and lines. Pure.
import { elementsIn, type MarkupElement } from './markup.ts'

/** Elements that begin and end paragraphs. */
export const BLOCKS: ReadonlySet<string> = new Set(
  'address article aside blockquote body caption center dd details div dl dt fieldset figcaption figure footer h1 h2 h3 h4 h5 h6 header hgroup hr html legend li main nav ol p pre section summary table tbody tfoot thead tr ul'.split(
    ' ',
  ),
)

const VERSE_CLASS = /(?:^|[\s_-])(?:stanza|verse|poem|poetry|strophe|line-?group|lg|song|lyrics?)\d{0,3}(?:$|[\s_-])/i
const VERSE_ROLE = /(?:^|\s)z3998:(?:verse|poem|song|hymn|lyrics)(?:\s|$)/
const MOST_LINES = 400

const childrenOf = (element: MarkupElement): MarkupElement[] => element.children.filter((child) => typeof child !== 'string')

/** True for a row of cells without paragraphs of their own: tables of layout have those. */
export function isPlainRow(row: MarkupElement): boolean {
  const cells = childrenOf(row).filter(({ name }) => name === 'td' || name === 'th')
  if (cells.length < 2) return false
  for (const cell of cells) {
    let paragraphs = 0
    for (const { name } of elementsIn(cell)) if (BLOCKS.has(name) && (++paragraphs > 1 || (name !== 'p' && name !== 'div'))) return false
  }
  return true
}

/** True for a stanza whose blocks are its lines. */
export function holdsLines(element: MarkupElement): boolean {
  const { name, attributes } = element
  if (name !== 'div' && name !== 'section' && name !== 'blockquote') return false
  if (!VERSE_CLASS.test(attributes.get('class') ?? '') && !VERSE_ROLE.test(attributes.get('epub:type') ?? '')) return false
  const lines = childrenOf(element).filter((child) => BLOCKS.has(child.name))
  if (lines.length < 2 || lines.length > MOST_LINES || lines.some(({ name: each }) => each !== 'p' && each !== 'div')) return false
  return lines.every((line) => {
    for (const inner of elementsIn(line)) if (BLOCKS.has(inner.name) || inner.name === 'br') return false
    return true
  })
}
