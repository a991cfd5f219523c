// Types of recordings by their bytes, and the labels of a clip. Pure.

/** The formats that every usual browser plays, by their first bytes. */
export function playableType(first: Uint8Array): string | null {
  const text = (from: number, to: number) => String.fromCharCode(...first.subarray(from, to))
  if (text(0, 4) === 'RIFF' && text(8, 12) === 'WAVE') return 'audio/wav'
  if (text(0, 4) === 'fLaC') return 'audio/flac'
  // A video in Ogg begins with the header of its first stream.
  if (text(0, 4) === 'OggS' && (text(28, 36) === 'OpusHead' || text(29, 35) === 'vorbis')) return 'audio/ogg'
  if (text(0, 3) === 'ID3') return 'audio/mpeg'
  const [sync = 0, kind = 0] = first
  // MPEG-1 or 2, layer III.
  if (sync === 0xff && (kind & 0xe0) === 0xe0 && (kind & 0x06) === 0x02 && (kind & 0x18) !== 0x08) return 'audio/mpeg'
  return null
}

/** Bytes at the start of a file that `playableType` looks at. */
export const TYPE_BYTES = 64

/** The tags of a new clip. */
export const clipTagsOf = (character: string, category: string): string[] => [character.toLowerCase(), category]

/** The tags of a row; none for a text that is no list. */
export function readTags(json: string): string[] {
  try {
    const value: unknown = JSON.parse(json)
    return Array.isArray(value) ? value.filter((tag) => typeof tag === 'string') : []
  } catch {
    return []
  }
}
