// FictionBook 2: its description, sections and notes. Pure.
import { type ReadBook, toTitle, UnreadableBook } from '../book.ts'
import type { Notes } from '../chapters/notes-setting.ts'
import { bookOf } from '../markup/chapters.ts'
import {
  attributeOf,
  childOf,
  childrenOf,
  elementsIn,
  type MarkupElement,
  namedIn,
  parseDamagedXml,
  parseXml,
  textIn,
} from '../markup/markup.ts'
import { packedPicture } from '../markup/picture.ts'
import { bodyOf } from './body.ts'

/** Throws UnreadableBook. Mistakes of the markup are common in these files, and are read over. */
export function readFb2(text: string, notes: Notes = 'omit'): ReadBook {
  const { root, isDamaged } = treeOf(text.replace(/^\ufeff?\s{0,100}/, ''))
  const book = [...elementsIn(root)].find(({ name }) => name === 'fictionbook')
  if (book === undefined) throw new UnreadableBook('The file is not an FB2 book: it has no element FictionBook.')
  const about = childOf(childOf(book, 'description'), 'title-info')
  const fields = (name: string) => (about ? childrenOf(about).filter((each) => each.name === name) : [])
  const field = (name: string) => toTitle(fields(name).map(textIn)[0] ?? '') || null
  return bookOf(
    bodyOf(childrenOf(book)),
    {
      title: field('book-title'),
      author: toTitle(fields('author').map(nameOf).filter(Boolean).join(', ')) || null,
      language: field('lang')?.slice(0, 40) ?? null,
      cover: null,
      picture: about ? coverOf(book, about) : null,
      notices: !isDamaged ? [] : ['The file has mistakes in its markup. Compare the text with the book.'],
    },
    notes,
  )
}

function treeOf(text: string): { readonly root: MarkupElement; readonly isDamaged: boolean } {
  try {
    return { root: parseXml(text), isDamaged: false }
  } catch {
    return { root: parseDamagedXml(text), isDamaged: true }
  }
}

function nameOf(author: MarkupElement): string {
  const part = (name: string) => textIn(childOf(author, name) ?? author).trim()
  const full = ['first-name', 'middle-name', 'last-name'].filter((name) => childOf(author, name)).map(part)
  return toTitle(full.join(' ')) || (childOf(author, 'nickname') ? toTitle(part('nickname')) : '')
}

function coverOf(book: MarkupElement, about: MarkupElement): string | null {
  const page = childOf(about, 'coverpage')
  const image = page && namedIn(page, 'image')[0]
  const id = attributeOf(image, 'href')?.replace(/^#/, '')
  const binary = id && childrenOf(book).find((each) => each.name === 'binary' && each.attributes.get('id') === id)
  return binary ? packedPicture(textIn(binary)) : null
}
