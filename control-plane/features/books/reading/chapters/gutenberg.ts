// The frame of Project Gutenberg around a book: header and licence, by the lines that mark their borders. Pure.
import type { Block, ChapterDraft, UnreadPart } from './block.ts'
import { WHY } from './why.ts'

export const FRAME_START = /^\s{0,3}\*{3} ?START OF (?:TH(?:E|IS) )?PROJECT GUTENBERG/i
export const FRAME_END = /^\s{0,3}\*{3} ?END OF (?:TH(?:E|IS) )?PROJECT GUTENBERG/i
const LAST_LINE = /^\s{0,3}End of (?:the )?Project Gutenberg(?:'s|’s)? /i
const FRAME: UnreadPart = { why: WHY.gutenberg, title: 'Project Gutenberg', isNote: false }
/** Share of the blocks of a book in which its frame begins and ends. */
const HEAD = 0.25

/** The drafts with all blocks before the text and behind it as a part. */
export function withFrameFound(drafts: readonly ChapterDraft[]): ChapterDraft[] {
  const count = drafts.reduce((sum, { blocks }) => sum + blocks.length, 0)
  let [start, end, last, at] = [-1, -1, -1, 0]
  for (const { blocks } of drafts)
    for (const { text } of blocks) {
      if (start < 0 && at <= Math.max(50, count * HEAD) && FRAME_START.test(text)) start = at
      if (end < 0 && FRAME_END.test(text)) end = at
      if (LAST_LINE.test(text)) last = at
      at++
    }
  if (start < 0 && end < 0) return [...drafts]
  if (last >= 0 && end - last > 0 && end - last <= 2) end = last
  at = 0
  const framed = (block: Block): Block => {
    const isFramed = at <= start || (end >= 0 && at >= end)
    at++
    return isFramed ? { ...block, part: FRAME } : block
  }
  return drafts.map((draft) => ({ ...draft, blocks: draft.blocks.map(framed) }))
}
