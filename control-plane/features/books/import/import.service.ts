// Imports books as manuscripts. Foreign files are read by a process without rights; archives are unpacked into the folder of the request.
import { mkdir, readFile, writeFile } from 'node:fs/promises'
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
import { BOOK_BYTES, bookKindOf, entryBytes, manuscriptOf } from './import.rules.ts'
import type { ReadForeignBook } from './reader-process.ts'

type Deps = {
  readonly read: ReadForeignBook
  readonly covers: Pick<Covers, 'keep'>
  readonly uploadDisk: Pick<UploadDisk, 'budget'> /** The default of the owner. */
  readonly notesNow: () => Notes
}
export type Imports = ReturnType<typeof createImports>

const FILE_BYTES = 64 * 1024 ** 2
/** Books of one client that are read at the same time. Each is a process that may use 1.5 GB. */
const PER_CLIENT = 1
const WAITING_PER_CLIENT = 8
const MAX_ENTRIES = 20_000
const NO_COVER = 'The cover of the book could not be used. It must be an RGB picture in JPEG or PNG of at most 8 MB and 16 megapixels.'

export function createImports({ read, covers, uploadDisk, notesNow }: Deps) {
  /** The book, and its cover as a stored file. */
  async function readArchive(file: Upload, notes: Notes, signal: AbortSignal): Promise<ReadBook> {
    const share = uploadDisk.budget.open()
    const limits = { entries: MAX_ENTRIES, reserve: share.take }
    // Deleted with the upload.
    const unpacked = async (name: string) => {
      const folder = fileIn(dirname(file.path), name)
      await mkdir(folder, { mode: 0o700 })
      return folder
    }
    try {
      const folder = await unpacked('book')
      const { members } = await unzip(file.path, folder, { ...limits, totalBytes: BOOK_BYTES, bytesOf: entryBytes }, signal)
      const index = [...members].map(([name, { path }]) => [name, path])
      await writeFile(join(folder, INDEX_NAME), JSON.stringify(index), { mode: 0o600, flag: 'wx' })
      const book = await read('epub', folder, signal, notes)
      if (book.cover === null) return book
      try {
        const bytesOf = (name: string) => (name === book.cover ? COVER_BYTES : null)
        const found = await unzip(file.path, await unpacked('cover'), { ...limits, totalBytes: COVER_BYTES, bytesOf }, signal)
        const coverPath = found.members.get(book.cover)?.path
        if (coverPath === undefined) return { ...book, cover: null }
        return { ...book, cover: await covers.keep(await readFile(coverPath), signal) }
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
      const kind = bookKindOf(file.filename)
      const book = await inTurn(signal, () => (kind === 'epub' ? readArchive(file, notes, signal) : read(kind, file.path, signal, notes)))
      const { text, chapters } = await manuscriptOf(book)
      const { title, author, language, cover, skipped, notices } = book
      return { text, chapters: chapters.length, title, author, language, cover, skipped: [...skipped], notices: [...notices] }
    },
  }
}
