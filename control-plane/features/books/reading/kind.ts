// The kinds of books, each with a reader of its own.

export const BOOK_KINDS = ['text', 'markdown', 'html', 'epub', 'pdf', 'fb2', 'docx', 'odt', 'fodt', 'rtf'] as const
export type BookKind = (typeof BOOK_KINDS)[number]

/** The file in the folder of an unpacked archive that lists its contents. */
export const INDEX_NAME = 'index.json'

/** The formats in sentences for users. */
export const BOOK_FORMATS = 'an EPUB, PDF, Word (.docx), OpenDocument (.odt), FB2, RTF, HTML, Markdown or text file'
