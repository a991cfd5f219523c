// The bytes of a text of unknown encoding. Pure; linear.
import { composed } from '../unicode/compose.ts'
import { decodeWindows1252 } from '../unicode/windows-1252.ts'
import { languagesIn, TEXT_ENCODINGS, type TextEncoding } from './encodings.ts'
import { likelihoodOf } from './likelihood.ts'

export type DecodeOptions = {
  readonly chosen?: TextEncoding | null
  readonly language?: string | null
  readonly proseOf?: (text: string) => string
}
export type DecodedText = {
  /** Without byte order mark. */
  readonly text: string
  readonly encoding: TextEncoding
  /**
   * chosen: by the caller. stated: by a byte order mark, or by bytes that only this encoding has. assumed: from the letters, because nothing in the
   * file says it.
   */
  readonly by: 'chosen' | 'stated' | 'assumed'
}

/** Beyond this share of NUL bytes a text without a byte order mark is UTF-16: its times and line breaks are ASCII. */
const NUL_SHARE = 0.1
const NUL_SAMPLE_BYTES = 4_096
/** Bytes of the lines that are examined; more do not change the result. */
const SAMPLE_BYTES = 3_072
/** Natural logarithm: preference for windows-1252 in a text that is nearly ASCII, where one sign would decide between 27 encodings. */
const NEARLY_ASCII = 10
const ASCII_SAMPLE_BYTES = 65_536
const FEW_BYTES = 2
const FEW_SHARE = 0.01
const ESCAPE = 0x1b
/** Natural logarithms: files of these encodings are rare. UTF-8 is here for files with damaged characters. */
const RARITY: Readonly<Partial<Record<TextEncoding, number>>> = {
  ...{ macintosh: 8, 'x-mac-cyrillic': 8, ibm866: 6, 'koi8-u': 2, 'iso-8859-15': 3 },
  ...{ 'iso-8859-2': 1, 'iso-8859-5': 3, 'iso-8859-6': 2, 'iso-8859-7': 1, 'iso-8859-8': 2, 'windows-1258': 1 },
}
/** Words of formats, which are English in files of every language. */
const MARKUP = /\{[^{}]{0,200}\}|<[^<>]{0,200}>/g
/** Languages with the letters of another one. */
const SAME_LETTERS: Readonly<Record<string, string>> = { nb: 'no', nn: 'no', bs: 'hr', mo: 'ro' }
const ASSUMABLE = TEXT_ENCODINGS.filter((name) => !name.startsWith('utf-16') && name !== 'iso-2022-jp')

/**
 * Never fails. A byte order mark, valid UTF-8 and the zero bytes of UTF-16 state the encoding; else it is the one that makes the most probable
 * text. `chosen`: null to find out. `language`: of the text, two letters; it decides between encodings that are about as probable. Null without.
 * `proseOf`: the part of a text that people wrote, of a format that has words of its own.
 */
export function decodeBytes(
  bytes: Uint8Array,
  { chosen = null, language = null, proseOf = (text) => text }: DecodeOptions = {},
): DecodedText {
  if (chosen !== null) return { text: decodedAs(bytes, chosen), encoding: chosen, by: 'chosen' }
  const stated = statedEncoding(bytes)
  if (stated !== null) return { text: decodedAs(bytes, stated), encoding: stated, by: 'stated' }
  const code = language?.split('-')[0]?.toLowerCase() ?? ''
  const western = code === '' && isNearlyAscii(bytes) ? NEARLY_ASCII : 0
  const encoding = assumedEncoding(sampleOf(bytes), SAME_LETTERS[code] ?? code, western, proseOf)
  return { text: decodedAs(bytes, encoding), encoding, by: 'assumed' }
}

function statedEncoding(bytes: Uint8Array): TextEncoding | null {
  const utf16 = utf16Of(bytes)
  if (utf16 !== null) return utf16
  try {
    new TextDecoder('utf-8', { fatal: true }).decode(bytes)
  } catch {
    return declaredEncoding(bytes)
  }
  return isIso2022(bytes) && !bytes.some((byte) => byte >= 0x80) ? 'iso-2022-jp' : 'utf-8'
}

/** In a file of XML. */
function declaredEncoding(bytes: Uint8Array): TextEncoding | null {
  const head = new TextDecoder('latin1').decode(bytes.subarray(0, 200))
  const label = /^\s{0,20}<\?xml\s[^>]{0,100}\bencoding\s{0,9}=\s{0,9}["']([\w:.-]{1,40})["']/.exec(head)?.[1]
  try {
    const name = new TextDecoder(label ?? 'none').encoding
    // The file is no UTF-8, even if it says so.
    return TEXT_ENCODINGS.find((one) => one === (name === 'gbk' ? 'gb18030' : name) && !one.startsWith('utf-')) ?? null
  } catch {
    return null
  }
}

/** Its escape sequences are ASCII, and no other text has them. */
function isIso2022(bytes: Uint8Array): boolean {
  const at = bytes.indexOf(ESCAPE)
  return at >= 0 && bytes[at + 1] === 0x24 && (bytes[at + 2] === 0x40 || bytes[at + 2] === 0x42)
}

function utf16Of(bytes: Uint8Array): 'utf-16le' | 'utf-16be' | null {
  if (bytes[0] === 0xff && bytes[1] === 0xfe) return 'utf-16le'
  if (bytes[0] === 0xfe && bytes[1] === 0xff) return 'utf-16be'
  const length = Math.min(bytes.length, NUL_SAMPLE_BYTES)
  const nuls = [0, 0]
  for (let at = 0; at < length; at++) if (bytes[at] === 0) nuls[at % 2]!++
  const [even = 0, odd = 0] = nuls
  if (even + odd <= NUL_SHARE * length) return null
  return odd >= even ? 'utf-16le' : 'utf-16be'
}

/** True for English with a sign or a foreign name: other languages have more letters beyond ASCII. */
function isNearlyAscii(bytes: Uint8Array): boolean {
  let [letters, others] = [0, 0]
  for (const byte of bytes.subarray(0, ASCII_SAMPLE_BYTES)) {
    if (byte >= 0x80) others++
    else if ((byte | 0x20) >= 0x61 && (byte | 0x20) <= 0x7a) letters++
  }
  return others <= FEW_BYTES || others < letters * FEW_SHARE
}

/** `western`: how much more probable windows-1252 is than the letters say. */
function assumedEncoding(sample: Uint8Array, language: string, western: number, proseOf: (text: string) => string): TextEncoding {
  let [best, found]: [number, TextEncoding] = [Number.NEGATIVE_INFINITY, 'windows-1252']
  for (const encoding of ASSUMABLE) {
    const text = charactersOf(sample, encoding)
    const score =
      likelihoodOf(proseOf(text).replaceAll(MARKUP, ''), language, languagesIn(encoding)).score -
      (RARITY[encoding] ?? 0) +
      (encoding === 'windows-1252' ? western : 0)
    // The usual encoding of several with the same text is first.
    if (score > best) [best, found] = [score, encoding]
  }
  return found
}

/** The lines that are not ASCII: those that differ between encodings, with the letters around. */
function sampleOf(bytes: Uint8Array): Uint8Array {
  const pieces: Uint8Array[] = []
  let length = 0
  for (let from = 0; from < bytes.length && length < SAMPLE_BYTES; ) {
    const end = lineEnd(bytes, from)
    const line = bytes.subarray(from, Math.min(end, from + SAMPLE_BYTES))
    if (line.some((byte) => byte >= 0x80)) {
      pieces.push(line, Uint8Array.of(0x0a))
      length += line.length
    }
    from = end + 1
  }
  return Buffer.concat(pieces)
}
function lineEnd(bytes: Uint8Array, from: number): number {
  let at = from
  while (at < bytes.length && bytes[at] !== 0x0a && bytes[at] !== 0x0d) at++
  return at
}

/** Characters that cannot be decoded become U+FFFD. */
function decodedAs(bytes: Uint8Array, encoding: TextEncoding): string {
  const text = charactersOf(bytes, encoding)
  // Marks of tones follow their letters in this encoding.
  return encoding === 'windows-1258' ? composed(text) : text
}
function charactersOf(bytes: Uint8Array, encoding: TextEncoding): string {
  if (encoding === 'windows-1252') return decodeWindows1252(bytes)
  const text = new TextDecoder(encoding).decode(bytes)
  // The decoder of Node 22 has two signs of KOI8-R here.
  return encoding === 'koi8-u' ? text.replaceAll('\u255d', 'ў').replaceAll('\u256c', 'Ў') : text
}
