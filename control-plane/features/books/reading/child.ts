// Reads one book in a process of its own, which may read that book and nothing else: `node --permission … child.ts KIND PATH NOTES`.
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { type ReadBook, UnreadableBook } from './book.ts'
import { NOTES, type Notes } from './chapters/notes-setting.ts'
import { BOOK_KINDS, type BookKind, INDEX_NAME } from './kind.ts'
import type { BookLine } from './reply.schema.ts'

type Reader = (path: string, notes: Notes) => Promise<ReadBook> | ReadBook
/** `folder`: where the studio unpacked the archive. */
async function filesOf(folder: string) {
  const { ArchiveIndex } = await import('./reply.schema.ts')
  const index = new Map(ArchiveIndex.parse(JSON.parse(readFileSync(join(folder, INDEX_NAME), 'utf8'))))
  const read = (name: string) => {
    const file = index.get(name)
    return file === undefined ? null : readFileSync(file)
  }
  return { names: [...index.keys()], read }
}
const markupAt = async (path: string): Promise<string> => {
  const [{ decodeBook }, { declaredEncoding }] = await Promise.all([import('./text/decode.ts'), import('./markup/encoding.ts')])
  const bytes = readFileSync(path)
  return decodeBook(bytes, declaredEncoding(bytes))
}
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
  html: async () => {
    const { readHtml } = await import('./html/html.ts')
    return async (path, notes) => readHtml(await markupAt(path), notes)
  },
  epub: async () => {
    const { readEpub } = await import('./epub/epub.ts')
    return async (path, notes) => readEpub(await filesOf(path), notes)
  },
  fb2: async () => {
    const { readFb2 } = await import('./fb2/fb2.ts')
    return async (path, notes) => readFb2(await markupAt(path), notes)
  },
  docx: async () => {
    const { readDocx } = await import('./docx/docx.ts')
    return async (path, notes) => readDocx(await filesOf(path), notes)
  },
  odt: async () => {
    const { readOdt } = await import('./odt/odt.ts')
    return async (path, notes) => readOdt(await filesOf(path), notes)
  },
  fodt: async () => {
    const { readFlatOdt } = await import('./odt/odt.ts')
    return async (path, notes) => readFlatOdt(await markupAt(path), notes)
  },
  rtf: async () => {
    const { readRtf } = await import('./rtf/rtf.ts')
    return (path, notes) => readRtf(readFileSync(path), notes)
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
    const { title, author, language, cover, picture, chapters, skipped, notices } = await read(path, notes)
    write({ type: 'about', title, author, language, cover })
    if (picture) write({ type: 'picture', base64: picture })
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
