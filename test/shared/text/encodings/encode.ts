// Texts in old encodings, made with the tables of the decoders.
import { composed } from '#shared/text/unicode/compose.ts'
import { decodeWindows1252 } from '#shared/text/unicode/windows-1252.ts'

const tables = new Map<string, ReadonlyMap<string, readonly number[]>>()
function tableOf(encoding: string): ReadonlyMap<string, readonly number[]> {
  const known = tables.get(encoding)
  if (known) return known
  const made = new Map<string, readonly number[]>()
  const decoder = new TextDecoder(encoding)
  // The decoder of Node 22 does not know the bytes 0x80 to 0x9f of windows-1252.
  const decode = encoding === 'windows-1252' ? decodeWindows1252 : (bytes: Uint8Array) => decoder.decode(bytes)
  const add = (...bytes: number[]) => {
    const text = decode(Uint8Array.from(bytes))
    if ([...text].length === 1 && text !== '\ufffd' && !made.has(text)) made.set(text, bytes)
  }
  for (let byte = 0; byte < 256; byte++) add(byte)
  if (['shift_jis', 'euc-jp', 'gb18030', 'big5', 'euc-kr'].includes(encoding))
    for (let lead = 0x81; lead < 0xff; lead++) for (let trail = 0x40; trail < 0xff; trail++) add(lead, trail)
  tables.set(encoding, made)
  return made
}

/** In windows-1258 the marks of tones follow their letters. */
const decomposed = (text: string) =>
  [...text].map((letter) => {
    const parts = [...composed(letter, 'NFD')]
    const tone = parts.filter((part) => '\u0300\u0301\u0303\u0309\u0323'.includes(part))
    const rest = parts.filter((part) => !tone.includes(part))
    return tone.length === 0 ? letter : `${composed(rest.join(''))}${tone.join('')}`
  })

/** Throws for a character that the encoding lacks. */
export function encoded(text: string, encoding: string): Buffer<ArrayBuffer> {
  if (encoding === 'utf-8') return Buffer.from(text)
  if (encoding.startsWith('utf-16')) {
    const little = Buffer.from(text, 'utf16le')
    return encoding === 'utf-16be' ? little.swap16() : little
  }
  const table = tableOf(encoding)
  const letters = encoding === 'windows-1258' ? decomposed(text).flatMap((one) => [...one]) : [...text]
  return Buffer.from(
    letters.flatMap((letter) => {
      const bytes = table.get(letter)
      if (!bytes) throw new Error(`${encoding} has no ${letter}`)
      return [...bytes]
    }),
  )
}
