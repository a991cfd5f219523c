// A manuscript after it was parsed.
import type { ParagraphKind } from './line.ts'

export type ScriptSpan = {
  /** Name as it is written in the script; null for the default voice. */
  readonly voice: string | null
  /**
   * Paragraphs are separated by blank lines, cells of a table row by tabs; `[[…]]` and tags that are not part of the grammar are kept. The marks of
   * layout are not in it, except for the stars of a scene break and the number of a list item.
   */
  readonly text: string
  readonly pauseMsAfter: number
  /** Null at the usual speed. */
  readonly speed: number | null
  /** True if a paragraph ends after this span. */
  readonly endsParagraph: boolean
  /** True if a line ends after this span, such as an item of a list or a verse. */
  readonly endsLine: boolean
  /** Number of the take, from 2 on: the same words with another seed. Absent for the first. */
  readonly take?: number
  /** Kind of each paragraph of `text`; one without a kind is a `paragraph`. */
  readonly kinds: readonly ParagraphKind[]
}
export type Chapter = {
  /** Empty for text before the first heading. */
  readonly title: string
  /** False for a chapter that is not spoken. */
  readonly included: boolean
  /** Silence before the first words. */
  readonly pauseMsBefore: number
  readonly spans: readonly ScriptSpan[]
  /** Sentences about what is not followed, of a manuscript in SSML. */
  readonly notices?: readonly string[]
}
