// Runs the child process that reads foreign books, and ends it when it takes too long, too much memory or writes too much.

import { readFile, realpath } from 'node:fs/promises'
import { join } from 'node:path'
import { Failure } from '#shared/protocol/failure.ts'
import { parseJson } from '#shared/protocol/json.ts'
import { spawn } from '#shared/runtime/child/process.ts'
import type { Clock } from '#shared/runtime/clock.ts'
import { lowerPriority, signalChild } from '#shared/runtime/program.ts'
import type { OmittedPart, ReadBook, ReadChapter } from '../reading/book.ts'
import type { BookKind } from '../reading/kind.ts'
import { BookLine, OUTPUT_BYTES } from '../reading/reply.schema.ts'

const ROOT = join(import.meta.dirname, '../../../..')
const CHILD = join(import.meta.dirname, '../reading/child.ts')
/** What the child loads; it may read nothing else besides the book. */
const READABLE = [
  'package.json',
  'control-plane/areas/longform/reading',
  'shared/text/script',
  ...['chardet', 'entities', 'marked', 'parse5', 'saxes', 'unpdf', 'xmlchars', 'zod'].map((name) => `node_modules/${name}`),
]
const HEAP_MB = 512
const LONGEST_MS = 120_000
/** Resident memory, which includes unpacked streams that no limit of the heap counts. */
const MOST_MEMORY = 1536 * 1024 ** 2
const WATCH_MS = 500
const PAGE_BYTES = 4096

export type ReadForeignBook = (kind: BookKind, path: string, signal: AbortSignal) => Promise<ReadBook>

/**
 * `path`: a file, or a folder with an unpacked archive. Throws BAD_REQUEST for a book that cannot be read, and the reason of the signal.
 * The process has ended when the promise settles.
 */
export function createReaderProcess({ clock }: { readonly clock: Pick<Clock, 'after'> }): ReadForeignBook {
  return async (kind, path, signal) => {
    signal.throwIfAborted()
    const readable = await Promise.all([...READABLE.map((name) => join(ROOT, name)), path].map((each) => realpath(each)))
    const child = spawn(
      process.execPath,
      [
        '--permission',
        ...readable.map((each) => `--allow-fs-read=${each}`),
        `--max-old-space-size=${HEAP_MB}`,
        '--no-warnings',
        CHILD,
        kind,
        await realpath(path),
      ],
      { cwd: '/', env: {}, stdio: ['ignore', 'pipe', 'ignore'] },
    )
    lowerPriority(child.pid)
    let ended: Failure | null = null
    const end = (why: string) => {
      ended ??= refused(why)
      signalChild(child, 'SIGKILL')
    }
    const kill = () => signalChild(child, 'SIGKILL')
    process.once('exit', kill)
    signal.addEventListener('abort', kill, { once: true })
    const cancelLimit = clock.after(LONGEST_MS, () => end(`reading it took longer than ${LONGEST_MS / 1000} seconds`))
    const cancelWatch = watchMemory(clock, child.pid, () => end('it needs too much memory'))
    const pieces: Buffer[] = []
    let bytes = 0
    child.stdout.on('data', (piece: Buffer) => {
      bytes += piece.length
      if (bytes > OUTPUT_BYTES) end('its text is too long. Split the book')
      else pieces.push(piece)
    })
    try {
      await new Promise<void>((resolve) => child.once('error', () => resolve()).once('close', () => resolve()))
    } finally {
      cancelLimit()
      cancelWatch()
      process.off('exit', kill)
      signal.removeEventListener('abort', kill)
    }
    signal.throwIfAborted()
    if (ended) throw ended
    return bookOf(Buffer.concat(pieces))
  }
}

/** Calls `exceeded` when the process has too much resident memory. Without `/proc` only the limit of the heap counts. */
function watchMemory(clock: Pick<Clock, 'after'>, pid: number | undefined, exceeded: () => void): () => void {
  let cancel = () => {}
  let isOver = pid === undefined
  const look = async (): Promise<void> => {
    const figures = await readFile(`/proc/${pid}/statm`, 'latin1').catch(() => null)
    if (isOver || figures === null) return
    if (Number(figures.split(' ')[1]) * PAGE_BYTES > MOST_MEMORY) return exceeded()
    cancel = clock.after(WATCH_MS, () => void look())
  }
  if (!isOver) cancel = clock.after(WATCH_MS, () => void look())
  return () => {
    isOver = true
    cancel()
  }
}

function bookOf(output: Buffer): ReadBook {
  const chapters: ReadChapter[] = []
  const skipped: OmittedPart[] = []
  const notices: string[] = []
  let about: Pick<ReadBook, 'title' | 'author' | 'language' | 'cover'> = { title: null, author: null, language: null, cover: null }
  for (let at = 0; at < output.length; ) {
    const end = output.indexOf(0x0a, at)
    const line = lineOf(output.subarray(at, end < 0 ? output.length : end))
    at = end < 0 ? output.length : end + 1
    switch (line?.type) {
      case 'about':
        about = { title: line.title, author: line.author, language: line.language, cover: line.cover }
        break
      case 'chapter':
        chapters.push({ title: line.title, text: line.text })
        break
      case 'skipped':
        skipped.push({ title: line.title, why: line.why })
        break
      case 'notice':
        notices.push(line.text)
        break
      case 'refused':
        throw new Failure('BAD_REQUEST', line.why)
      case 'end':
        return { ...about, chapters, skipped, notices }
      default:
        throw refused('it is damaged')
    }
  }
  throw refused('it is damaged, or too large to be read at once')
}

/** Null for a line that the schema refuses. */
function lineOf(bytes: Buffer): BookLine | null {
  try {
    return BookLine.safeParse(parseJson(bytes, { bytes: OUTPUT_BYTES })).data ?? null
  } catch {
    return null
  }
}

const refused = (why: string) => new Failure('BAD_REQUEST', `The book cannot be read: ${why}.`)
