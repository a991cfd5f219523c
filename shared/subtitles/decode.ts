// The text of a subtitle file of unknown encoding. Pure.

/** Bytes that show whether a file without a mark has two bytes for each character. */
const SAMPLE_BYTES = 4_096
/** A share of zero bytes at even or odd places that no text of one byte for each character has. */
const ZERO_SHARE = 0.25

/** UTF-8, UTF-16, and otherwise windows-1252, which reads every byte. */
export function decodeSubtitles(bytes: Uint8Array): string {
  const wide = wideEncoding(bytes)
  if (wide) return new TextDecoder(wide).decode(bytes)
  try {
    return new TextDecoder('utf-8', { fatal: true }).decode(bytes)
  } catch {
    return new TextDecoder('windows-1252').decode(bytes)
  }
}

function wideEncoding(bytes: Uint8Array): 'utf-16le' | 'utf-16be' | null {
  if (bytes[0] === 0xff && bytes[1] === 0xfe) return 'utf-16le'
  if (bytes[0] === 0xfe && bytes[1] === 0xff) return 'utf-16be'
  const length = Math.min(bytes.length, SAMPLE_BYTES)
  const zeros = [0, 0]
  for (let at = 0; at < length; at++) if (bytes[at] === 0) zeros[at % 2]!++
  const [even, odd] = zeros.map((count) => count / Math.max(1, length / 2)) as [number, number]
  if (Math.max(even, odd) < ZERO_SHARE || Math.min(even, odd) > Math.max(even, odd) / 4) return null
  return odd > even ? 'utf-16le' : 'utf-16be'
}
