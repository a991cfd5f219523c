// Files to and from the studio: an upload as the only field of a form, and a response that becomes a file when it is complete.
import { randomUUID } from 'node:crypto'
import { createReadStream, createWriteStream } from 'node:fs'
import { rename, rm, stat } from 'node:fs/promises'
import type { IncomingMessage } from 'node:http'
import { basename, dirname } from 'node:path'
import { pipeline } from 'node:stream/promises'
import { Failure } from '#shared/protocol/failure.ts'
import type { UploadBody } from './studio-api.ts'

/** Throws BAD_REQUEST for a place that cannot hold a file. Call before any work is done for it. */
export async function refuseUnwritable(path: string): Promise<void> {
  const folder = await stat(dirname(path)).catch(() => null)
  if (!folder?.isDirectory())
    throw new Failure('BAD_REQUEST', `The folder ${dirname(path)} does not exist. Create it, or choose another file.`)
  if ((await stat(path).catch(() => null))?.isDirectory()) throw new Failure('BAD_REQUEST', `${path} is a folder. Name a file in it.`)
}

/** Returns the size in bytes. */
export async function save(response: IncomingMessage, path: string, signal: AbortSignal): Promise<number> {
  const partial = `${path}.${process.pid}.part`
  const file = createWriteStream(partial, { flags: 'wx', flush: true })
  try {
    await pipeline(response, file, { signal })
    await rename(partial, path)
    return file.bytesWritten
  } catch (error) {
    await rm(partial, { force: true })
    throw error
  }
}

/** A form whose only field is a file. Throws BAD_REQUEST if the file cannot be read. */
export async function fileForm(field: string, path: string): Promise<UploadBody> {
  const found = await stat(path).catch(() => null)
  if (!found?.isFile()) throw new Failure('BAD_REQUEST', `There is no file ${path}.`)
  const boundary = randomUUID()
  // A quote would end the name; the studio needs the extension only.
  const name = basename(path).replace(/[^\w. -]/g, '_')
  const head = Buffer.from(
    `--${boundary}\r\ncontent-disposition: form-data; name="${field}"; filename="${name}"\r\ncontent-type: application/octet-stream\r\n\r\n`,
  )
  const tail = Buffer.from(`\r\n--${boundary}--\r\n`)
  async function* content() {
    yield head
    yield* createReadStream(path) as AsyncIterable<Buffer>
    yield tail
  }
  return {
    type: `multipart/form-data; boundary=${boundary}`,
    bytes: head.length + found.size + tail.length,
    content: content(),
  }
}
