// Limits of archives, and the manuscript of a book that was read. Pure.
import { Failure } from '#shared/protocol/failure.ts'
import type { Chapter } from '#shared/text/script/script.ts'
import { MAX_CHAPTERS, SCRIPT_CHARS } from '../plan/plan.schema.ts'
import { parseScriptInTurns } from '../plan/script-turns.ts'
import type { ReadBook, ReadChapter } from '../reading/book.ts'

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

type Manuscript = { readonly text: string; readonly chapters: readonly Chapter[] }

/** A foreign title that looks like the mark is none. */
const SKIP_MARK = /^\[(skip)\]/i

/** The line of a chapter; one that is switched off has a mark. */
const headingOf = ({ title, included }: ReadChapter): string =>
  included ? `# ${title.replace(SKIP_MARK, '($1)')}` : `# [skip] ${title || 'Untitled part'}`

/** Throws BAD_REQUEST for a book without text or beyond the limits of a manuscript. */
export async function manuscriptOf({ chapters }: Pick<ReadBook, 'chapters'>): Promise<Manuscript> {
  const text = chapters
    .map((chapter, at) =>
      at === 0 && chapter.title === '' && chapter.included ? chapter.text : `${headingOf(chapter)}\n\n${chapter.text}`.trimEnd(),
    )
    .join('\n\n')
  if (text.length > SCRIPT_CHARS) throw refused(`The book has more than ${SCRIPT_CHARS} characters. Split it and import the parts.`)
  const parsed = await parseScriptInTurns(text, MAX_CHAPTERS)
  if (parsed.length > MAX_CHAPTERS) throw refused(`The book has more than ${MAX_CHAPTERS} chapters. Split it and import the parts.`)
  if (!parsed.some(({ spans }) => spans.some((span) => /[\p{L}\p{N}]/u.test(span.text)))) throw refused('The book contains no text.')
  return { text, chapters: parsed }
}
