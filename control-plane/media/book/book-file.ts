// Files of a book: complete or not there at all, and a full disk has its own failure.
import { readdirSync, rmSync } from 'node:fs'
import { open, rename, rm, stat } from 'node:fs/promises'
import { join } from 'node:path'
import { Failure } from '#shared/protocol/failure.ts'
import { isDiskError, syncPath } from '#shared/runtime/file.ts'

const UNFINISHED = /\.(?:new|new\.tags|parts)$/
let filesWritten = 0

/** Deletes files and folders that an earlier run of the studio left unfinished in this folder. Call it before anything writes there. */
export function removeUnfinished(folder: string): void {
  for (const name of readdirSync(folder)) if (UNFINISHED.test(name)) rmSync(join(folder, name), { recursive: true, force: true })
}

/**
 * Lets `write` fill a temporary file beside `to`, and renames it. Returns the bytes of the file. Throws STORAGE_FULL when the disk refuses, and
 * what `write` throws.
 */
export async function publish(to: string, write: (temporary: string) => Promise<void>): Promise<number> {
  // Not the same after a restart: an ffmpeg of the run before may still be writing.
  const temporary = `${to}.${process.pid}-${++filesWritten}.new`
  try {
    await write(temporary)
    await syncPath(temporary)
    await rename(temporary, to)
    return (await stat(to)).size
  } catch (error) {
    await rm(temporary, { force: true })
    throw asFailure(error)
  }
}

/** Writes a stream. Throws the errors of the disk and of the stream. */
export async function writeStream(path: string, pieces: AsyncIterable<Uint8Array>): Promise<void> {
  const file = await open(path, 'w', 0o600)
  try {
    for await (const piece of pieces) await file.writeFile(piece)
  } finally {
    await file.close()
  }
}

export const diskFull = (cause?: unknown): Failure =>
  new Failure('STORAGE_FULL', 'The audiobook could not be written to the disk of the studio.', { cause })

const asFailure = (error: unknown): unknown => (isDiskError(error) ? diskFull(error) : error)
