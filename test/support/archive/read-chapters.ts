// Chapters of a book that was read, in the short form that tests compare.
import type { ReadBook } from '#control-plane/features/books/reading/book.ts'

type Chapters = Pick<ReadBook, 'chapters'>

/** Chapters that are read. */
export const readOf = ({ chapters }: Chapters) => chapters.filter(({ included }) => included).map(({ title, text }) => ({ title, text }))
/** Chapters that are switched off, with the reason. */
export const offOf = ({ chapters }: Chapters) =>
  chapters.filter(({ included }) => !included).map(({ title, text, why }) => ({ title, text, why }))
