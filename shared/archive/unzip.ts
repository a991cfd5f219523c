// Reads zip files that others made. Nothing in an archive is believed: names never become paths, sizes are counted on the bytes that come
// out, and an archive that two programs could read differently is refused.
import { open } from 'node:fs/promises'
import { join } from 'node:path'
import { pipeline } from 'node:stream/promises'
import { crc32 } from 'node:zlib'
import { type Entry, openPromise, type ZipFile } from 'yauzl'
import { Failure } from '#shared/protocol/failure.ts'
import { cleanLine } from '#shared/protocol/fields/clean-text.ts'
import { composed } from '#shared/text/unicode/compose.ts'
import { checkPlacement, isWholeDirectory, isZip64 } from './placement.ts'

export type UnzipLimits = {
  /** Entries in the directory of the archive, folders included. */
  readonly entries: number
  /** Bytes of all extracted members together. */
  readonly totalBytes: number
  /** The most bytes of a member by its name, in NFC and lower case; null for a member that is not extracted. */
  readonly bytesOf: (name: string) => number | null
  /** Called before bytes are written. An archive whose space it refuses fails with its error. */
  readonly reserve: (bytes: number) => Promise<void>
}
export type ArchiveMember = { readonly path: string; readonly bytes: number }
export type Unzipped = {
  /** By name, in NFC and lower case. */
  readonly members: ReadonlyMap<string, ArchiveMember>
  /** Names of the files that were not extracted, in NFC and lower case, 100 characters at most. */
  readonly skipped: readonly string[]
}

const [STORED, DEFLATED] = [0, 8]
const [ENCRYPTED, STRONGLY_ENCRYPTED] = [0x01, 0x40]
const [TYPE_BITS, REGULAR, FOLDER] = [0o170000, 0o100000, 0o040000]
const CONTROL = /[\x00-\x1f\x7f]/
const SHOWN_CHARS = 100

/**
 * Extracts the wanted members into `folder`, which is private and empty, as files 0, 1, 2. Checks the names of all entries before it opens the
 * first one. Throws BAD_REQUEST for an archive that is damaged, hostile or beyond the limits, and the reason of the signal. Files that were
 * written before an error remain in the folder, which the caller removes.
 */
export async function unzip(path: string, folder: string, limits: UnzipLimits, signal: AbortSignal): Promise<Unzipped> {
  const zip = await openPromise(path, { strictFileNames: true, autoClose: false }).catch((cause: unknown) => {
    throw isOfSystem(cause) ? cause : damaged(cause)
  })
  try {
    if (await isZip64(path, zip)) throw refused('it is in the format for archives over 4 GiB')
    const entries = await entriesOf(zip, limits)
    await checkPlacement(zip, [...entries.values()])
    const members = new Map<string, ArchiveMember>()
    const skipped: string[] = []
    let left = limits.totalBytes
    for (const [name, entry] of entries) {
      const most = limits.bytesOf(name)
      if (most === null) {
        skipped.push(cleanLine(name).slice(0, SHOWN_CHARS))
        continue
      }
      const member = join(folder, String(members.size))
      const bytes = await extract(zip, entry, member, { most: Math.min(most, left), reserve: limits.reserve }, signal)
      members.set(name, { path: member, bytes })
      left -= bytes
    }
    return { members, skipped }
  } catch (error) {
    signal.throwIfAborted()
    if (error instanceof Failure || isOfSystem(error)) throw error
    throw damaged(error)
  } finally {
    zip.close()
  }
}

/** The files of the archive by their normalised names. */
async function entriesOf(zip: ZipFile, { entries: most }: UnzipLimits): Promise<Map<string, Entry>> {
  if (zip.entryCount > most) throw refused(`it has ${zip.entryCount} entries and may have ${most}`)
  const files = new Map<string, Entry>()
  for await (const entry of zip.eachEntry()) {
    const name = composed(entry.fileName).toLowerCase()
    if (CONTROL.test(name)) throw refused('a name in it contains control characters')
    const type = (entry.externalFileAttributes >>> 16) & TYPE_BITS
    const isFolder = name.endsWith('/')
    if (type !== 0 && type !== (isFolder ? FOLDER : REGULAR)) throw refused('it contains a link or a device')
    if (isFolder) continue
    if ((entry.generalPurposeBitFlag & (ENCRYPTED | STRONGLY_ENCRYPTED)) !== 0) throw refused('it is encrypted')
    if (entry.compressionMethod !== STORED && entry.compressionMethod !== DEFLATED)
      throw refused(`it uses the compression method ${entry.compressionMethod}`)
    if (files.has(name)) throw refused('two files in it have the same name')
    files.set(name, entry)
  }
  if (!isWholeDirectory(zip)) throw refused('its directory is damaged')
  return files
}

/** Resolves with the number of bytes. */
async function extract(
  zip: ZipFile,
  entry: Entry,
  path: string,
  { most, reserve }: { readonly most: number; readonly reserve: UnzipLimits['reserve'] },
  signal: AbortSignal,
): Promise<number> {
  let bytes = 0
  let sum = 0
  async function* counted(pieces: AsyncIterable<Buffer>): AsyncGenerator<Buffer> {
    for await (const piece of pieces) {
      bytes += piece.length
      if (bytes > most) throw refused('its files are too large when they are unpacked')
      sum = crc32(piece, sum)
      await reserve(piece.length)
      yield piece
    }
    if (bytes !== entry.uncompressedSize || sum !== entry.crc32) throw refused('a file in it is damaged')
  }
  // Opened first: a stream that fails while it opens its file may create it after the caller has removed the folder, and the stream of the member
  // fails at once when it is damaged, so nothing is awaited between its start and its reader.
  const file = await open(path, 'wx', 0o600)
  const source = await zip.openReadStreamPromise(entry).catch(async (error: unknown) => {
    await file.close()
    throw error
  })
  await pipeline(source, counted, file.createWriteStream(), { signal })
  return bytes
}

const refused = (why: string, cause?: unknown) => new Failure('BAD_REQUEST', `The archive cannot be read: ${why}.`, { cause })
const damaged = (cause: unknown) => refused('it is damaged, or not a zip file', cause)
/** Errors of the operating system say nothing about the archive. */
const isOfSystem = (error: unknown) => /^E[A-Z0-9]+$/.test((error as NodeJS.ErrnoException).code ?? '')
