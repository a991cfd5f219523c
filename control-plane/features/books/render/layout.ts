// The silences of a book: after a sentence, at the borders of its layout, and at the edges of its chapters. Pure.
import { z } from 'zod'
import type { TextSegment } from '#shared/text/script/segments.ts'

/** Milliseconds of silence at the edges of a chapter, and after its title if that is spoken. */
export const CHAPTER_EDGES = { head: 500, tail: 1_000, title: 900 } as const

export const LONGEST_LAYOUT_PAUSE_MS = 10_000
const pause = (usual: number) => z.int().min(0).max(LONGEST_LAYOUT_PAUSE_MS).default(usual)

/** Milliseconds of silence after each part of the layout. A pause that is written in a manuscript replaces them. */
export const LayoutPauses = z.strictObject({
  sentence: pause(250),
  heading: pause(900),
  paragraph: pause(600),
  list_item: pause(350),
  verse_line: pause(300),
  dialogue: pause(450),
  quotation: pause(600),
  table_row: pause(400),
  table_cell: pause(250),
  scene_break: pause(1_800),
})
export type LayoutPauses = z.output<typeof LayoutPauses>

/** Milliseconds after a segment. A stanza ends like a paragraph, and so does a list or a table, whose last line has at least its own pause. */
export function layoutPause({ kind, end }: Pick<TextSegment, 'kind' | 'end'>, pauses: LayoutPauses): number {
  if (kind === 'sceneBreak') return pauses.scene_break
  if (end === 'sentence') return pauses.sentence
  if (end === 'cell') return pauses.table_cell
  switch (kind) {
    case 'heading':
      return pauses.heading
    case 'dialogue':
      return pauses.dialogue
    case 'quotation':
      return end === 'line' ? pauses.verse_line : pauses.quotation
    case 'verse':
      return end === 'line' ? pauses.verse_line : pauses.paragraph
    case 'listItem':
      return end === 'line' ? pauses.list_item : Math.max(pauses.list_item, pauses.paragraph)
    case 'tableRow':
      return end === 'line' ? pauses.table_row : Math.max(pauses.table_row, pauses.paragraph)
    default:
      return end === 'line' ? pauses.verse_line : pauses.paragraph
  }
}
