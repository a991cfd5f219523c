// The table of contents of an EPUB: where its chapters begin. Pure.
import { toTitle } from '../book.ts'
import type { ChapterStart } from '../chapters/drafts.ts'
import { elementsIn, type MarkupElement, textIn } from '../markup/markup.ts'
import { resolveHref } from './href.ts'
import { type BookFiles, type EpubPackage, readMarkup } from './package.ts'

export type ContentsTarget = ChapterStart & { readonly path: string }
const MAX_TARGETS = 20_000
/** In the order of the contents; empty without a table. */
export function readContents(files: BookFiles, { nav, ncx }: Pick<EpubPackage, 'nav' | 'ncx'>): ContentsTarget[] {
  const listed = nav === null ? [] : fromNav(files, nav)
  const found = listed.length > 0 || ncx === null ? listed : fromNcx(files, ncx)
  return found.slice(0, MAX_TARGETS)
}

const childrenOf = (element: MarkupElement): MarkupElement[] => element.children.filter((child) => typeof child !== 'string')

function fromNav(files: BookFiles, path: string): ContentsTarget[] {
  const root = readMarkup(files, path)
  const navs = root === null ? [] : [...elementsIn(root)].filter(({ name }) => name === 'nav')
  const isToc = (nav: MarkupElement) => /\b(?:toc|doc-toc)\b/.test(`${nav.attributes.get('epub:type')} ${nav.attributes.get('role')}`)
  const nav = navs.find(isToc) ?? navs[0]
  const found: ContentsTarget[] = []
  const visit = (element: MarkupElement, parent: ContentsTarget | null) => {
    for (const child of childrenOf(element)) {
      if (child.name !== 'li') {
        visit(child, parent)
        continue
      }
      const link = childrenOf(child).find(({ name }) => name === 'a')
      const target = link && targetOf(path, link.attributes.get('href'), textIn(link), parent)
      if (target) found.push(target)
      for (const list of childrenOf(child)) if (list.name === 'ol' || list.name === 'ul') visit(list, target ?? parent)
    }
  }
  if (nav) visit(nav, null)
  return found
}

function fromNcx(files: BookFiles, path: string): ContentsTarget[] {
  const root = readMarkup(files, path)
  const found: ContentsTarget[] = []
  const visit = (element: MarkupElement, parent: ContentsTarget | null) => {
    for (const child of childrenOf(element)) {
      if (child.name !== 'navpoint') {
        if (child.name !== 'pagelist' && child.name !== 'navlist') visit(child, parent)
        continue
      }
      const label = childrenOf(child).find(({ name }) => name === 'navlabel')
      const content = childrenOf(child).find(({ name }) => name === 'content')
      const target = targetOf(path, content?.attributes.get('src'), label ? textIn(label) : '', parent)
      if (target) found.push(target)
      visit(child, target ?? parent)
    }
  }
  if (root) visit(root, null)
  return found
}

function targetOf(base: string, href: string | undefined, title: string, parent: ContentsTarget | null): ContentsTarget | null {
  const resolved = href === undefined ? null : resolveHref(base, href)
  return resolved && { title: toTitle(title), ...resolved, isNested: parent?.path === resolved.path }
}
