// Turns subtitles of an MP4 file off. ffmpeg enables the first track of each kind, also when its disposition says otherwise.
import { type FileHandle, open } from 'node:fs/promises'

const HEADER_BYTES = 8
const LONG_HEADER_BYTES = 16
const MAX_INDEX_BYTES = 512 * 1024 * 1024
const ENABLED = 1

type Box = { readonly kind: string; readonly from: number; readonly to: number /** Position after the header. */; readonly body: number }

/** Clears the flag of each track of subtitles. Does nothing for a file without an index of MP4. */
export async function turnSubtitlesOff(path: string): Promise<void> {
  const file = await open(path, 'r+')
  try {
    const index = await findIndex(file)
    if (!index) return
    const bytes = Buffer.alloc(index.to - index.from)
    await file.read(bytes, 0, bytes.length, index.from)
    const [moov] = boxesIn(bytes, 0, bytes.length)
    for (const track of boxesIn(bytes, moov!.body, moov!.to).filter(({ kind }) => kind === 'trak')) {
      const parts = boxesIn(bytes, track.body, track.to)
      const head = parts.find(({ kind }) => kind === 'tkhd')
      const media = parts.find(({ kind }) => kind === 'mdia')
      const handler = media && boxesIn(bytes, media.body, media.to).find(({ kind }) => kind === 'hdlr')
      // After version and flags, and a field that is not used.
      if (!head || !handler || bytes.toString('latin1', handler.body + 8, handler.body + 12) !== 'sbtl') continue
      const at = head.body + 3
      await file.write(Buffer.of(bytes[at]! & ~ENABLED), 0, 1, index.from + at)
    }
  } finally {
    await file.close()
  }
}

async function findIndex(file: FileHandle): Promise<{ from: number; to: number } | null> {
  const { size } = await file.stat()
  const header = Buffer.alloc(LONG_HEADER_BYTES)
  for (let from = 0; from + HEADER_BYTES <= size; ) {
    await file.read(header, 0, LONG_HEADER_BYTES, from)
    const short = header.readUInt32BE(0)
    const length = short === 1 ? Number(header.readBigUInt64BE(8)) : short === 0 ? size - from : short
    if (length < HEADER_BYTES || from + length > size) return null
    if (header.toString('latin1', 4, 8) === 'moov') return length <= MAX_INDEX_BYTES ? { from, to: from + length } : null
    from += length
  }
  return null
}

function boxesIn(bytes: Buffer, start: number, end: number): Box[] {
  const boxes: Box[] = []
  for (let from = start; from + HEADER_BYTES <= end; ) {
    const length = bytes.readUInt32BE(from)
    if (length < HEADER_BYTES || from + length > end) break
    boxes.push({ kind: bytes.toString('latin1', from + 4, from + 8), from, to: from + length, body: from + HEADER_BYTES })
    from += length
  }
  return boxes
}
