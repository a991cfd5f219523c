// Writes zip files.
import { createWriteStream } from 'node:fs'
import { rename, rm } from 'node:fs/promises'
import { pipeline } from 'node:stream/promises'
import { ZipFile } from 'yazl'

export type ZipEntry = { readonly name: string; readonly content: string | Uint8Array }

/** Writes a private file that appears under its name when it is complete. Rejects with the error of the system and leaves nothing behind. */
export async function writeZip(path: string, entries: readonly ZipEntry[], modifiedAt: Date): Promise<void> {
  const zip = new ZipFile()
  for (const { name, content } of entries) zip.addBuffer(Buffer.from(content as string), name, { mtime: modifiedAt, mode: 0o100600 })
  zip.end()
  const temporary = `${path}.new`
  try {
    await pipeline(zip.outputStream, createWriteStream(temporary, { mode: 0o600 }))
    await rename(temporary, path)
  } catch (error) {
    await rm(temporary, { force: true })
    throw error
  }
}
