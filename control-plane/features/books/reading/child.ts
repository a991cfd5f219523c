// Reads one book in a process of its own, which may read that book and nothing else: `node --permission … child.ts KIND PATH NOTES`.
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { type ReadBook, UnreadableBook } from './book.ts'
import { NOTES, type Notes } from './chapters/notes-setting.ts'
import { BOOK_KINDS, type BookKind, INDEX_NAME } from './kind.ts'
import type { BookLine } from './reply.schema.ts'

type Reader = (path: string, notes: Notes) => Promise<ReadBook> | ReadBook
/** Parsers are loaded for their kind only: without a compile cache, which the child may not read, they take most of the time. */
const READERS: Readonly<Record<BookKind, () => Promise<Reader>>> = {
  text: async () => {
    const [{ readPlainText }, { decodeBook }] = await Promise.all([import('./text/plain.ts'), import('./text/decode.ts')])
    return (path, notes) => readPlainText(decodeBook(readFileSync(path)), notes)
  },
  markdown: async () => {
    const [{ readMarkdown }, { decodeBook }] = await Promise.all([import('./text/markdown.ts'), import('./text/decode.ts')])
    return (path, notes) => readMarkdown(decodeBook(readFileSync(path)), notes)
  },
  /** `path`: the folder of the unpacked archive. */
  epub: async () => {
    const [{ readEpub }, { ArchiveIndex }] = await Promise.all([import('./epub/epub.ts'), import('./reply.schema.ts')])
    return (path, notes) => {
      const index = new Map(ArchiveIndex.parse(JSON.parse(readFileSync(join(path, INDEX_NAME), 'utf8'))))
      const read = (name: string) => {
        const file = index.get(name)
        return file === undefined ? null : readFileSync(file)
      }
      return readEpub({ names: [...index.keys()], read }, notes)
    }
  },
  pdf: async () => {
    const { readPdf } = await import('./pdf/pdf.ts')
    return (path) => readPdf(readFileSync(path))
  },
}

const write = (line: BookLine) => void process.stdout.write(`${JSON.stringify(line)}\n`)

async function main(kind: string | undefined, path: string | undefined, wanted: string | undefined): Promise<void> {
  const known = BOOK_KINDS.find((each) => each === kind)
  const notes = NOTES.find((each) => each === (wanted ?? 'omit'))
  if (known === undefined || path === undefined || notes === undefined) throw new Error('usage: child.ts KIND PATH [NOTES]')
  const read = await READERS[known]()
  // What fails before this line says nothing about the book.
  write({ type: 'started' })
  try {
    const { title, author, language, cover, chapters, skipped, notices } = await read(path, notes)
    write({ type: 'about', title, author, language, cover })
    for (const chapter of chapters) write({ type: 'chapter', ...chapter })
    for (const part of skipped) write({ type: 'skipped', ...part })
    for (const text of notices) write({ type: 'notice', text })
    write({ type: 'end' })
  } catch (error) {
    if (!(error instanceof UnreadableBook)) throw error
    write({ type: 'refused', why: error.message })
  }
}

await main(process.argv[2], process.argv[3], process.argv[4])
