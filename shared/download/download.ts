// Obtains one file with a known digest: from the disk, from another program's cache, or from the server, resuming an earlier download. The file gets
// its final name only after its digest was verified.
import { constants, renameSync, rmSync, statSync } from 'node:fs'
import { copyFile, type FileHandle, link, open } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import { Failure } from '#shared/protocol/failure.ts'
import { privateFolder } from '#shared/runtime/file.ts'
import { createMeasure, type Digest, type Measure, measureFile } from './digest.ts'
import { type Fetch, type Fetched, HttpRefusal } from './fetch.ts'

/** The bytes do not match the announced file. A new download may help, resuming does not. */
export class CorruptDownload extends Error {}

export type DownloadFile = {
  /** Path in the folder of the download. */
  readonly path: string
  readonly size: number
  readonly digest: Digest
}
export type DownloadDeps = {
  readonly url: URL
  readonly fetch: Fetch
  /** Path of the file in a cache of another program, or null. */
  readonly cached: () => string | null
  readonly signal: AbortSignal
  /** Reports the present bytes of this file whenever they grow. */
  readonly onBytes: (present: number) => void
}
/** Folder of unfinished files in the folder of the download. They are named by their digest, because another commit means another file. */
export const PARTS_FOLDER = '.parts'
export const partPath = (folder: string, { digest }: DownloadFile): string => join(folder, PARTS_FOLDER, digest.hex)

const sizeAt = (path: string): number => statSync(path, { throwIfNoEntry: false })?.size ?? 0

/** Bytes of the file that need not be downloaded, judged by sizes only. */
export function presentBytes(folder: string, file: DownloadFile, cached: string | null): number {
  if (sizeAt(join(folder, file.path)) === file.size || cached !== null) return file.size
  return Math.min(sizeAt(partPath(folder, file)), file.size)
}

/** Resolves with the SHA-256 of the file in its final place. Rejects with HttpRefusal, CorruptDownload, or a network or disk error. */
export async function ensureFile(folder: string, file: DownloadFile, deps: DownloadDeps): Promise<string> {
  const target = join(folder, file.path)
  const part = partPath(folder, file)
  const { signal, onBytes } = deps
  const verifiedDigest = async (path: string): Promise<string | null> => {
    if (sizeAt(path) !== file.size) return null
    const measure = createMeasure(file.digest, file.size)
    await measureFile(path, file.size, measure, signal)
    const { matches, sha256 } = measure.end()
    return matches ? sha256 : null
  }

  const existing = await verifiedDigest(target)
  if (existing !== null) {
    onBytes(file.size)
    return existing
  }
  rmSync(target, { force: true })
  privateFolder(dirname(part))
  privateFolder(dirname(target))

  const cached = sizeAt(part) === 0 ? deps.cached() : null
  if (cached !== null) {
    rmSync(part, { force: true })
    await linkOrCopy(cached, part)
    const sha256 = await verifiedDigest(part)
    // Never written to: it may be a hard link to the cache's own file.
    if (sha256 === null) rmSync(part)
    else {
      renameSync(part, target)
      onBytes(file.size)
      return sha256
    }
  }

  const sha256 = await fetchPart(part, file, deps)
  renameSync(part, target)
  return sha256
}

async function fetchPart(part: string, file: DownloadFile, { url, fetch, signal, onBytes }: DownloadDeps): Promise<string> {
  const handle = await open(part, constants.O_RDWR | constants.O_CREAT | constants.O_NOFOLLOW, 0o600)
  try {
    let measure = createMeasure(file.digest, file.size)
    let have = Math.min(sizeAt(part), file.size)
    await handle.truncate(have)
    await measureFile(part, have, measure, signal)
    onBytes(have)
    if (have < file.size || file.size === 0) {
      const answer = await fetch(url, { signal, from: have })
      try {
        if (startOf(answer, have) !== have) {
          have = 0
          await handle.truncate(0)
          measure = createMeasure(file.digest, file.size)
          onBytes(0)
        }
        await append(handle, answer, file.size, have, measure, onBytes)
      } finally {
        answer.body.destroy()
      }
    }
    await handle.sync()
    const { matches, sha256 } = measure.end()
    if (!matches) throw new CorruptDownload(`The downloaded ${file.path} does not match its digest.`)
    return sha256
  } catch (error) {
    // A corrupt part cannot be resumed, a full disk needs the space, and an empty part would count as an unfinished model.
    if (error instanceof CorruptDownload || (error as NodeJS.ErrnoException).code === 'ENOSPC' || sizeAt(part) === 0)
      rmSync(part, { force: true })
    throw error
  } finally {
    await handle.close()
  }
}

/** The offset of the body: 0 when the server ignores ranges. Throws HttpRefusal for any other status. */
function startOf({ status, headers }: Fetched, asked: number): number {
  if (status === 200) return 0
  if (status === 206 && asked > 0) {
    const [, start] = /^bytes (\d{1,15})-/.exec(String(headers['content-range'] ?? '')) ?? []
    if (Number(start) === asked) return asked
    throw new CorruptDownload('The server sent another range than requested.')
  }
  // The local part is longer than the server's file, so it belongs to another file.
  if (status === 416) throw new CorruptDownload('The server has no such range.')
  throw new HttpRefusal(status)
}

async function append(
  handle: FileHandle,
  { body, headers, status }: Fetched,
  size: number,
  from: number,
  measure: Measure,
  onBytes: (have: number) => void,
): Promise<void> {
  const announced = Number(headers['content-length'] ?? Number.NaN)
  const expected = size - from
  if (Number.isFinite(announced) && announced !== expected)
    throw new CorruptDownload(`The server announced ${announced} bytes where ${expected} are missing (status ${status}).`)
  let have = from
  for await (const piece of body as AsyncIterable<Buffer>) {
    if (have + piece.length > size) throw new CorruptDownload('The server sent more bytes than the file has.')
    // Written without buffering, so that a killed process loses nothing that arrived.
    for (let at = 0; at < piece.length; ) at += (await handle.write(piece, at, piece.length - at, have + at)).bytesWritten
    measure.add(piece)
    have += piece.length
    onBytes(have)
  }
  if (have < size) throw new Failure('UPLOAD_INCOMPLETE', `The server ended the file ${size - have} bytes early.`)
}

/** Creates a hard link if the disk allows it, otherwise a copy. Throws when neither is possible. */
const linkOrCopy = (path: string, to: string): Promise<void> => link(path, to).catch(() => copyFile(path, to, constants.COPYFILE_FICLONE))
