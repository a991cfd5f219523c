// EPUB 2 and 3: the documents in the order of the spine, cut into chapters by the table of contents. Pure.
import { type OmittedPart, type ReadBook, type ReadChapter, toTitle, UnreadableBook } from '../book.ts'
import { type Block, readBlocks } from '../markup/blocks.ts'
import { omissionOf } from '../markup/roles.ts'
import { type ContentsTarget, readContents } from './contents.ts'
import { type BookFiles, isBinary, readMarkup, readPackage } from './package.ts'

/** Characters of a page before the first chapter that is no chapter itself. */
const SHORT_PAGE = 200
const MAX_OMITTED = 500

/** Throws UnreadableBook. */
export function readEpub(files: BookFiles): ReadBook {
  const { title, author, language, cover, spine, guide, nav, ncx } = readPackage(files)
  const targets = Map.groupBy(readContents(files, { nav, ncx }), ({ path }) => path)
  const omitted: OmittedPart[] = []
  const notices: string[] = []
  const chapters: Draft[] = []
  const titleOf = (path: string) => targets.get(path)?.[0]?.title || toTitle(path.split('/').at(-1)!)
  for (const { path, isLinear } of spine) {
    const why = !isLinear ? 'It is outside of the order of reading.' : omissionOf(guide.get(path) ?? '')
    if (why !== null || path === nav || path === ncx) {
      omitted.push({ title: titleOf(path), why: why ?? 'A table of contents is not read.' })
      continue
    }
    if (isBinary(files, path)) {
      omitted.push({ title: titleOf(path), why: 'It is not a text.' })
      continue
    }
    const markup = readMarkup(files, path)
    if (markup === null) {
      notices.push(`A document of the book is missing: ${toTitle(path)}.`)
      continue
    }
    const found = readBlocks(markup)
    for (const part of found.omitted.slice(0, MAX_OMITTED)) omitted.push({ ...part, title: part.title || titleOf(path) })
    const own = targets.get(path) ?? []
    const length = found.blocks.reduce((sum, { text }) => sum + text.length, 0)
    const isFrontPage = targets.size > 0 && own.length === 0 && chapters.length === 0
    if (isFrontPage && length < SHORT_PAGE && found.blocks.every(({ level }) => level === 0)) {
      if (length > 0) omitted.push({ title: titleOf(path), why: 'A short page before the first chapter is not read.' })
      continue
    }
    place(found.blocks, own, targets.size > 0, chapters)
  }
  if (spine.length === 0) throw new UnreadableBook('The book is empty: it names no documents to read.')
  return {
    title,
    author,
    language,
    cover,
    chapters: chapters.map(finished).filter((chapter) => chapter.title !== '' || chapter.text !== ''),
    skipped: omitted.slice(0, MAX_OMITTED),
    notices: notices.slice(0, MAX_OMITTED),
  }
}

type Draft = { readonly title: string; readonly blocks: Block[] }

/** Adds the blocks of a document to the last chapter, or to the chapters that begin in it. */
function place(blocks: readonly Block[], targets: readonly ContentsTarget[], hasContents: boolean, chapters: Draft[]): void {
  const starts = new Map<number, string>()
  const places = new Map<string, number>()
  for (const [at, { ids }] of blocks.entries()) for (const id of ids) if (!places.has(id)) places.set(id, at)
  for (const { title, fragment } of targets) {
    const start = places.get(fragment) ?? 0
    if (!starts.has(start)) starts.set(start, title)
  }
  for (const [at, block] of blocks.entries()) {
    const isHeading = !hasContents && block.level > 0 && block.level <= 2
    const title = starts.get(at) ?? (isHeading ? toTitle(unescaped(block.text)) : undefined)
    if (title !== undefined) chapters.push({ title, blocks: [block] })
    else if (chapters.length === 0) chapters.push({ title: '', blocks: [block] })
    else chapters.at(-1)!.blocks.push(block)
  }
  // A chapter whose page has no text, such as the picture before a part.
  if (blocks.length === 0 && targets[0]) chapters.push({ title: targets[0].title, blocks: [] })
}

/** Titles are no script: nothing in them is escaped. */
const unescaped = (text: string): string =>
  text.replaceAll(/\[\[([^|[\]]{1,256})\|[^[\]]{1,256}\]\]/g, '$1').replaceAll(/\\([\\[#])/g, '$1')
const letters = (text: string): string => text.toLowerCase().replaceAll(/[^\p{L}\p{N}]+/gu, '')

/** The heading at the start of a chapter is its title, which is not text. */
function finished({ title, blocks }: Draft): ReadChapter {
  const name = letters(title)
  const isTitle = ({ level, text }: Block) => {
    const heading = letters(text)
    return level > 0 && title !== '' && (name.includes(heading) || heading.includes(name))
  }
  const first = blocks.findIndex((block) => !isTitle(block))
  const body = first < 0 ? [] : blocks.slice(first)
  return { title, text: body.map(({ text }) => text).join('\n\n') }
}
