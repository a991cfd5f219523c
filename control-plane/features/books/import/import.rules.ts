// Limits of archives, and the manuscript of a book that was read. Pure.
import { Failure } from '#shared/protocol/failure.ts'
import type { Chapter } from '#shared/text/script/span.ts'
import { titleLine } from '#shared/text/script/title-line.ts'
import { isSpoken } from '../plan/plan.rules.ts'
import { MAX_CHAPTERS, SCRIPT_CHARS } from '../plan/plan.schema.ts'
import { parseScriptInTurns } from '../plan/script-turns.ts'
import type { ReadBook } from '../reading/book.ts'

export const FILE_BYTES = 64 * 1024 ** 2
/** Names in an archive that no reader opens: pictures, fonts, sound, programs, embedded documents. */
const UNREAD =
  /\.(jpe?g|png|gif|webp|svg|bmp|tiff?|avif|emf|wmf|otf|ttf|odttf|woff2?|mp3|m4a|mp4|ogg|opus|wav|webm|css|js|smil|pls|bin|docx?|xls[xm]?|pptx?|iwa)$/
export const ENTRY_BYTES = 25 * 1024 ** 2
export const BOOK_BYTES = 300 * 1024 ** 2
/** The most bytes of an entry; null for one that is not unpacked. A book of one file contains its pictures. */
export const entryBytes = (name: string): number | null =>
  UNREAD.test(name) ? null : /\.f(?:b2|odt)$/.test(name) ? FILE_BYTES : ENTRY_BYTES

const refused = (why: string) => new Failure('BAD_REQUEST', why)

type Manuscript = {
  readonly text: string
  readonly chapters: readonly Chapter[]
  /** The chapters with words, in the order of the plan. */
  readonly parts: readonly { readonly title: string; readonly included: boolean; readonly why: string | null }[]
}

/** A chapter that is switched off has a name in lists. */
const nameOf = (title: string, included: boolean): string => title || (included ? '' : 'Untitled part')

/** Throws BAD_REQUEST for a book without text or beyond the limits of a manuscript. */
export async function manuscriptOf(book: Pick<ReadBook, 'chapters'>): Promise<Manuscript> {
  const text = book.chapters
    .map(({ title, text, included }, at) =>
      at === 0 && title === '' && included ? text : `${titleLine({ title: nameOf(title, included), included })}\n\n${text}`.trimEnd(),
    )
    .join('\n\n')
  if (text.length > SCRIPT_CHARS) throw refused(`The book has more than ${SCRIPT_CHARS} characters. Split it and import the parts.`)
  const chapters = await parseScriptInTurns(text, MAX_CHAPTERS)
  if (chapters.length > MAX_CHAPTERS) throw refused(`The book has more than ${MAX_CHAPTERS} chapters. Split it and import the parts.`)
  const spoken = chapters.filter(isSpoken)
  if (spoken.length === 0) throw refused('The book contains no text.')
  const reasons = new Map(book.chapters.flatMap(({ title, included, why }) => (why ? [[nameOf(title, included), why] as const] : [])))
  const parts = spoken.map(({ title, included }) => ({ title, included, why: included ? null : (reasons.get(title) ?? null) }))
  return { text, chapters, parts }
}
