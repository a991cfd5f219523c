// The ID3v2.3 tag of an audiobook: text frames in UTF-16, chapters (CHAP, CTOC) and a cover. Pure.
import type { BookMetadata, Cover } from './book.ts'
import { bookLanguage, type ChapterMark, textOf, titleOf } from './tags.rules.ts'

/** A table of contents counts its entries in one byte. */
const MAX_ENTRIES = 255
const UTF_16 = 1
const NO_OFFSET = 0xffffffff
const FRONT_COVER = 3
const TOP_LEVEL_ORDERED = 3

const u32 = (value: number): Buffer => {
  const bytes = Buffer.alloc(4)
  bytes.writeUInt32BE(value)
  return bytes
}
const latin = (text: string): Buffer => Buffer.from(`${text}\0`, 'latin1')
const utf16 = (text: string): Buffer => Buffer.from(`\ufeff${text}`, 'utf16le')

function frame(id: string, ...body: readonly Uint8Array[]): Buffer {
  const content = Buffer.concat(body)
  return Buffer.concat([Buffer.from(id, 'latin1'), u32(content.length), Buffer.alloc(2), content])
}
const text = (id: string, value: string): Buffer => frame(id, Buffer.of(UTF_16), utf16(value))
const end = Buffer.alloc(2)
/** COMM has a language and a short description before its text. */
const comment = (value: string, language: string): Buffer =>
  frame('COMM', Buffer.of(UTF_16), Buffer.from(language, 'latin1'), utf16(''), end, utf16(value))

function chapter({ title, from, to }: ChapterMark, index: number, sampleRate: number): Buffer {
  const ms = (samples: number) => u32(Math.round((samples * 1000) / sampleRate))
  return frame('CHAP', latin(`ch${index}`), ms(from), ms(to), u32(NO_OFFSET), u32(NO_OFFSET), text('TIT2', title))
}

/**
 * The order of the chapters. Beyond 255 there is none, and readers take the order of time: of nested tables, which the standard permits, common
 * readers see no chapter at all.
 */
function tableOfContents(count: number): Buffer[] {
  if (count > MAX_ENTRIES) return []
  const ids = Array.from({ length: count }, (_, index) => latin(`ch${index}`))
  return [frame('CTOC', latin('toc'), Buffer.of(TOP_LEVEL_ORDERED, count), ...ids)]
}

export type CoverBytes = { readonly type: Cover['type']; readonly bytes: Uint8Array }

/** The bytes in front of the MP3 frames. */
export function id3(book: BookMetadata, marks: readonly ChapterMark[], sampleRate: number, cover: CoverBytes | null): Buffer {
  const title = titleOf(book.title)
  const language = bookLanguage(book.language)
  const optional = (id: string, value: string | null): Buffer[] => (value && titleOf(value) ? [text(id, titleOf(value))] : [])
  const frames = [
    text('TIT2', title),
    text('TALB', title),
    ...optional('TPE1', book.author),
    ...optional('TPE2', book.author),
    ...optional('TCOM', book.narrator),
    ...optional('TYER', book.year),
    text('TCON', 'Audiobook'),
    ...optional('TIT1', book.series),
    ...(language ? [text('TLAN', language)] : []),
    comment(textOf(book.comment), language ?? 'XXX'),
    ...(book.description ? [frame('TXXX', Buffer.of(UTF_16), utf16('description'), end, utf16(textOf(book.description)))] : []),
    ...(cover ? [frame('APIC', Buffer.of(0), latin(`image/${cover.type}`), Buffer.of(FRONT_COVER), latin(''), cover.bytes)] : []),
    ...tableOfContents(marks.length),
    ...marks.map((mark, index) => chapter(mark, index, sampleRate)),
  ]
  const body = Buffer.concat(frames)
  // Seven bits in each byte, so that no size looks like the start of a frame.
  const size = Buffer.from([21, 14, 7, 0].map((bits) => (body.length >> bits) & 0x7f))
  return Buffer.concat([Buffer.from('ID3', 'latin1'), Buffer.of(3, 0, 0), size, body])
}
