// One file of a model: from the disk if it is there, from another program's cache, or from the server, where it goes on behind what an
// earlier try has left. It gets its name only when every byte of it has been proven.
import { constants, renameSync, rmSync, statSync } from 'node:fs'
import { type FileHandle, open } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import { Failure } from '#shared/protocol/failure.ts'
import { privateFolder } from '#shared/runtime/file.ts'
import { fileUrl } from './address.ts'
import { createMeasure, type Measure, measureFile } from './digest.ts'
import { type Fetch, type Fetched, Refusal } from './fetch.ts'
import { findCached, takeFrom } from './hub-cache.ts'
import type { ResolvedFile } from './listing.ts'

/** What arrived is not what was announced. Trying again may help, going on behind it does not. */
export class Damaged extends Error {}

export type DownloadDeps = {
  readonly base: URL
  readonly fetch: Fetch
  readonly cache: string | null
  readonly signal: AbortSignal
  /** Bytes of this file that are here, whenever there are more. */
  readonly onBytes: (have: number) => void
}
/** Folder of unfinished files, within the model's folder. A file there is called by its digest: another commit is another file. */
export const PARTS = '.parts'
export const partPath = (folder: string, { digest }: ResolvedFile): string => join(folder, PARTS, digest.hex)

const sizeAt = (path: string): number => statSync(path, { throwIfNoEntry: false })?.size ?? 0

/** Bytes of the file that need not be fetched, as far as a look at the disk tells. */
export function bytesHere(folder: string, file: ResolvedFile, cache: string | null): number {
  if (sizeAt(join(folder, file.path)) === file.size || findCached(cache, file)) return file.size
  return Math.min(sizeAt(partPath(folder, file)), file.size)
}

/** Resolves with the SHA-256 of the file in its place. Rejects with Refusal, Damaged, what the network says, and what the disk says. */
export async function bringFile(folder: string, file: ResolvedFile, deps: DownloadDeps): Promise<string> {
  const place = join(folder, file.path)
  const part = partPath(folder, file)
  const { signal, onBytes } = deps
  const proven = async (path: string): Promise<string | null> => {
    if (sizeAt(path) !== file.size) return null
    const measure = createMeasure(file.digest, file.size)
    await measureFile(path, file.size, measure, signal)
    const { isMeant, sha256 } = measure.end()
    return isMeant ? sha256 : null
  }

  const here = await proven(place)
  if (here !== null) {
    onBytes(file.size)
    return here
  }
  rmSync(place, { force: true })
  privateFolder(dirname(part))
  privateFolder(dirname(place))

  const cached = sizeAt(part) === 0 ? findCached(deps.cache, file) : null
  if (cached !== null) {
    rmSync(part, { force: true })
    await takeFrom(cached, part)
    const sha256 = await proven(part)
    // Never written to: it may be the very file of the cache.
    if (sha256 === null) rmSync(part)
    else {
      renameSync(part, place)
      onBytes(file.size)
      return sha256
    }
  }

  const sha256 = await fetchPart(part, file, deps)
  renameSync(part, place)
  return sha256
}

async function fetchPart(part: string, file: ResolvedFile, { base, fetch, signal, onBytes }: DownloadDeps): Promise<string> {
  const handle = await open(part, constants.O_RDWR | constants.O_CREAT | constants.O_NOFOLLOW, 0o600)
  try {
    let measure = createMeasure(file.digest, file.size)
    let have = Math.min(sizeAt(part), file.size)
    await handle.truncate(have)
    await measureFile(part, have, measure, signal)
    onBytes(have)
    if (have < file.size || file.size === 0) {
      const answer = await fetch(fileUrl(base, file.repo, file.revision, file.remotePath), { signal, from: have })
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
    const { isMeant, sha256 } = measure.end()
    if (!isMeant) throw new Damaged(`${file.path} arrived damaged`)
    return sha256
  } catch (error) {
    // What is wrong in the middle stays wrong, and a full disk needs its room back.
    if (error instanceof Damaged || (error as NodeJS.ErrnoException).code === 'ENOSPC') rmSync(part, { force: true })
    throw error
  } finally {
    await handle.close()
  }
}

/** The offset that the body begins at: 0 when the server knows no ranges. Throws Refusal for what is no file. */
function startOf({ status, headers }: Fetched, asked: number): number {
  if (status === 200) return 0
  if (status === 206 && asked > 0) {
    const [, start] = /^bytes (\d{1,15})-/.exec(String(headers['content-range'] ?? '')) ?? []
    if (Number(start) === asked) return asked
    throw new Damaged('the server sent another piece than it was asked for')
  }
  // What is here is longer than what the server has: it is not of this file.
  if (status === 416) throw new Damaged('the server has no such piece')
  throw new Refusal(status)
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
    throw new Damaged(`the server announces ${announced} bytes where ${expected} are missing (${status})`)
  let have = from
  for await (const piece of body as AsyncIterable<Buffer>) {
    if (have + piece.length > size) throw new Damaged('the server sends more than the file has')
    // Nothing is kept back in this process: what a kill leaves is what had arrived.
    for (let at = 0; at < piece.length; ) at += (await handle.write(piece, at, piece.length - at, have + at)).bytesWritten
    measure.take(piece)
    have += piece.length
    onBytes(have)
  }
  if (have < size) throw new Failure('UPLOAD_INCOMPLETE', `the server ended the file ${size - have} bytes early`)
}
