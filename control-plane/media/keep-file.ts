// Audio files that are kept: written completely or not at all.
import { rename, rm, writeFile } from 'node:fs/promises'
import { Failure } from '#shared/protocol/failure.ts'
import { isDiskError } from '#shared/runtime/file.ts'

let filesWritten = 0

/** Mode 0600. Of several writes of one path at the same time, the last one wins. Throws STORAGE_FULL, and what reading a stream throws. */
export async function keepFile(path: string, content: Uint8Array | AsyncIterable<Uint8Array>): Promise<void> {
  const temporary = `${path}.${process.pid}-${++filesWritten}.new`
  try {
    await writeFile(temporary, content, { mode: 0o600, flush: true })
    await rename(temporary, path)
  } catch (error) {
    await rm(temporary, { force: true })
    if (!isDiskError(error)) throw error
    throw new Failure('STORAGE_FULL', 'The sound could not be written to the disk of the studio.', { cause: error })
  }
}
