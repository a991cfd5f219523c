// Chapters of a foreign book before their titles and parts are settled. Pure.
import type { Block } from './block.ts'

export type Draft = {
  /** From the contents or a heading; empty without one. */
  readonly title: string
  /** Name of the document that it begins in; empty for a book of one document. */
  readonly place: string
  /** True if the contents of the book name it. */
  readonly isListed: boolean
  readonly blocks: readonly Block[]
  /** Reason not to read it; null for a chapter that is read. */
  readonly why: string | null
}
