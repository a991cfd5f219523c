// Writes zip files.
import { createWriteStream } from 'node:fs'
import { rename, rm } from 'node:fs/promises'
import type { PassThrough } from 'node:stream'
import { pipeline } from 'node:stream/promises'
import { ZipFile } from 'yazl'

/** `file`: a path whose bytes are stored as they are, because recordings and pictures are compressed or do not shrink. */
export type ZipEntry =
  | { readonly name: string; readonly content: string | Uint8Array /** Stored without compression. */; readonly isStored?: true }
  | { readonly name: string; readonly file: string }

/** A date for entries without one, in local time as the format has it. */
const noDate = () => new Date(2000, 0, 1)

/**
 * Writes a private file that appears under its name when it is complete. `modifiedAt`: the date of all entries; null for none, so that
 * equal stored entries give equal bytes everywhere (what deflate writes depends on the build of zlib). Rejects with the error of the
 * system and leaves nothing behind.
 */
export async function writeZip(path: string, entries: readonly ZipEntry[], modifiedAt: Date | null): Promise<void> {
  const zip = new ZipFile()
  const output = zip.outputStream as PassThrough
  zip.on('error', (error: Error) => output.destroy(error))
  const options = { mtime: modifiedAt ?? noDate(), forceDosTimestamp: modifiedAt === null, mode: 0o100600 }
  for (const entry of entries) {
    if ('file' in entry) zip.addFile(entry.file, entry.name, { ...options, compress: false })
    else zip.addBuffer(Buffer.from(entry.content as string), entry.name, { ...options, compress: entry.isStored !== true })
  }
  zip.end()
  const temporary = `${path}.new`
  try {
    await pipeline(output, createWriteStream(temporary, { mode: 0o600 }))
    await rename(temporary, path)
  } catch (error) {
    await rm(temporary, { force: true })
    throw error
  }
}
