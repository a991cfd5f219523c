// Explains why an MP4 film cannot be dubbed although its start looks right: ffprobe describes encrypted films as usual ones, and says
// nothing about the cause when the index is missing.
import { type FileHandle, open } from 'node:fs/promises'

const HEADER_BYTES = 16
const MAX_BOXES = 4096
/** Indexes of films of twelve hours are smaller. */
const MAX_INDEX_BYTES = 64 * 1024 * 1024
const PIECE_BYTES = 1024 * 1024
/** `schm`, its version and flags, and the name of the scheme. */
const SCHEME = /schm[\s\S]{4}(cenc|cens|cbc1|cbcs|piff|itun)/
const SCHEME_BYTES = 12

type Box = { readonly name: string; readonly at: number; readonly bytes: number }

/** A sentence with the way out; null for a file that is not MP4, or in which nothing is wrong. Throws when the disk cannot be read. */
export async function mp4Fault(path: string): Promise<string | null> {
  // ffprobe names the fault of a file that cannot be opened.
  const file = await open(path, 'r').catch(() => null)
  if (file === null) return null
  try {
    const found = await file.stat()
    if (!found.isFile()) return null
    const { size } = found
    let isMp4 = false
    let at = 0
    for (let count = 0; count < MAX_BOXES && at < size; count++) {
      const box = await boxAt(file, at, size)
      if (!box) return null
      if (box.name === 'ftyp') isMp4 = true
      else if (!isMp4) return null
      const isWhole = at + box.bytes <= size
      if (box.name === 'moov' && isWhole)
        return (await isEncrypted(file, box))
          ? 'The film is encrypted (DRM), so it cannot be read. Send a file without copy protection.'
          : null
      if (!isWhole) break
      at += box.bytes
    }
    return isMp4 ? 'The file is incomplete: its index (moov) is missing. Download or copy it again, and send the whole file.' : null
  } finally {
    await file.close()
  }
}

/** Null for what is no box. */
async function boxAt(file: FileHandle, at: number, size: number): Promise<Box | null> {
  const bytes = Buffer.alloc(HEADER_BYTES)
  const { bytesRead } = await file.read(bytes, 0, HEADER_BYTES, at)
  if (bytesRead < 8) return null
  const name = bytes.toString('latin1', 4, 8)
  const short = bytes.readUInt32BE(0)
  const length = short === 0 ? size - at : short === 1 && bytesRead === HEADER_BYTES ? Number(bytes.readBigUInt64BE(8)) : short
  return length < 8 || !/^[\x20-\x7e\xa9]{4}$/.test(name) ? null : { name, at, bytes: length }
}

async function isEncrypted(file: FileHandle, { at, bytes }: Box): Promise<boolean> {
  const end = at + Math.min(bytes, MAX_INDEX_BYTES)
  const piece = Buffer.alloc(PIECE_BYTES + SCHEME_BYTES)
  for (let from = at; from < end; from += PIECE_BYTES) {
    const { bytesRead } = await file.read(piece, 0, Math.min(piece.length, end - from), from)
    if (SCHEME.test(piece.toString('latin1', 0, bytesRead))) return true
  }
  return false
}
