// Chapters of a document without a table of contents, at its headings or at the lines that a plain text would have them at. Pure.
import { type OmittedPart, type ReadBook, toTitle } from '../book.ts'
import { type Block, type ChapterDraft, flatText } from '../chapters/block.ts'
import { finishedBook } from '../chapters/finish.ts'
import type { Notes } from '../chapters/notes-setting.ts'
import { isPart, titleOfHeading } from '../chapters/titles.ts'
import { WHY } from '../chapters/why.ts'
import { chapterLineOf, isHeading } from '../text/chapter-line.ts'
import { contentsOf } from '../text/plain.ts'
import { readBlocks } from './blocks.ts'
import type { MarkupElement } from './markup.ts'

/** Facts that the document states about itself; null for each one that it does not state. */
export type AboutBook = Pick<ReadBook, 'title' | 'author' | 'language' | 'cover'> & Partial<Pick<ReadBook, 'picture' | 'notices'>>

/** UTF-16 units before the first chapter that still belong to the title of a book. */
const TITLE_PAGE = 200

/** A document of one piece as a book. `root`: its tree, in which links name ids, such as `#note-1`. */
export function bookOf(root: MarkupElement, about: AboutBook, notes: Notes): ReadBook {
  const { blocks, unread, marks } = readBlocks(root)
  const hasHeadings = blocks.some((block) => isShown(block) && block.level > 0)
  const { title, drafts } = hasHeadings ? atHeadings(blocks, about) : { title: null, drafts: atChapterLines(blocks) }
  const parts: OmittedPart[] = unread.map(({ words, why }) => ({ title: toTitle(words), why }))
  return { ...about, title: about.title ?? title, ...finishedBook(drafts, { notes, unread: parts, marks }), notices: about.notices ?? [] }
}

/** Headings of parts that are not read begin no chapters. */
const isShown = ({ part }: Block): boolean => part === null
const letters = (text: string): string => text.toLowerCase().replaceAll(/[^\p{L}\p{N}]+/gu, '')
const isNamed = (block: Block, name: string | null): boolean => name !== null && letters(flatText(block)) === letters(name)

/**
 * At the headings of the highest level. The only heading of a level with text of a title page below is the title of the book, and the chapters
 * are at the next level. Below parts, and above headings that say "Chapter 1", two levels are chapters.
 */
function atHeadings(blocks: readonly Block[], about: AboutBook): { readonly title: string | null; readonly drafts: ChapterDraft[] } {
  const levels = [...new Set(blocks.filter(isShown).map(({ level }) => level))].filter((level) => level > 0).toSorted((a, b) => a - b)
  const at = (level: number | undefined) => blocks.filter((block) => block.level === level && isShown(block))
  const highest = at(levels[0])
  const first = highest[0]!
  const isTitle = isTitlePage(blocks, first) && ((highest.length === 1 && levels.length > 1) || isNamed(first, about.title))
  const upper = highest.filter((block) => !isTitle || block !== first)
  let place = upper.length === 0 && levels.length > 1 ? 1 : 0
  const [above, below] = [place === 0 ? upper : at(levels[place]), at(levels[place + 1])]
  const numbered = below.filter((block) => chapterLineOf(flatText(block))?.isNumbered)
  const parts = above.filter((block) => isPart(flatText(block)))
  if (below.length > 0 && (numbered.length * 2 > below.length || parts.length * 2 > above.length)) place++
  const deepest = levels[place]!
  const isStart = (block: Block) => isShown(block) && block.level > 0 && block.level <= deepest
  if (!isTitle) return { title: null, drafts: draftsOf(blocks, isStart) }
  const title = titleOfHeading(first.text)
  if (about.title !== null && !isNamed(first, about.title)) return { title, drafts: draftsOf(blocks, isStart) }
  const titleAt = blocks.indexOf(first)
  const start = blocks.findIndex((block, index) => index > titleAt && block.level > 0 && isShown(block))
  const page = blocks.filter((block, index) => block === first || ((start < 0 || index < start) && isNamed(block, about.author)))
  const rest = blocks.filter((block) => !page.includes(block))
  return { title, drafts: [{ title, place: '', isListed: false, blocks: page, why: WHY.titlePage }, ...draftsOf(rest, isStart)] }
}

/** True if a heading is at the start, and the next one follows after little text. */
function isTitlePage(blocks: readonly Block[], heading: Block): boolean {
  const at = blocks.indexOf(heading)
  const next = blocks.findIndex((block, index) => index > at && block.level > 0 && isShown(block))
  const around = blocks.slice(0, Math.max(0, next)).filter((block) => block !== heading && isShown(block))
  return next > 0 && around.every(({ level }) => level === 0) && around.reduce((sum, { text }) => sum + text.length, 0) <= TITLE_PAGE
}

/** Chapters of a document without headings. */
function atChapterLines(blocks: readonly Block[]): ChapterDraft[] {
  const lines = blocks.map((block) => (block.kind === 'paragraph' && isShown(block) ? flatText(block) : ''))
  const contents = contentsOf(lines)
  const listed = blocks.filter((_, at) => contents.has(at))
  const starts = new Set<Block>()
  const read = blocks.flatMap((block, at): Block[] => {
    if (contents.has(at)) return []
    if (lines[at] === '' || !isHeading(lines[at]!, false, false)) return [block]
    const heading: Block = { ...block, kind: 'heading', level: 1 }
    starts.add(heading)
    return [heading]
  })
  const page: ChapterDraft[] =
    listed.length === 0 ? [] : [{ title: 'Contents', place: '', isListed: false, blocks: listed, why: WHY.contents }]
  return [...page, ...draftsOf(read, (block) => starts.has(block))]
}

function draftsOf(blocks: readonly Block[], isStart: (block: Block) => boolean): ChapterDraft[] {
  const drafts: (ChapterDraft & { readonly blocks: Block[] })[] = []
  for (const block of blocks) {
    const title = isStart(block) ? titleOfHeading(block.text) : null
    if (title !== null || drafts.length === 0) drafts.push({ title: title ?? '', place: '', isListed: false, blocks: [], why: null })
    drafts.at(-1)!.blocks.push(block)
  }
  return drafts
}
