// Files to and from the studio: the content of a form, and a response that becomes a file when it is complete.
import { createWriteStream, openAsBlob } from 'node:fs'
import { rename, rm, stat } from 'node:fs/promises'
import { dirname } from 'node:path'
import type { Readable } from 'node:stream'
import { pipeline } from 'node:stream/promises'
import { Failure } from '#shared/protocol/failure.ts'

/**
 * Throws BAD_REQUEST for a place that cannot hold a file, and for a file that exists. Call before any work is done for it. `force`: the option
 * that permits to replace a file; null for a command without that option.
 */
export async function refuseUnwritable(path: string, force: boolean | null): Promise<void> {
  const folder = await stat(dirname(path)).catch(() => null)
  if (!folder?.isDirectory())
    throw new Failure('BAD_REQUEST', `The folder ${dirname(path)} does not exist. Create it, or choose another file.`)
  const found = await stat(path).catch(() => null)
  if (found?.isDirectory()) throw new Failure('BAD_REQUEST', `${path} is a folder. Name a file in it.`)
  if (found?.isFile() && force !== true) {
    const way = force === null ? 'Name another file.' : 'Name another file, or add --force to replace it.'
    throw new Failure('BAD_REQUEST', `${path} exists already. ${way}`)
  }
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
  const unreadable = (cause?: unknown) => new Failure('BAD_REQUEST', `There is no file ${path} that can be read.`, { cause })
  // A folder can be opened and not read.
  const found = await stat(path).catch(() => null)
  if (!found || found.isDirectory()) throw unreadable()
  return await openAsBlob(path).catch((cause: unknown) => {
    throw unreadable(cause)
  })
}
