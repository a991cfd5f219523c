// Placement of the entries in a zip file. A directory that points several entries at the same bytes expands a small file a thousandfold,
// and one that disagrees with the headers of the files is read differently by other programs.
import { open } from 'node:fs/promises'
import type { Entry, ZipFile } from 'yauzl'
import { Failure } from '#shared/protocol/failure.ts'

/** Bits that change how the bytes of a file are read: encryption, and the encoding of its name. */
const MEANING_BITS = 0x0841

const ZIP64_LOCATOR = 0x07064b50
const LOCATOR_BYTES = 20
const END_BYTES = 22

/** True if the directory of the archive is in the format for large files: a second description of it, which other programs may not read. */
export async function isZip64(path: string, zip: ZipFile): Promise<boolean> {
  const at = zip.fileSize - END_BYTES - zip.comment.length - LOCATOR_BYTES
  if (at < 0) return false
  const file = await open(path, 'r')
  try {
    const { buffer, bytesRead } = await file.read(Buffer.alloc(4), 0, 4, at)
    return bytesRead === 4 && buffer.readUInt32LE(0) === ZIP64_LOCATOR
  } finally {
    await file.close()
  }
}

/** True if the directory, which was read, ends where the record of its end begins. A comment may contain the record of another archive. */
export function isWholeDirectory(zip: ZipFile): boolean {
  const cursor = zip.readEntryCursor as unknown as number // The types of the package say boolean.
  return cursor === zip.fileSize - END_BYTES - zip.comment.length
}

/** Throws BAD_REQUEST if two entries share bytes, or if the header of a file differs from the directory; the errors of yauzl. */
export async function checkPlacement(zip: ZipFile, entries: readonly Entry[]): Promise<void> {
  let end = 0
  for (const entry of [...entries].sort((left, right) => left.relativeOffsetOfLocalHeader - right.relativeOffsetOfLocalHeader)) {
    const header = await zip.readLocalFileHeaderPromise(entry)
    if (entry.relativeOffsetOfLocalHeader < end) throw refused('files in it overlap')
    end = header.fileDataStart + entry.compressedSize
    const isSame =
      header.fileName.equals(entry.fileNameRaw) &&
      header.compressionMethod === entry.compressionMethod &&
      (header.generalPurposeBitFlag & MEANING_BITS) === (entry.generalPurposeBitFlag & MEANING_BITS)
    if (!isSame) throw refused('its directory does not match its files')
  }
}

const refused = (why: string) => new Failure('BAD_REQUEST', `The archive cannot be read: ${why}.`)
