// HTML files, such as pages that were saved and books of Project Gutenberg. Pure.
import { type ReadBook, toTitle } from '../book.ts'
import type { Notes } from '../chapters/notes-setting.ts'
import { bookOf } from '../markup/chapters.ts'
import { attributeOf, elementsIn, type MarkupElement, namedIn, parseMarkup, textIn } from '../markup/markup.ts'
import { embeddedPicture } from '../markup/picture.ts'

const AUTHOR: ReadonlySet<string> = new Set(['author', 'dc.creator', 'dcterms.creator', 'citation_author'])
const TITLE: ReadonlySet<string> = new Set(['dc.title', 'dcterms.title', 'citation_title'])
const LANGUAGE: ReadonlySet<string> = new Set(['dc.language', 'dcterms.language', 'content-language'])

export function readHtml(text: string, notes: Notes = 'omit'): ReadBook {
  const root = parseMarkup(text)
  const metas = namedIn(root, 'meta')
  const meta = (names: ReadonlySet<string>) =>
    metas.flatMap(({ attributes }) => {
      const name = (attributes.get('name') ?? attributes.get('http-equiv') ?? '').toLowerCase()
      return names.has(name) ? [toTitle(attributes.get('content') ?? '')] : []
    })
  const head = namedIn(root, 'head')[0]
  const title = head && namedIn(head, 'title')[0]
  const html = namedIn(root, 'html')[0]
  return bookOf(
    root,
    {
      title: meta(TITLE)[0] || toTitle(title ? textIn(title) : '') || null,
      author: toTitle([...new Set(meta(AUTHOR))].filter(Boolean).join(', ')) || null,
      language: (attributeOf(html, 'lang') || meta(LANGUAGE)[0])?.slice(0, 40) || null,
      cover: null,
      picture: coverIn(root),
    },
    notes,
  )
}

/** A picture inside the file that stands before the first words. */
function coverIn(root: MarkupElement): string | null {
  const body = namedIn(root, 'body')[0] ?? root
  for (const each of elementsIn(body)) {
    if (each.name === 'img') return embeddedPicture(each.attributes.get('src') ?? '')
    if (each.children.some((child) => typeof child === 'string' && child.trim() !== '')) return null
  }
  return null
}
