// Blocks: what the paragraphs of a foreign book become before they are written as a manuscript. Pure.
import { visibleText } from '../book.ts'

export type BlockKind = 'heading' | 'paragraph' | 'item' | 'quotation' | 'row' | 'verse' | 'break'

/** A part of a book that is not read unless a user switches it on. Blocks of one part share one object. */
export type UnreadPart = {
  readonly why: string
  /** Empty without one. */
  readonly title: string
  /** True for footnotes and endnotes. */
  readonly isNote: boolean
}

export type Block = {
  readonly kind: BlockKind
  /**
   * Plain text. Lines of verse and of quotations are separated by line breaks, cells of a row by `CELL_END`; readings of characters are written
   * between `READING`. Empty for a scene break.
   */
  readonly text: string
  /** 1 to 6 for a heading, else 0. */
  readonly level: number
  /** Mark of a list item, such as `- ` or `3. `; empty for other blocks. */
  readonly marker: string
  /** Ids at the start of the block and in it. */
  readonly ids: readonly string[]
  /** Ids of elements that begin with this block or that contain it, as `path#id`. */
  readonly inside: readonly string[]
  /** Notes that marks in this block name, as `path#id`. */
  readonly notes: readonly string[]
  /** True if it begins with the mark of a note, which is not part of `text`, or has a link back to one. */
  readonly isLabelled: boolean
  /** UTF-16 units of its text that are links. */
  readonly linked: number
  /** Null for text that is read. */
  readonly part: UnreadPart | null
}

/** A chapter before its title and its parts are settled. */
export type ChapterDraft = {
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

/** Delimiters that no text of a book contains after `visibleText`. */
export const READING = ['\u0001', '\u0002'] as const
export const CELL_END = '\u0004'

const PLAIN: Omit<Block, 'kind' | 'text'> = {
  level: 0,
  marker: '',
  ids: [],
  inside: [],
  notes: [],
  isLabelled: false,
  linked: 0,
  part: null,
}
export const blockOf = (kind: BlockKind, text: string, more: Partial<Block> = {}): Block => ({ ...PLAIN, ...more, kind, text })

/** Signs that people put between scenes. Brackets, dots and quotation marks are speech or its absence. */
const ORNAMENTS = /^[*#~\-–—_=+•·∙◦†‡§¶⁂⁎⁑\p{So}\s]{1,60}$/u

const EMOJI_STYLE = '\ufe0f'

/** True for a line of ornaments alone. */
export const isSceneBreak = (text: string): boolean =>
  text.trim() !== '' && text.length <= 60 && ORNAMENTS.test(text.replaceAll(EMOJI_STYLE, ''))

/** `[Pg 13]`: where a page of the printed book began. */
const PAGE_MARKS = /\[(?:pg|page|p\.) ?(?:\d{1,4}|[ivxlcdm]{1,8})\]/gi
/** `word[3]`: a number in brackets behind a word or a stop. */
const NOTE_MARKS = /(?<=\p{L}{2}|[.,;:!?”"’)»])\[(?:\d{1,3}|\*{1,3}|[†‡])\](?!\w)/gu

export type MarkCounts = { notes: number; pages: number }

/** The text without marks of pages and notes that are written as text; `counts` grows by them. */
export function withoutWrittenMarks(text: string, counts: MarkCounts): string {
  if (!text.includes('[')) return text
  return text
    .replaceAll(PAGE_MARKS, () => {
      counts.pages++
      return ''
    })
    .replaceAll(NOTE_MARKS, () => {
      counts.notes++
      return ''
    })
}

/** A paragraph of a text without markup, with lines of verse on lines of their own. */
export function blockOfText(text: string, more: Partial<Block> = {}): Block {
  const said = visibleText(text).trim()
  if (isSceneBreak(said)) return blockOf('break', '', more)
  return blockOf(said.includes('\n') ? 'verse' : 'paragraph', said, more)
}

/** Text without the readings of its characters. */
export const withoutReadings = (text: string): string =>
  text.replaceAll(/\u0001([^\u0001\u0002|]{0,256})\|[^\u0001\u0002]{0,256}\u0002/g, '$1')

/** The text of a block on one line, without readings of characters. */
export const flatText = ({ text }: Pick<Block, 'text'>): string =>
  withoutReadings(text)
    .replaceAll(/[\s\u0004]+/g, ' ')
    .trim()
