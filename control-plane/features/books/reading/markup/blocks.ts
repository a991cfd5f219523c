// The paragraphs of an XHTML document. Pure.

import { escapeScript } from '#shared/text/script/script.ts'
import { composed } from '#shared/text/unicode/compose.ts'
import { type OmittedPart, toTitle, visibleText } from '../book.ts'
import { elementsIn, type MarkupElement, textIn } from './markup.ts'
import { isSilent, omissionIn } from './roles.ts'

export type Block = {
  /** In the grammar of manuscripts. */
  readonly text: string
  /** 1 to 6; 0 for text. */
  readonly level: number
  /** Ids at the start of the block and in it. */
  readonly ids: readonly string[]
}
export type DocumentBlocks = { readonly blocks: readonly Block[]; readonly omitted: readonly OmittedPart[] }

const BLOCKS: ReadonlySet<string> = new Set(
  'address article aside blockquote body caption center dd details div dl dt fieldset figcaption figure footer h1 h2 h3 h4 h5 h6 header hr html legend li main nav ol p pre section summary table tbody tfoot thead tr ul'.split(
    ' ',
  ),
)
/** Delimiters of a reading until the text around it is escaped. Neither survives in text of a book. */
const [OPEN, CLOSE] = ['\u0001', '\u0002']

/** `root`: the tree of the document. */
export function readBlocks(root: MarkupElement): DocumentBlocks {
  const blocks: Block[] = []
  const omitted: OmittedPart[] = []
  let pieces: string[] = []
  let ids: string[] = []
  let descriptions: string[] = []
  let level = 0

  function end(): void {
    const said = pieces
      .join('')
      .replaceAll(/[^\S\n]+/g, ' ')
      .replaceAll(/ ?\n[\n ]*/g, '\n')
      .trim()
    // A picture speaks only when it is alone in its paragraph.
    const raw = said === '' ? descriptions.join(' ').trim() : said
    const text = escapeScript(composed(raw)).replaceAll(OPEN, '[[').replaceAll(CLOSE, ']]')
    pieces = []
    descriptions = []
    if (text === '') return
    blocks.push({ text, level, ids })
    ids = []
  }

  function visit(element: MarkupElement): void {
    const id = element.attributes.get('id') ?? (element.name === 'a' ? element.attributes.get('name') : undefined)
    const isBlock = BLOCKS.has(element.name)
    if (isBlock) end()
    if (id !== undefined) ids.push(id)
    if (isSilent(element)) return
    const why = omissionIn(element)
    if (why !== null) {
      omitted.push({ title: headingIn(element), why })
      return
    }
    switch (element.name) {
      case 'br':
        return void pieces.push('\n')
      case 'img':
        return void descriptions.push(describedBy(element.attributes.get('alt') ?? ''))
      case 'math':
        return void pieces.push(visibleText(element.attributes.get('alttext') ?? ''))
      case 'ruby':
        return void pieces.push(rubyOf(element))
    }
    const outer = level
    const heading = /^h([1-6])$/.exec(element.name)?.[1]
    if (heading !== undefined) level = Number(heading)
    for (const child of element.children) {
      if (typeof child === 'string') pieces.push(visibleText(child).replaceAll(/\s+/g, ' '))
      else visit(child)
    }
    if (element.name === 'td' || element.name === 'th') pieces.push(' ')
    if (isBlock) end()
    level = outer
  }

  for (const child of root.children) if (typeof child !== 'string') visit(child)
  end()
  return { blocks, omitted }
}

/** File names and single words describe nothing. */
const describedBy = (alt: string): string => (/\S\s+\S/.test(alt) ? visibleText(alt).replaceAll(/\s+/g, ' ') : '')

function headingIn(element: MarkupElement): string {
  for (const each of elementsIn(element)) if (/^h[1-6]$/.test(each.name)) return toTitle(textIn(each))
  return toTitle(element.attributes.get('title') ?? element.attributes.get('aria-label') ?? '')
}

/** Base and reading as a pronunciation, so that names are read as they are printed. */
function rubyOf(element: MarkupElement): string {
  const collect = (from: MarkupElement, isReading: boolean): string =>
    from.children
      .map((child) => {
        if (typeof child === 'string') return isReading === (from.name === 'rt') ? child.trim() : ''
        return child.name === 'rp' ? '' : collect(child, isReading)
      })
      .join('')
  const [base, reading] = [visibleText(collect(element, false)), visibleText(collect(element, true))]
  const fits = base !== '' && reading !== '' && base.length + reading.length < 256 && !/[[\]|\\\n]/.test(base + reading)
  return fits ? `${OPEN}${base}|${reading}${CLOSE}` : base
}
