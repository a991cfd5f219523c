// Collects the documents of a book as chapters, where the contents or the headings begin them.
import { type Block, type ChapterDraft, withoutReadings } from './block.ts'
import { matterOfPage } from './matter.ts'
import { titleOfHeading } from './titles.ts'
import { WHY } from './why.ts'

/** The start of a chapter. `fragment`: empty for the start of the document. `isNested`: below an entry of the same document. */
export type ChapterStart = { readonly title: string; readonly fragment: string; readonly isNested: boolean }
/** Levels of headings that begin chapters in a book without contents. */
const CHAPTER_LEVEL = 2
/** UTF-16 units of a page before the first chapter that is no chapter itself. */
const SHORT_PAGE = 200

/** `titles`: those in the contents of the book, in lower case; without any, headings begin chapters, to the level `deepest`. */
export function createDrafts(titles: ReadonlySet<string> = new Set(), deepest = CHAPTER_LEVEL) {
  const hasContents = titles.size > 0
  type Growing = Omit<ChapterDraft, 'blocks'> & { readonly blocks: Block[] }
  const drafts: Growing[] = []
  /** The chapter that the next text belongs to. */
  let current: Growing | null = null

  function begin(title: string, place: string, blocks: Block[], isListed: boolean): void {
    current = { title, place, isListed, blocks, why: null }
    drafts.push(current)
  }
  function addUnread(place: string, title: string, blocks: readonly Block[], why: string): void {
    if (blocks.length > 0) drafts.push({ title, place, isListed: title !== '', blocks: [...blocks], why })
  }
  return {
    all: (): readonly ChapterDraft[] => drafts,
    addUnread,
    /** Adds the blocks of a document to the last chapter, or to the chapters that begin in it. */
    add(place: string, blocks: readonly Block[], targets: readonly ChapterStart[]): void {
      // A page of contents or of rights that the contents do not name is no part of the chapter before it.
      if (hasContents && targets.length === 0) {
        const isShort = current === null && lengthOf(blocks) < SHORT_PAGE && blocks.every(({ level }) => level === 0)
        const why = reasonOf(blocks) ?? matterOfPage(blocks, drafts.length, titles) ?? (isShort ? WHY.shortPage : null)
        if (why !== null) return addUnread(place, '', blocks, why)
      }
      const starts = startsOf(blocks, targets)
      for (const [at, block] of blocks.entries()) {
        const titles = starts.get(at) ?? []
        if (!hasContents && block.level > 0 && block.level <= deepest && block.part === null)
          titles.push(titleOfHeading(withoutReadings(block.text)))
        for (const title of titles) begin(title, place, [], hasContents)
        if (current === null) begin('', place, [], false)
        current!.blocks.push(block)
      }
      // A chapter whose page has no text, such as the picture before a part.
      if (blocks.length === 0) for (const title of starts.get(0) ?? []) begin(title, place, [], true)
    },
  }
}

const lengthOf = (blocks: readonly Block[]): number => blocks.reduce((sum, { text }) => sum + text.length, 0)

/** The reason for a page of which no part is read; null for other pages. */
const reasonOf = (blocks: readonly Block[]): string | null =>
  blocks.every(({ part, kind }) => part !== null || kind === 'heading')
    ? (blocks.find(({ part }) => part !== null)?.part?.why ?? null)
    : null

/** Titles of the chapters that begin with a block, by its place. An entry below another one counts only if the document has its id. */
function startsOf(blocks: readonly Block[], targets: readonly ChapterStart[]): Map<number, string[]> {
  const starts = new Map<number, string[]>()
  const places = new Map<string, number>()
  for (const [at, { ids }] of blocks.entries()) for (const id of ids) if (!places.has(id)) places.set(id, at)
  for (const { title, fragment, isNested } of targets) {
    const found = fragment === '' ? 0 : places.get(fragment)
    if (found === undefined && isNested) continue
    const at = found ?? 0
    const titles = starts.get(at) ?? []
    if (titles.length === 0 || (isNested && !titles.includes(title))) starts.set(at, [...titles, title])
  }
  return starts
}
