// The kinds of books, each with a reader of its own.

export const BOOK_KINDS = ['text', 'markdown', 'epub', 'pdf'] as const
export type BookKind = (typeof BOOK_KINDS)[number]

/** The file in the folder of an unpacked archive that lists its contents. */
export const INDEX_NAME = 'index.json'
