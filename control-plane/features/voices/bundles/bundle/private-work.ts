// A private folder for the files of one request, counted against the disk that uploads share.
import { mkdtemp, open, rm } from 'node:fs/promises'
import { join } from 'node:path'
import type { UploadDisk } from '#control-plane/http/input/form.ts'

export type Work = {
  readonly folder: string
  /** Reserves disk space. Throws STORAGE_FULL. */
  readonly take: (bytes: number) => Promise<void>
}

/** Removes the folder when `work` has settled. */
export async function withPrivateWork<T>({ folder, budget }: UploadDisk, work: (work: Work) => Promise<T>): Promise<T> {
  const own = await mkdtemp(join(folder, 'bundle-')) // 0700
  const share = budget.open()
  try {
    return await work({ folder: own, take: share.take })
  } finally {
    await rm(own, { recursive: true, force: true })
    share.release()
  }
}

const READ_BYTES = 256 * 1024

/** The bytes of a file that may be deleted from now on. Can be read once; the file is closed at the end, or when its reader leaves. */
export async function fileContent(path: string): Promise<{ readonly length: number; readonly body: AsyncIterable<Uint8Array> }> {
  const file = await open(path, 'r')
  const { size } = await file.stat()
  let at = 0
  const done = async (): Promise<IteratorResult<Uint8Array>> => {
    await file.close()
    return { done: true, value: undefined }
  }
  const next = async (): Promise<IteratorResult<Uint8Array>> => {
    const { buffer, bytesRead } = await file.read(Buffer.allocUnsafe(READ_BYTES), 0, READ_BYTES, at)
    at += bytesRead
    return bytesRead === 0 ? done() : { done: false, value: buffer.subarray(0, bytesRead) }
  }
  // Not a generator: one that was never started would not close the file.
  return { length: size, body: { [Symbol.asyncIterator]: () => ({ next, return: done }) } }
}
