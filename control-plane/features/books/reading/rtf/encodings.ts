// Encodings of the text in RTF: by code page, and by the character set of a font. Pure.
import { decodeWindows1252 } from '#shared/text/unicode/windows-1252.ts'
import { symbolOf } from '../office/symbol-font.ts'

const SYMBOL = 'symbol'
/** Number of a Windows character set -> code page. */
const CODE_PAGES: Readonly<Record<number, number>> = {
  ...{ 77: 10000, 128: 932, 129: 949, 130: 949, 134: 936, 136: 950, 161: 1253, 162: 1254, 163: 1258, 177: 1255, 178: 1256, 186: 1257 },
  ...{ 204: 1251, 222: 874, 238: 1250 },
}
/** Code page -> name of the encoding; the others are `windows-` and the number. */
const NAMES: Readonly<Record<number, string>> = {
  ...{ 866: 'ibm866', 932: 'shift_jis', 936: 'gbk', 949: 'euc-kr', 950: 'big5', 10000: 'macintosh', 10007: 'x-mac-cyrillic' },
  ...{ 20866: 'koi8-r', 21866: 'koi8-u', 28592: 'iso-8859-2', 28595: 'iso-8859-5', 51932: 'euc-jp', 54936: 'gb18030', 65001: 'utf-8' },
}
const LATIN = 'windows-1252'

/** Windows-1252 for an unknown code page. */
export function encodingOfPage(page: number): string {
  const name = NAMES[page] ?? `windows-${page}`
  try {
    return new TextDecoder(name).encoding
  } catch {
    return LATIN
  }
}

/** Null for a character set that is the one of the document. */
export function encodingOfCharset(charset: number): string | null {
  if (charset === 2) return SYMBOL
  if (charset === 0) return LATIN
  const page = CODE_PAGES[charset]
  return page === undefined ? null : encodingOfPage(page)
}

const decoders = new Map<string, InstanceType<typeof TextDecoder>>()

/** `isGreek`: a font of symbols is the one with Greek letters; other ones have only ornaments. */
export function decodeRtf(bytes: Uint8Array, encoding: string, isGreek: boolean): string {
  if (encoding === LATIN) return decodeWindows1252(bytes)
  if (encoding === SYMBOL) return isGreek ? Array.from(bytes, symbolOf).join('') : ''
  const decoder = decoders.get(encoding) ?? new TextDecoder(encoding)
  decoders.set(encoding, decoder)
  return decoder.decode(bytes)
}
