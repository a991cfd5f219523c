// EPUB 2 and 3: the documents in the order of the spine, cut into chapters by the table of contents. Pure.
import { type OmittedPart, type ReadBook, toTitle, UnreadableBook } from '../book.ts'
import type { MarkCounts } from '../chapters/block.ts'
import { createDrafts } from '../chapters/drafts.ts'
import { finishedBook } from '../chapters/finish.ts'
import type { Notes } from '../chapters/notes-setting.ts'
import { WHY } from '../chapters/why.ts'
import { readBlocks } from '../markup/blocks.ts'
import { omissionOf } from '../markup/roles.ts'
import { readContents } from './contents.ts'
import { resolveHref } from './href.ts'
import { type BookFiles, isBinary, readMarkup, readPackage } from './package.ts'

const MAX_OMITTED = 500

/** Throws UnreadableBook. */
export function readEpub(files: BookFiles, notes: Notes = 'omit'): ReadBook {
  const { title, author, language, cover, spine, guide, nav, ncx } = readPackage(files)
  const contents = readContents(files, { nav, ncx })
  const targets = Map.groupBy(contents, ({ path }) => path)
  const unread: OmittedPart[] = []
  const notices: string[] = []
  const marks: MarkCounts = { notes: 0, pages: 0 }
  const titleOf = (path: string) => targets.get(path)?.[0]?.title || toTitle(path.split('/').at(-1)!)
  const drafts = createDrafts(new Set(contents.map((target) => target.title.toLowerCase())))
  for (const { path, isLinear } of spine) {
    if (isBinary(files, path)) {
      unread.push({ title: titleOf(path), why: 'It is not a text.' })
      continue
    }
    const markup = path === ncx ? null : readMarkup(files, path)
    if (markup === null) {
      if (path !== ncx) notices.push(`A document of the book is missing: ${toTitle(path)}.`)
      continue
    }
    const resolve = (href: string) => {
      const target = resolveHref(path, href)
      return target && `${target.path}#${target.fragment}`
    }
    const found = readBlocks(markup, { path, resolve })
    marks.notes += found.marks.notes
    marks.pages += found.marks.pages
    for (const { words, why } of found.unread.slice(0, MAX_OMITTED)) unread.push({ title: toTitle(words), why, place: toTitle(path) })
    const own = targets.get(path) ?? []
    const why = !isLinear ? WHY.outside : (omissionOf(guide.get(path) ?? '') ?? (path === nav ? WHY.contents : null))
    if (why !== null) drafts.addUnread(path, own[0]?.title ?? '', found.blocks, why)
    else drafts.add(path, found.blocks, own)
  }
  if (spine.length === 0) throw new UnreadableBook('The book is empty: it names no documents to read.')
  const finished = finishedBook(drafts.all(), { notes, unread, marks })
  return { title, author, language, cover, ...finished, notices: notices.slice(0, MAX_OMITTED) }
}
