// The table of contents of an EPUB: where its chapters begin. Pure.
import { toTitle } from '../book.ts'
import { elementsIn, type MarkupElement, textIn } from '../markup/markup.ts'
import { resolveHref } from './href.ts'
import { type BookFiles, type EpubPackage, readMarkup } from './package.ts'

/** `fragment`: empty for the start of the document. */
export type ContentsTarget = { readonly title: string; readonly path: string; readonly fragment: string }
type Listed = ContentsTarget & { readonly parent: ContentsTarget | null }

const MAX_TARGETS = 20_000
const PART = /^(part|book|volume|teil|buch|partie|livre|parte|libro|часть|книга|第)/i

/** In the order of the contents; empty without a table. Sections of a chapter that share its document are not chapters. */
export function readContents(files: BookFiles, { nav, ncx }: Pick<EpubPackage, 'nav' | 'ncx'>): ContentsTarget[] {
  const listed = nav === null ? [] : fromNav(files, nav)
  const found = listed.length > 0 || ncx === null ? listed : fromNcx(files, ncx)
  return found
    .slice(0, MAX_TARGETS)
    .filter(({ path, parent }) => parent === null || parent.path !== path || PART.test(parent.title))
    .map(({ title, path, fragment }) => ({ title, path, fragment }))
}

const childrenOf = (element: MarkupElement): MarkupElement[] => element.children.filter((child) => typeof child !== 'string')

function fromNav(files: BookFiles, path: string): Listed[] {
  const root = readMarkup(files, path)
  const navs = root === null ? [] : [...elementsIn(root)].filter(({ name }) => name === 'nav')
  const isToc = (nav: MarkupElement) => /\b(?:toc|doc-toc)\b/.test(`${nav.attributes.get('epub:type')} ${nav.attributes.get('role')}`)
  const nav = navs.find(isToc) ?? navs[0]
  const found: Listed[] = []
  const visit = (element: MarkupElement, parent: ContentsTarget | null) => {
    for (const child of childrenOf(element)) {
      if (child.name !== 'li') {
        visit(child, parent)
        continue
      }
      const link = childrenOf(child).find(({ name }) => name === 'a')
      const target = link && targetOf(path, link.attributes.get('href'), textIn(link))
      if (target) found.push({ ...target, parent })
      for (const list of childrenOf(child)) if (list.name === 'ol' || list.name === 'ul') visit(list, target ?? parent)
    }
  }
  if (nav) visit(nav, null)
  return found
}

function fromNcx(files: BookFiles, path: string): Listed[] {
  const root = readMarkup(files, path)
  const found: Listed[] = []
  const visit = (element: MarkupElement, parent: ContentsTarget | null) => {
    for (const child of childrenOf(element)) {
      if (child.name !== 'navpoint') {
        if (child.name !== 'pagelist' && child.name !== 'navlist') visit(child, parent)
        continue
      }
      const label = childrenOf(child).find(({ name }) => name === 'navlabel')
      const content = childrenOf(child).find(({ name }) => name === 'content')
      const target = targetOf(path, content?.attributes.get('src'), label ? textIn(label) : '')
      if (target) found.push({ ...target, parent })
      visit(child, target ?? parent)
    }
  }
  if (root) visit(root, null)
  return found
}

function targetOf(base: string, href: string | undefined, title: string): ContentsTarget | null {
  const resolved = href === undefined ? null : resolveHref(base, href)
  return resolved && { title: toTitle(title), ...resolved }
}
