// Drafts of chapters as the chapters of a manuscript: what is not read becomes chapters that are switched off. Pure.
import { type OmittedPart, type ReadChapter, toTitle } from '../book.ts'
import { type Block, type ChapterDraft, flatText, type MarkCounts, type UnreadPart, withoutReadings } from './block.ts'
import { joinedLetters } from './drop-caps.ts'
import { withFrameFound } from './gutenberg.ts'
import { withMatterFound } from './matter.ts'
import { withNotesFound, withNotesPlaced } from './notes.ts'
import type { Notes } from './notes-setting.ts'
import { isLabel, isName, isPart, isSameTitle, joinTitles, titled } from './titles.ts'
import { manuscriptText } from './write.ts'

type Options = {
  readonly notes: Notes
  /** Seen in the book and in no block. */
  readonly unread?: readonly OmittedPart[]
  readonly marks?: MarkCounts
}
export type Finished = { readonly chapters: ReadChapter[]; readonly skipped: OmittedPart[] }

const MOST_SKIPPED = 500
const FIRST_WORDS = 80
/** Such as a chapter of notes that are read at their places. */
const NO_TEXT = 'It has no text of its own.'

/** `skipped`: every chapter that is switched off, and what is in no chapter. */
export function finishedBook(drafts: readonly ChapterDraft[], { notes, unread = [], marks = { notes: 0, pages: 0 } }: Options): Finished {
  const found = withMatterFound(withNotesFound(withFrameFound(joinedNumbers(drafts))))
  const { drafts: own, apart } = withNotesPlaced(found.map(withoutTextOff), notes)
  const pieces = [...own, ...(apart === null ? [] : [apart])].flatMap(divided)
  const all = pieces.map((piece) => ({ chapter: finished(piece), place: placeOf(piece) }))
  const chapters = all.flatMap(({ chapter }) => (chapter.text !== '' || (chapter.included && chapter.title !== '') ? [chapter] : []))
  const off = all.flatMap(({ chapter: { title, text, why }, place }) =>
    why === null ? [] : [{ title, why: text === '' ? NO_TEXT : why, place }],
  )
  const counted = (count: number, what: string) => (count === 0 ? [] : [{ title: '', why: `${what} that are not read: ${count}.` }])
  const skipped = [...off, ...unread, ...counted(marks.pages, 'Page numbers'), ...counted(marks.notes, 'Marks of notes')]
  const more = skipped.length - MOST_SKIPPED
  return {
    chapters,
    skipped:
      more <= 0 ? skipped : [...skipped.slice(0, MOST_SKIPPED - 1), { title: '', why: `${more + 1} more parts of the book are not read.` }],
  }
}

const placeOf = ({ place, blocks }: ChapterDraft): string => {
  const [first] = blocks
  return toTitle([place, first === undefined ? '' : flatText(first).slice(0, FIRST_WORDS)].filter(Boolean).join(': '))
}

/** A number whose chapter has no text of its own, and the name behind it, are one chapter: `Chapter 1`, `In which …`. */
function joinedNumbers(drafts: readonly ChapterDraft[]): ChapterDraft[] {
  const joined: ChapterDraft[] = []
  for (const draft of drafts) {
    const last = joined.at(-1)
    const isOne =
      last !== undefined &&
      last.place === draft.place &&
      isLabel(last.title) &&
      !isPart(last.title) &&
      draft.title !== '' &&
      isName(draft.title) &&
      last.why === draft.why &&
      last.blocks.every((block) => block.kind === 'heading' && isSameTitle(flatText(block), last.title))
    if (isOne)
      joined[joined.length - 1] = { ...draft, title: joinTitles(last.title, draft.title), blocks: [...last.blocks, ...draft.blocks] }
    else joined.push(draft)
  }
  return joined
}

/** A chapter in which everything is a part that is not read is switched off as a whole, under its own title. */
function withoutTextOff(draft: ChapterDraft): ChapterDraft {
  const text = draft.blocks.filter(({ kind }) => kind !== 'heading' && kind !== 'break')
  const part = text.find((block) => block.part !== null)?.part ?? null
  if (draft.why !== null || part === null || text.some((block) => block.part === null)) return draft
  // The headings of a part without text around it belong to it, except where they are those of the book.
  const isWhole = draft.blocks.every((block) => block.part !== null || block.kind === 'break') || part.isNote
  return isWhole ? { ...draft, why: part.why } : draft
}

/** A draft, and the parts in it that are not read as drafts of their own: before it those at its start, the others behind it. */
function divided(draft: ChapterDraft): ChapterDraft[] {
  if (draft.why !== null || draft.blocks.every(({ part }) => part === null)) return [draft]
  const first = draft.blocks.findIndex(({ part }) => part === null)
  const parts = (blocks: readonly Block[]): ChapterDraft[] => {
    const found: { part: UnreadPart; blocks: Block[] }[] = []
    for (const block of blocks) {
      if (block.part === null) continue
      const last = found.at(-1)
      if (last?.part.why === block.part.why) last.blocks.push(block)
      else found.push({ part: block.part, blocks: [block] })
    }
    return found.map(({ part, blocks: own }) => ({ ...draft, title: part.title, isListed: false, blocks: own, why: part.why }))
  }
  const start = first < 0 ? draft.blocks.length : first
  const own = { ...draft, blocks: draft.blocks.filter(({ part }) => part === null) }
  return [...parts(draft.blocks.slice(0, start)), own, ...parts(draft.blocks.slice(start))]
}

function finished({ title, blocks, why }: ChapterDraft): ReadChapter {
  const from = blocks.findIndex(({ kind }) => kind !== 'break')
  const body = from < 0 ? [] : blocks.slice(from)
  const count = body.findIndex(({ kind }) => kind !== 'heading')
  const headings = body.slice(0, count < 0 ? body.length : count).map((block) => withoutReadings(block.text))
  const named = titled(title, headings)
  const text = (said: number) => manuscriptText(joinedLetters(body.slice(said)))
  if (why === null || named.title !== '') return { title: toTitle(named.title), text: text(named.said), included: why === null, why }
  const words = body[0] === undefined ? '' : flatText(body[0])
  const isWhole = body[0]?.kind === 'heading' && words.length <= FIRST_WORDS
  return { title: toTitle(words.slice(0, FIRST_WORDS)), text: text(isWhole ? 1 : 0), included: false, why }
}
