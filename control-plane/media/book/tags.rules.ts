// Texts of tags and chapter titles as players accept them, and the metadata file of ffmpeg. Pure.
import { cleanLine, cleanLines } from '#shared/protocol/fields/clean-text.ts'
import type { BookChapter, BookMetadata } from './book.ts'

const TITLE_CHARACTERS = 200
/** The old chapter list of MP4 counts the bytes of a title in one byte, and ffmpeg cuts there, also within a character. */
const TITLE_BYTES = 255
const TEXT_CHARACTERS = 4000

const encoder = new TextEncoder()
const fitting = (text: string, characters: number, bytes: number): string => {
  let [out, size, count] = ['', 0, 0]
  for (const character of text) {
    size += encoder.encode(character).length
    if (++count > characters || size > bytes) break
    out += character
  }
  return out
}

/** One line without control characters, of at most 200 characters and 255 bytes. */
export const titleOf = (text: string): string => fitting(cleanLine(text).trim(), TITLE_CHARACTERS, TITLE_BYTES)

/** Text of several lines without other control characters, of at most 4,000 characters. */
export const textOf = (text: string): string =>
  fitting(cleanLines(text).replaceAll('\t', ' ').trim(), TEXT_CHARACTERS, Number.POSITIVE_INFINITY)

export type ChapterMark = { readonly title: string /** Samples from the start of the book. */; readonly from: number; readonly to: number }

/** The position of each chapter. Untitled ones are numbered, and files without sound have no mark, because players need unique starts. */
export function marksOf(chapters: readonly BookChapter[]): ChapterMark[] {
  let at = 0
  return chapters.flatMap(({ title, file }, index) => {
    const from = at
    at += file.samples
    return file.samples === 0 ? [] : [{ title: titleOf(title) || `Chapter ${index + 1}`, from, to: at }]
  })
}

/** ffmpeg joins a line that ends with a backslash with the next one, also when the backslash is escaped: a blank keeps them apart. */
const escaped = (text: string): string => `${text.replace(/[=;#\\\n]/g, '\\$&')}${text.endsWith('\\') ? ' ' : ''}`

/** Tags by their names in ffmpeg. */
export function bookTags(book: BookMetadata): Record<string, string> {
  const { author, narrator } = book
  const tags: Record<string, string | null> = {
    title: titleOf(book.title),
    album: titleOf(book.title),
    artist: author && titleOf(author),
    album_artist: author && titleOf(author),
    composer: narrator && titleOf(narrator),
    date: book.year && titleOf(book.year),
    genre: 'Audiobook',
    description: book.description && textOf(book.description),
    comment: textOf(book.comment),
    grouping: book.series && titleOf(book.series),
    media_type: '2',
  }
  return Object.fromEntries(Object.entries(tags).filter((tag): tag is [string, string] => Boolean(tag[1])))
}

/** The FFMETADATA file of a book. */
export function ffmetadata(book: BookMetadata, marks: readonly ChapterMark[], sampleRate: number): string {
  const tags = Object.entries(bookTags(book)).map(([key, value]) => `${key}=${escaped(value)}`)
  const chapters = marks.flatMap(({ title, from, to }) => [
    '[CHAPTER]',
    `TIMEBASE=1/${sampleRate}`,
    `START=${from}`,
    `END=${to}`,
    `title=${escaped(title)}`,
  ])
  return `${[';FFMETADATA1', ...tags, ...chapters].join('\n')}\n`
}

/** An ISO 639-2 code, or null. */
export const bookLanguage = (language: string | null): string | null => (/^[a-z]{3}$/.test(language ?? '') ? language : null)
