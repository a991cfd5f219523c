// The table with which SentencePiece normalises characters before it splits a text: a double-array trie over UTF-8 bytes, followed by
// zero-terminated replacements. The longest match wins; unmatched characters are kept. Pure.

export type Rewrite = (text: string) => string
const MAX_MATCH_BYTES = 64

/** Throws RangeError for a damaged table. An empty table rewrites nothing. */
export function createRewrite(table: Buffer): Rewrite {
  if (table.length === 0) return (text) => text
  const bytes = table.length >= 4 ? table.readUInt32LE() : 0
  if (bytes === 0 || bytes % 4 !== 0 || bytes > table.length - 4) throw new RangeError('its table of characters is damaged')
  const units = new Uint32Array(bytes / 4)
  for (let at = 0; at < units.length; at++) units[at] = table.readUInt32LE(4 + at * 4)
  const replacements = table.subarray(4 + bytes)
  const offset = (unit: number) => (unit >>> 10) << ((unit & 0x200) >>> 6)

  const match = (text: Buffer, from: number): { length: number; replacement: Buffer } | null => {
    let best: { length: number; replacement: Buffer } | null = null
    let node = offset(units[0]!)
    for (let length = 1; length <= MAX_MATCH_BYTES && from + length <= text.length; length++) {
      const byte = text[from + length - 1]!
      node ^= byte
      const unit = units[node]
      if (unit === undefined || (unit & 0x8000_00ff) >>> 0 !== byte) break
      node ^= offset(unit)
      if ((unit & 0x100) === 0) continue
      const start = (units[node] ?? 0) & 0x7fff_ffff
      const end = replacements.indexOf(0, start)
      if (end < 0) break
      best = { length, replacement: replacements.subarray(start, end) }
    }
    return best
  }

  return (text) => {
    const source = Buffer.from(text.toWellFormed())
    const parts: Buffer[] = []
    let kept = 0
    for (let at = 0; at < source.length; ) {
      const found = match(source, at)
      if (found) {
        parts.push(source.subarray(kept, at), found.replacement)
        at += found.length
        kept = at
      } else {
        at += utf8Length(source[at]!)
      }
    }
    return Buffer.concat([...parts, source.subarray(kept)]).toString()
  }
}

/** Length in bytes of the UTF-8 character with this first byte. */
const utf8Length = (first: number): number => (first < 0x80 ? 1 : first < 0xe0 ? 2 : first < 0xf0 ? 3 : 4)
