// Files to and from the studio: the content of a form, and a response that becomes a file when it is complete.
import { createWriteStream, openAsBlob } from 'node:fs'
import { rename, rm, stat } from 'node:fs/promises'
import { dirname } from 'node:path'
import type { Readable } from 'node:stream'
import { pipeline } from 'node:stream/promises'
import { Failure } from '#shared/protocol/failure.ts'

/** Throws BAD_REQUEST for a place that cannot hold a file. Call before any work is done for it. */
export async function refuseUnwritable(path: string): Promise<void> {
  const folder = await stat(dirname(path)).catch(() => null)
  if (!folder?.isDirectory())
    throw new Failure('BAD_REQUEST', `The folder ${dirname(path)} does not exist. Create it, or choose another file.`)
  if ((await stat(path).catch(() => null))?.isDirectory()) throw new Failure('BAD_REQUEST', `${path} is a folder. Name a file in it.`)
}

/** Returns the size in bytes. */
export async function save(content: Readable, path: string, signal: AbortSignal): Promise<number> {
  const partial = `${path}.${process.pid}.part`
  const file = createWriteStream(partial, { flags: 'wx', flush: true })
  try {
    await pipeline(content, file, { signal })
    await rename(partial, path)
    return file.bytesWritten
  } catch (error) {
    await rm(partial, { force: true })
    throw error
  }
}

/** The content of a file for a form, which is read while it is sent. Throws BAD_REQUEST if the file cannot be read. */
export async function fileAt(path: string): Promise<Blob> {
  try {
    return await openAsBlob(path)
  } catch (cause) {
    throw new Failure('BAD_REQUEST', `There is no file ${path} that can be read.`, { cause })
  }
}
