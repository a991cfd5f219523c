// Footnotes and endnotes: found by their parts and by the marks that name them, and left out, read at their place, or at the end of a chapter. Pure.

import { type Block, blockOf, type ChapterDraft, type UnreadPart } from './block.ts'
import type { Notes } from './notes-setting.ts'
import { WHY } from './why.ts'

const FOOTNOTE: Omit<UnreadPart, 'title'> = { why: WHY.footnotes, isNote: true }
const LABEL = /^[[({]?(?:\d{1,4}|[*†‡§¶]{1,3}|[ivxlc]{1,6}\.)[\])}.:]{0,2}(?:\s|$)/i
const NOTE_ID = /#_{0,2}(?:fn|ftn|foot|footnote|note|endnote|edn|en|rearnote|sdfootnote|sdendnote|linknote)[-_:.]?\d{1,5}\w?$/i

/** Marks the paragraphs that marks of notes name, so that all notes are parts. */
export function withNotesFound(drafts: readonly ChapterDraft[]): ChapterDraft[] {
  const named = new Set(drafts.flatMap(({ blocks }) => blocks.flatMap(({ notes }) => notes)))
  if (named.size === 0) return [...drafts]
  const parts = new Map<string, UnreadPart>()
  const partOf = (block: Block): UnreadPart | null => {
    if (block.part !== null || block.kind === 'heading') return block.part
    for (const id of block.inside) {
      if (!named.has(id)) continue
      // The first block with an id decides for all of its element.
      if (!parts.has(id) && !(block.isLabelled || LABEL.test(block.text) || NOTE_ID.test(id))) named.delete(id)
      else {
        if (!parts.has(id)) parts.set(id, { ...FOOTNOTE, title: '' })
        return parts.get(id)!
      }
    }
    return null
  }
  return drafts.map((draft) => ({ ...draft, blocks: draft.blocks.map((block) => ({ ...block, part: partOf(block) })) }))
}

type Note = { readonly blocks: Block[]; readonly keys: ReadonlySet<string> }

/**
 * Notes one by one: a new one begins with a part, or with an id that a mark names. In a chapter that is not read, paragraphs behind
 * a note that begin no other one belong to it.
 */
function notesIn({ blocks, why }: ChapterDraft, named: ReadonlySet<string>): Note[] {
  const notes: { blocks: Block[]; keys: Set<string> }[] = []
  for (const block of blocks) {
    if (!isNote(block)) {
      const goesOn = why !== null && block.part === null && block.kind !== 'heading' && !block.isLabelled && !LABEL.test(block.text)
      if (goesOn) notes.at(-1)?.blocks.push(block)
      continue
    }
    const keys = block.inside.filter((id) => named.has(id))
    const last = notes.at(-1)
    const goesOn =
      last !== undefined && last.blocks[0]!.part === block.part && (keys.length === 0 || keys.some((key) => last.keys.has(key)))
    if (goesOn) last.blocks.push(block)
    else notes.push({ blocks: [block], keys: new Set(keys) })
    for (const key of keys) notes.at(-1)!.keys.add(key)
  }
  return notes
}

const isNote = ({ part }: Block): boolean => part?.isNote === true
const spoken = (blocks: readonly Block[]): Block[] => blocks.map((block) => ({ ...block, part: null }))

/**
 * The drafts with their notes where `notes` wants them. `apart`: a chapter that is not read with the notes of all others, by chapter; null
 * without any. Notes that no mark names belong to the chapter in which they stand, and a chapter of notes that is not read keeps those.
 */
export function withNotesPlaced(
  drafts: readonly ChapterDraft[],
  notes: Notes,
): { readonly drafts: ChapterDraft[]; readonly apart: ChapterDraft | null } {
  const named = new Set(drafts.flatMap(({ blocks }) => blocks.flatMap((block) => block.notes)))
  const all = drafts.map((draft) => notesIn(draft, named))
  // A chapter of notes stays one if none is read.
  const found = drafts.flatMap(({ why }, at) => (why === null || notes !== 'omit' ? all[at]! : []))
  const byKey = new Map(found.flatMap((note) => [...note.keys].map((key) => [key, note] as const)))
  const said = new Set<Note>()
  const taken = (keys: readonly string[]): Block[] =>
    keys.flatMap((key) => {
      const note = byKey.get(key)
      if (note === undefined || said.has(note)) return []
      said.add(note)
      return spoken(note.blocks)
    })
  // All marks first: a note may stand before its mark.
  const texts = drafts.map(({ blocks, why }) => {
    const text = blocks.filter((block) => !isNote(block))
    if (why !== null) return { text, later: [] }
    if (notes === 'inline') return { text: text.flatMap((block) => [block, ...taken(block.notes)]), later: [] }
    return { text, later: text.flatMap((block) => taken(block.notes)) }
  })
  const apart: Block[] = []
  const placed = drafts.map((draft, at) => {
    const { text, later } = texts[at]!
    const rest = all[at]!.filter((note) => !said.has(note)).flatMap(({ blocks }) => blocks)
    if (draft.why !== null) {
      const gone = new Set(all[at]!.filter((note) => said.has(note)).flatMap(({ blocks }) => blocks))
      return { ...draft, blocks: draft.blocks.filter((block) => !gone.has(block)) }
    }
    const end = [...later, ...spoken(rest)]
    if (notes !== 'omit')
      return { ...draft, blocks: [...text, ...(end.length > 0 && text.length > 0 ? [blockOf('break', '')] : []), ...end] }
    if (end.length > 0 && draft.title !== '') apart.push(blockOf('heading', draft.title, { level: 2 }))
    for (const block of end) apart.push(block)
    return { ...draft, blocks: text }
  })
  const chapter = { title: 'Notes', place: '', isListed: false, blocks: apart, why: FOOTNOTE.why }
  return { drafts: placed, apart: apart.length === 0 ? null : chapter }
}
