// Imports books as manuscripts. Foreign files are read by a process without rights; archives are unpacked into the folder of the request.
import { mkdir, open, readFile, writeFile } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import { createTurns } from '#control-plane/clients/turns.ts'
import type { Upload, UploadDisk } from '#control-plane/http/input/form.ts'
import { unzip } from '#shared/archive/unzip.ts'
import { Failure } from '#shared/protocol/failure.ts'
import { fileIn } from '#shared/runtime/file.ts'
import { COVER_BYTES, type Covers } from '../cover/covers.ts'
import type { ReadBook } from '../reading/book.ts'
import type { Notes } from '../reading/chapters/notes-setting.ts'
import { INDEX_NAME } from '../reading/kind.ts'
import { BOOK_BYTES, entryBytes, FILE_BYTES, manuscriptOf } from './import.rules.ts'
import { archiveKindOf, bookKindOf, HEAD_BYTES } from './kind.rules.ts'
import type { ReadForeignBook } from './reader-process.ts'

type Deps = {
  readonly read: ReadForeignBook
  readonly covers: Pick<Covers, 'keep'>
  readonly uploadDisk: Pick<UploadDisk, 'budget'>
  /** The default of the owner. */
  readonly notesNow: () => Notes
}
export type Imports = ReturnType<typeof createImports>

/** Books of one client that are read at the same time. Each is a process that may use 1.5 GB. */
const PER_CLIENT = 1
const WAITING_PER_CLIENT = 8
const MAX_ENTRIES = 20_000
const MIMETYPE_BYTES = 200
const NO_COVER = 'The cover of the book could not be used. It must be an RGB picture in JPEG or PNG, up to 8 MB and 16 megapixels.'

async function headOf(path: string, bytes: number): Promise<Buffer> {
  const file = await open(path)
  try {
    const { buffer, bytesRead } = await file.read(Buffer.alloc(bytes), 0, bytes, 0)
    return buffer.subarray(0, bytesRead)
  } finally {
    await file.close()
  }
}

export function createImports({ read, covers, uploadDisk, notesNow }: Deps) {
  type Found = {
    readonly book: ReadBook
    /** Reads the cover that the book names; null for one that is not there. */
    readonly cover: () => Promise<Buffer | null>
  }

  /** The book in an archive, with what was unpacked in the folder of the upload, which is deleted with it. */
  async function readArchive(file: Upload, notes: Notes, reserve: (bytes: number) => Promise<void>, signal: AbortSignal): Promise<Found> {
    const limits = { entries: MAX_ENTRIES, reserve }
    const unpacked = async (name: string) => {
      const folder = fileIn(dirname(file.path), name)
      await mkdir(folder, { mode: 0o700 })
      return folder
    }
    const folder = await unpacked('book')
    const { members, skipped } = await unzip(file.path, folder, { ...limits, totalBytes: BOOK_BYTES, bytesOf: entryBytes }, signal)
    const type = members.get('mimetype')
    const mimetype = type === undefined ? '' : await headOf(type.path, MIMETYPE_BYTES)
    const { kind, member } = archiveKindOf(file.filename, [...members.keys(), ...skipped], mimetype.toString())
    if (member !== null) {
      const book = await read(kind, members.get(member)!.path, signal, notes)
      return { book, cover: async () => null }
    }
    const index = [...members].map(([name, { path }]) => [name, path])
    await writeFile(join(folder, INDEX_NAME), JSON.stringify(index), { mode: 0o600, flag: 'wx' })
    const book = await read(kind, folder, signal, notes)
    const cover = async () => {
      const bytesOf = (name: string) => (name === book.cover ? COVER_BYTES : null)
      const found = await unzip(file.path, await unpacked('cover'), { ...limits, totalBytes: COVER_BYTES, bytesOf }, signal)
      const coverPath = found.members.get(book.cover ?? '')?.path
      return coverPath === undefined ? null : readFile(coverPath)
    }
    return { book, cover }
  }

  /** The book, and its cover as a stored file. */
  async function readBook(file: Upload, notes: Notes, signal: AbortSignal): Promise<ReadBook> {
    const kind = bookKindOf(file.filename, await headOf(file.path, HEAD_BYTES))
    const share = uploadDisk.budget.open()
    try {
      const { book, cover } =
        kind === 'archive'
          ? await readArchive(file, notes, share.take, signal)
          : { book: await read(kind, file.path, signal, notes), cover: async () => null }
      const { picture } = book
      try {
        const bytes = picture ? Buffer.from(picture, 'base64') : book.cover === null ? null : await cover()
        return { ...book, cover: bytes === null ? null : await covers.keep(bytes, signal) }
      } catch (error) {
        if (!(error instanceof Failure) || error.code !== 'BAD_REQUEST') throw error
        return { ...book, cover: null, notices: [...book.notices, `${NO_COVER} ${error.message}`] }
      }
    } finally {
      share.release()
    }
  }

  const inTurn = createTurns({ perClient: PER_CLIENT, what: 'books that are read', waitingPerClient: WAITING_PER_CLIENT })
  return {
    /** `wanted`: how footnotes are read; null for the default. Throws BAD_REQUEST for a file that cannot be read, STORAGE_FULL, QUEUE_FULL. */
    async import(file: Upload, wanted: Notes | null, signal: AbortSignal) {
      const notes = wanted ?? notesNow()
      if (file.size === 0) throw new Failure('BAD_REQUEST', 'The file is empty.')
      if (file.size > FILE_BYTES) throw new Failure('BAD_REQUEST', `The file is larger than ${FILE_BYTES / 1024 ** 2} MB.`)
      const book = await inTurn(signal, () => readBook(file, notes, signal))
      const { text, chapters, parts } = await manuscriptOf(book)
      const { title, author, language, cover, skipped, notices } = book
      const about = { title, author, language, cover }
      return { text, chapters: chapters.length, ...about, parts: [...parts], skipped: [...skipped], notices: [...notices] }
    },
  }
}
