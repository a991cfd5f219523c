// A book that is one document of markup: its chapters begin with its headings. Pure.
import { type OmittedPart, toTitle } from '../book.ts'
import { createDrafts } from '../chapters/drafts.ts'
import { type Finished, finishedBook } from '../chapters/finish.ts'
import type { Notes } from '../chapters/notes-setting.ts'
import { readBlocks } from './blocks.ts'
import type { MarkupElement } from './markup.ts'

type Options = {
  readonly notes: Notes
  /** Headings to this level begin chapters. Default 2. */
  readonly deepest?: number
  /** Parts that its reader left out of the tree. */
  readonly unread?: readonly OmittedPart[]
}

/** `root`: the tree of the document. Links in it name ids in it, such as `#note-1`. */
export function chaptersOfDocument(root: MarkupElement, { notes, deepest, unread = [] }: Options): Finished {
  const found = readBlocks(root)
  const drafts = createDrafts(new Set(), deepest)
  drafts.add('', found.blocks, [])
  const own = found.unread.map(({ words, why }) => ({ title: toTitle(words), why }))
  return finishedBook(drafts.all(), { notes, unread: [...unread, ...own], marks: found.marks })
}
