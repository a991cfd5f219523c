// Reads a zip file of any size whose entries are stored as they are, each by its name. An entry that is compressed, encrypted, a link or named
// twice is refused, and all entries together have at most the bytes of the archive: nothing in it can expand.
import { type Entry, openPromise, type ZipFile } from 'yauzl'
import { Failure } from '#shared/protocol/failure.ts'

export type StoredZip = Awaited<ReturnType<typeof openStoredZip>>

const STORED = 0
const ENCRYPTED_BITS = 0x41
const [TYPE_BITS, REGULAR] = [0o170000, 0o100000]

/** Throws BAD_REQUEST for a file that is no such archive or has more entries; errors of the system. Close it after use. */
export async function openStoredZip(path: string, mostEntries: number) {
  const zip = await openPromise(path, { strictFileNames: true, autoClose: false }).catch((cause: unknown) => {
    throw isOfSystem(cause) ? cause : damaged(path, cause)
  })
  try {
    const entries = await entriesOf(zip, path, mostEntries)
    return {
      path,
      /** Names of all entries. */
      names: (): IterableIterator<string> => entries.keys(),
      /** Bytes of an entry; null if there is none of this name. */
      bytesOf: (name: string): number | null => entries.get(name)?.uncompressedSize ?? null,
      /** Iterating throws BAD_REQUEST for a damaged archive. */
      async *read(name: string): AsyncGenerator<Buffer> {
        const entry = entries.get(name)
        if (!entry) throw refused(path, `it has no ${name}`)
        try {
          for await (const piece of await zip.openReadStreamPromise(entry)) yield piece as Buffer
        } catch (error) {
          throw error instanceof Failure || isOfSystem(error) ? error : damaged(path, error)
        }
      },
      close: (): void => zip.close(),
    }
  } catch (error) {
    zip.close()
    throw error instanceof Failure || isOfSystem(error) ? error : damaged(path, error)
  }
}

async function entriesOf(zip: ZipFile, path: string, most: number): Promise<Map<string, Entry>> {
  if (zip.entryCount > most) throw refused(path, `it has ${zip.entryCount} entries and may have ${most}`)
  const entries = new Map<string, Entry>()
  let left = zip.fileSize
  for await (const entry of zip.eachEntry()) {
    const { fileName: name, uncompressedSize: bytes } = entry
    const type = (entry.externalFileAttributes >>> 16) & TYPE_BITS
    if (name.endsWith('/') || (type !== 0 && type !== REGULAR)) throw refused(path, 'it has an entry that is no file')
    if ((entry.generalPurposeBitFlag & ENCRYPTED_BITS) !== 0) throw refused(path, 'it has an encrypted entry')
    if (entry.compressionMethod !== STORED || entry.compressedSize !== bytes) throw refused(path, 'it has a compressed entry')
    if (entries.has(name)) throw refused(path, 'two files in it have the same name')
    left -= bytes
    if (left < 0) throw refused(path, 'files in it overlap')
    entries.set(name, entry)
  }
  return entries
}

const refused = (path: string, why: string, cause?: unknown) => new Failure('BAD_REQUEST', `${path} cannot be read: ${why}.`, { cause })
const damaged = (path: string, cause: unknown) => refused(path, 'it is damaged, or no archive of a backup', cause)
const isOfSystem = (error: unknown) => /^E[A-Z0-9]+$/.test((error as NodeJS.ErrnoException).code ?? '')
