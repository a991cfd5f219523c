// Writes zip files.
import { createReadStream, type ReadStream } from 'node:fs'
import { open, rename, rm, stat } from 'node:fs/promises'
import type { PassThrough } from 'node:stream'
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
 * system or the reason of the signal, and leaves nothing behind.
 */
export async function writeZip(path: string, entries: readonly ZipEntry[], modifiedAt: Date | null, signal?: AbortSignal): Promise<void> {
  const temporary = `${path}.new`
  try {
    const sizes = new Map<string, number>()
    for (const entry of entries) if ('file' in entry) sizes.set(entry.file, (await stat(entry.file)).size)
    // Opened and closed here, so that the file is not created after its removal.
    const file = await open(temporary, 'w', 0o600)
    try {
      for await (const piece of zipped(entries, sizes, modifiedAt)) {
        signal?.throwIfAborted()
        await file.writeFile(piece)
      }
      await file.sync()
    } finally {
      await file.close()
    }
    signal?.throwIfAborted()
    await rename(temporary, path)
  } catch (error) {
    await rm(temporary, { force: true })
    throw error
  }
}

/** The same bytes, made while they are read. Throws the error of the system for a file that is gone. */
export async function* streamZip(entries: readonly ZipEntry[]): AsyncGenerator<Uint8Array> {
  const sizes = new Map<string, number>()
  for (const entry of entries) if ('file' in entry) sizes.set(entry.file, (await stat(entry.file)).size)
  yield* zipped(entries, sizes, null)
}

async function* zipped(
  entries: readonly ZipEntry[],
  sizes: ReadonlyMap<string, number>,
  modifiedAt: Date | null,
): AsyncGenerator<Uint8Array> {
  const zip = new ZipFile()
  const output = zip.outputStream as PassThrough
  const fail = (error: Error) => void output.destroy(error)
  zip.on('error', fail)
  output.on('error', () => {}) // The reader of the output receives it.
  /** The file that is being copied: the writer of zip files would leave it open after a failure. */
  let source: ReadStream | undefined
  const options = { mtime: modifiedAt ?? noDate(), forceDosTimestamp: modifiedAt === null, mode: 0o100600 }
  try {
    for (const entry of entries) {
      if ('file' in entry)
        zip.addReadStreamLazy(entry.name, { ...options, compress: false, size: sizes.get(entry.file)! }, (start) => {
          source = createReadStream(entry.file).on('error', fail)
          start(null, source)
        })
      else zip.addBuffer(Buffer.from(entry.content as string), entry.name, { ...options, compress: entry.isStored !== true })
    }
    zip.end()
    yield* output
  } finally {
    output.destroy()
    source?.destroy()
  }
}
