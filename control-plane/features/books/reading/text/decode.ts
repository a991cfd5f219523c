// Text of an unknown encoding. Pure.
import { decodeBytes } from '#shared/text/encoding/decode.ts'
import { decodeWindows1252 } from '#shared/text/unicode/windows-1252.ts'
import { UnreadableBook } from '../book.ts'
import { BOOK_FORMATS } from '../kind.ts'

/** UTF-16 units that are examined: more do not change the result. */
const SAMPLE_CHARS = 128 * 1024
/** Control characters without those that old text files have: tab, line and page breaks, escape, end of file. And undecodable bytes. */
const NOT_WRITTEN = /[\x00-\x08\x0e-\x19\x1c-\x1f\x7f\ufffd]/g
/** A text may have a few of them, by mistakes of the programs that wrote it. */
const MAX_STRANGE = 4
const CHARS_PER_STRANGE = 200
const BYTE_ORDER_MARKS: readonly (readonly [string, readonly number[]])[] = [
  ['utf-8', [0xef, 0xbb, 0xbf]],
  ['utf-16le', [0xff, 0xfe]],
  ['utf-16be', [0xfe, 0xff]],
]

/**
 * The text and the name of its encoding: a byte order mark, strict UTF-8, UTF-16 by its zero bytes, the declared encoding, else the one whose
 * letters are the most probable. `declared`: the encoding that the file names; null without one.
 */
export function decodeText(bytes: Uint8Array, declared: string | null = null): { readonly text: string; readonly encoding: string } {
  for (const encoding of candidatesFor(bytes, declared)) {
    const text = encoding ? strictly(bytes, encoding) : null
    if (text !== null) return { text, encoding: encoding! }
  }
  return decodeBytes(bytes)
}

/** Throws UnreadableBook for bytes that are no text, such as a recording with the extension of a book. `declared`: see decodeText. */
export function decodeBook(bytes: Uint8Array, declared: string | null = null): string {
  const { text } = decodeText(bytes, declared)
  const sample = text.slice(0, SAMPLE_CHARS)
  const strange = sample.match(NOT_WRITTEN)?.length ?? 0
  if (strange > Math.max(MAX_STRANGE, sample.length / CHARS_PER_STRANGE))
    throw new UnreadableBook(`The file contains no text. Import ${BOOK_FORMATS}.`)
  return text
}

/** Null if the encoding is unknown or a byte does not fit. */
function strictly(bytes: Uint8Array, encoding: string): string | null {
  try {
    const decoder = new TextDecoder(encoding, { fatal: true })
    return decoder.encoding === 'windows-1252' ? decodeWindows1252(bytes) : decoder.decode(bytes)
  } catch {
    return null
  }
}

/** UTF-16 without a mark: in most languages every second byte of blanks, digits and marks is zero. */
function utf16Of(bytes: Uint8Array): string | null {
  const sample = bytes.subarray(0, 4096)
  const zeros = [0, 0]
  for (const [at, byte] of sample.entries()) if (byte === 0) zeros[at % 2]!++
  const [even = 0, odd = 0] = zeros
  const many = Math.max(4, sample.length / 40)
  if (odd >= many && even < odd / 10) return 'utf-16le'
  return even >= many && odd < even / 10 ? 'utf-16be' : null
}

function* candidatesFor(bytes: Uint8Array, declared: string | null): Generator<string | null | undefined> {
  yield BYTE_ORDER_MARKS.find(([, mark]) => mark.every((byte, at) => bytes[at] === byte))?.[0]
  yield utf16Of(bytes)
  yield 'utf-8'
  yield declared
}
