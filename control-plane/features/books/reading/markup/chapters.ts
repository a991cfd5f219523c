// Cuts the blocks of a document without a table of contents into chapters. Pure.
import { type OmittedPart, type ReadBook, type ReadChapter, toTitle } from '../book.ts'
import { chapterLineOf, isHeading } from '../text/chapter-line.ts'
import { contentsOf } from '../text/plain.ts'
import { type Block, readBlocks } from './blocks.ts'
import type { MarkupElement } from './markup.ts'

/** The document says it itself; null for each value that it does not say. */
export type AboutBook = Pick<ReadBook, 'title' | 'author' | 'language' | 'cover'> & Partial<Pick<ReadBook, 'picture' | 'notices'>>

/** UTF-16 units before the first chapter that still belong to the title of a book. */
const TITLE_PAGE = 200
const MAX_OMITTED = 500
const PART =
  /^(?:part|book|volume|teil|buch|band|partie|livre|tome|parte|libro|część|księga|tom|deel|boek|часть|книга|том)(?![\p{L}\p{M}])|^第.{1,9}[部卷]|(?:^|\s)(?:part|teil|часть|книга)$/iu

/** A document of one piece as a book. */
export function bookOf(root: MarkupElement, about: AboutBook): ReadBook {
  const { blocks, omitted } = readBlocks(root)
  const hasHeadings = blocks.some(({ level }) => level > 0)
  const cut = hasHeadings ? atHeadings(blocks, about) : atChapterLines(blocks)
  const skipped = [...cut.omitted, ...omitted].slice(0, MAX_OMITTED).map((part) => ({ ...part, title: toTitle(part.title) }))
  return { ...about, title: about.title ?? cut.title, chapters: cut.chapters, skipped, notices: about.notices ?? [] }
}

type Cut = { readonly title: string | null; readonly chapters: readonly ReadChapter[]; readonly omitted: readonly OmittedPart[] }

/** Titles are no script: nothing in them is escaped. */
const titleOf = ({ text }: Block): string =>
  toTitle(
    text
      .replace(/^#{1,6} /, '')
      .replaceAll(/\[\[([^|[\]]{1,256})\|[^[\]]{1,256}\]\]/g, '$1')
      .replaceAll(/\\([^\p{L}\p{N}\s])/gu, '$1'),
  )
const letters = (text: string): string => text.toLowerCase().replaceAll(/[^\p{L}\p{N}]+/gu, '')

/**
 * At the headings of the highest level. The only heading of a level with text of a title page below is the title of the book, and the chapters
 * are at the next level. Below parts, and above headings that say "Chapter 1", two levels are chapters.
 */
function atHeadings(blocks: readonly Block[], about: AboutBook): Cut {
  const levels = [...new Set(blocks.map(({ level }) => level))].filter((level) => level > 0).toSorted((a, b) => a - b)
  const at = (level: number | undefined) => blocks.flatMap((block, index) => (block.level === level ? [index] : []))
  const isNamed = (text: string, name: string | null) => name !== null && letters(text) === letters(name)
  const highest = at(levels[0])
  const isAlone = highest.length === 1 && levels.length > 1
  const first = highest[0]!
  const hasTitle = isTitlePage(blocks, first) && (isAlone || isNamed(titleOf(blocks[first]!), about.title))
  const titles = highest.filter((index) => !hasTitle || index !== first)
  let place = titles.length === 0 ? 1 : 0
  const upper = at(levels[place]).filter((index) => !hasTitle || index !== first)
  const lower = at(levels[place + 1])
  const numbered = lower.filter((index) => chapterLineOf(titleOf(blocks[index]!))?.isNumbered)
  const parts = upper.filter((index) => PART.test(titleOf(blocks[index]!)))
  if (lower.length > 0 && (numbered.length * 2 > lower.length || parts.length * 2 > upper.length)) place++
  const chapterLevel = levels[place]!
  const isChapter = ({ level }: Block) => level > 0 && level <= chapterLevel
  const title = hasTitle ? titleOf(blocks[first]!) : null
  if (title === null || (about.title !== null && !isNamed(title, about.title)))
    return { title, chapters: chaptersOf(blocks, isChapter), omitted: [] }
  const start = blocks.findIndex(({ level }, index) => index > first && level > 0)
  const read = blocks.filter((block, index) => index !== first && (index > start || !isNamed(titleOf(block), about.author)))
  return { title, chapters: chaptersOf(read, isChapter), omitted: [{ title, why: 'The title page is not read.' }] }
}

/** True if a heading is at the start, and the next one follows after little text. */
function isTitlePage(blocks: readonly Block[], heading: number): boolean {
  const next = blocks.findIndex(({ level }, index) => index > heading && level > 0)
  const around = blocks.slice(0, next).filter((_, index) => index !== heading)
  return next > 0 && around.every(({ level }) => level === 0) && around.reduce((sum, { text }) => sum + text.length, 0) <= TITLE_PAGE
}

/** Chapters of a document without headings, at the lines that a plain text would have them at. */
function atChapterLines(blocks: readonly Block[]): Cut {
  const lines = blocks.map((block) => titleOf(block))
  const contents = contentsOf(lines)
  const starts = new Set(blocks.filter(({ text }, at) => !text.includes('\n') && isHeading(lines[at]!, false, false)))
  const read = blocks.filter((_, at) => !contents.has(at))
  const omitted = contents.size === 0 ? [] : [{ title: 'Contents', why: 'A table of contents is not read.' }]
  return { title: null, chapters: chaptersOf(read, (block) => starts.has(block)), omitted }
}

function chaptersOf(blocks: readonly Block[], isStart: (block: Block) => boolean): ReadChapter[] {
  const drafts: { readonly title: string; readonly texts: string[] }[] = [{ title: '', texts: [] }]
  for (const block of blocks) {
    if (isStart(block)) drafts.push({ title: titleOf(block), texts: [] })
    else drafts.at(-1)!.texts.push(block.level > 0 && !block.text.startsWith('#') ? `## ${block.text.replaceAll('\n', ' ')}` : block.text)
  }
  return drafts.map(({ title, texts }) => ({ title, text: texts.join('\n\n') })).filter(({ title, text }) => title !== '' || text !== '')
}
