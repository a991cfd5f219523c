// Chooses the reader of a file, and writes the manuscript of a book that was read. Pure.
import { Failure } from '#shared/protocol/failure.ts'
import type { Chapter } from '#shared/text/script/span.ts'
import { titleLine } from '#shared/text/script/title-line.ts'
import { isSpoken } from '../plan/plan.rules.ts'
import { MAX_CHAPTERS, SCRIPT_CHARS } from '../plan/plan.schema.ts'
import { parseScriptInTurns } from '../plan/script-turns.ts'
import type { ReadBook } from '../reading/book.ts'
import type { BookKind } from '../reading/kind.ts'

const KINDS: Readonly<Record<string, BookKind>> = { md: 'markdown', markdown: 'markdown', epub: 'epub', pdf: 'pdf' }

/** By the extension of the name; every unknown one is plain text. */
export function bookKindOf(filename: string): BookKind {
  const extension = /\.([a-z]{2,8})$/i.exec(filename.trim())?.[1]?.toLowerCase() ?? ''
  return Object.hasOwn(KINDS, extension) ? KINDS[extension]! : 'text'
}

/** Names in an archive that no reader opens: pictures, fonts, sound, programs. */
const UNREAD = /\.(jpe?g|png|gif|webp|svg|bmp|tiff?|avif|otf|ttf|woff2?|mp3|m4a|mp4|ogg|opus|wav|webm|css|js|smil|pls)$/
export const ENTRY_BYTES = 25 * 1024 ** 2
export const BOOK_BYTES = 300 * 1024 ** 2
/** The most bytes of an entry; null for one that is not unpacked. */
export const entryBytes = (name: string): number | null => (UNREAD.test(name) ? null : ENTRY_BYTES)

const refused = (why: string) => new Failure('BAD_REQUEST', why)

/** A chapter as its reader returns it. */
type ReadPart = ReadBook['chapters'][number] & {
  /** False for one that is switched off, such as an index. */
  readonly included?: boolean
  /** Reason why it is switched off. */
  readonly why?: string | null
}
type Manuscript = {
  readonly text: string
  readonly chapters: readonly Chapter[]
  /** The chapters with words, in the order of the plan. */
  readonly parts: readonly { readonly title: string; readonly included: boolean; readonly why: string | null }[]
}

/** A chapter that is switched off has a name in lists. */
const nameOf = (title: string, included: boolean): string => title || (included ? '' : 'Untitled part')

/** Throws BAD_REQUEST for a book without text or beyond the limits of a manuscript. */
export async function manuscriptOf(book: { readonly chapters: readonly ReadPart[] }): Promise<Manuscript> {
  const text = book.chapters
    .map(({ title, text, included = true }, at) =>
      at === 0 && title === '' && included ? text : `${titleLine({ title: nameOf(title, included), included })}\n\n${text}`.trimEnd(),
    )
    .join('\n\n')
  if (text.length > SCRIPT_CHARS) throw refused(`The book has more than ${SCRIPT_CHARS} characters. Split it and import the parts.`)
  const chapters = await parseScriptInTurns(text, MAX_CHAPTERS)
  if (chapters.length > MAX_CHAPTERS) throw refused(`The book has more than ${MAX_CHAPTERS} chapters. Split it and import the parts.`)
  const spoken = chapters.filter(isSpoken)
  if (spoken.length === 0) throw refused('The book contains no text.')
  const reasons = new Map(
    book.chapters.flatMap(({ title, included = true, why }) => (why ? [[nameOf(title, included), why] as const] : [])),
  )
  const parts = spoken.map(({ title, included }) => ({ title, included, why: included ? null : (reasons.get(title) ?? null) }))
  return { text, chapters, parts }
}
