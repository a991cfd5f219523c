// The bytes of a subtitle file as text. Pure.
import { decodeWindows1252 } from '#shared/text/unicode/windows-1252.ts'

/** Share of NUL bytes beyond which a text without a byte order mark is UTF-16: its times and line breaks are ASCII. */
const NUL_SHARE = 0.1
const SAMPLE_BYTES = 4_096

/**
 * UTF-8 when all of it is valid, else UTF-16 by its byte order mark, else windows-1252. Never fails. UTF-16 without a mark is recognised by
 * its NUL bytes. The result has no byte order mark.
 */
export function decodeSubtitles(bytes: Uint8Array): string {
  const encoding = utf16Of(bytes)
  if (encoding !== null) return new TextDecoder(encoding).decode(bytes)
  try {
    return new TextDecoder('utf-8', { fatal: true }).decode(bytes)
  } catch {
    return decodeWindows1252(bytes)
  }
}

function utf16Of(bytes: Uint8Array): 'utf-16le' | 'utf-16be' | null {
  if (bytes[0] === 0xff && bytes[1] === 0xfe) return 'utf-16le'
  if (bytes[0] === 0xfe && bytes[1] === 0xff) return 'utf-16be'
  const length = Math.min(bytes.length, SAMPLE_BYTES)
  const nuls = [0, 0]
  for (let at = 0; at < length; at++) if (bytes[at] === 0) nuls[at % 2]!++
  const [even = 0, odd = 0] = nuls
  if (even + odd <= NUL_SHARE * length) return null
  return odd >= even ? 'utf-16le' : 'utf-16be'
}
