// Runs the child process that reads foreign books, and ends it when it takes too long, too much memory or writes too much.
import { readFile, realpath } from 'node:fs/promises'
import { join } from 'node:path'
import { type ProgramEnd, programFault } from '#control-plane/media/ffmpeg/program-fault.ts'
import { Failure } from '#shared/protocol/failure.ts'
import { parseJson } from '#shared/protocol/json.ts'
import { killGroup, spawnGroup } from '#shared/runtime/child/group.ts'
import type { Clock } from '#shared/runtime/clock.ts'
import { lastText } from '#shared/runtime/lines.ts'
import type { Log } from '#shared/runtime/log.ts'
import { lowerPriority } from '#shared/runtime/program.ts'
import type { OmittedPart, ReadBook, ReadChapter } from '../reading/book.ts'
import type { Notes } from '../reading/chapters/notes-setting.ts'
import type { BookKind } from '../reading/kind.ts'
import { BookLine, OUTPUT_BYTES } from '../reading/reply.schema.ts'

const ROOT = join(import.meta.dirname, '../../../..')
const CHILD = 'control-plane/features/books/reading/child.ts'
/** Our own files that the child loads. */
export const READER_FILES = [
  'package.json',
  'control-plane/features/books/reading',
  'shared/text/encoding',
  'shared/text/script',
  'shared/text/unicode',
] as const
/** Files that the child loads; it may read nothing else besides the book. */
const READABLE = [
  ...READER_FILES,
  ...['entities', 'marked', 'parse5', 'saxes', 'unpdf', 'xmlchars', 'zod'].map((name) => `node_modules/${name}`),
]
const HEAP_MB = 512
const LONGEST_MS = 120_000
/** Resident memory, which includes unpacked streams that no limit of the heap counts. */
const MAX_MEMORY = 1536 * 1024 ** 2
const WATCH_MS = 500
const PAGE_BYTES = 4096
const KEPT_TEXT_CHARS = 4096
const NAME = 'that reads books'

export type ReadForeignBook = (kind: BookKind, path: string, signal: AbortSignal, notes?: Notes) => Promise<ReadBook>

type Deps = {
  readonly clock: Pick<Clock, 'after'>
  readonly log: Pick<Log, 'warn'>
  /** The folder of the programs and packages. */
  readonly root?: string
}

/**
 * `path`: a file, or a folder with an unpacked archive. `notes`: how footnotes are read; default omit. Throws BAD_REQUEST for a book that cannot be read, PROGRAM_FAILED for a reader that could
 * not run, PROGRAM_KILLED, and the reason of the signal. The process has ended when the promise settles.
 */
export function createReaderProcess({ clock, log, root = ROOT }: Deps): ReadForeignBook {
  return async (kind, path, signal, notes = 'omit') => {
    signal.throwIfAborted()
    // By both names: a folder of packages may be a symbolic link. The loader keeps the names, because it may not look at the link itself.
    const named = [...READABLE.map((name) => join(root, name)), path]
    const readable = new Set([...named, ...(await Promise.all(named.map(realNameOf)))])
    const child = spawnGroup(
      process.execPath,
      [
        '--permission',
        '--preserve-symlinks',
        '--preserve-symlinks-main',
        ...[...readable].map((each) => `--allow-fs-read=${each}`),
        `--max-old-space-size=${HEAP_MB}`,
        '--no-warnings',
        join(root, CHILD),
        kind,
        await realpath(path),
        notes,
      ],
      { cwd: '/', env: {}, stdio: ['ignore', 'pipe', 'pipe'] },
    )
    lowerPriority(child.pid)
    let ended: Failure | null = null
    const kill = () => killGroup(child)
    const end = (why: string) => {
      ended ??= refused(why)
      kill()
    }
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
    const errors = lastText(child.stderr, KEPT_TEXT_CHARS)
    let last: Omit<ProgramEnd, 'pid'>
    try {
      last = await new Promise((resolve) => {
        child.once('error', ({ message }) => resolve({ code: null, by: null, text: message }))
        child.once('close', (code, by) => resolve({ code, by, text: errors() }))
      })
    } finally {
      cancelLimit()
      cancelWatch()
      signal.removeEventListener('abort', kill)
    }
    signal.throwIfAborted()
    if (ended) throw ended
    const { text } = last
    const fault = programFault(NAME, { pid: child.pid, ...last })
    if (fault) throw fault
    const output = Buffer.concat(pieces)
    if (lineOf(firstLine(output))?.type !== 'started') throw new Failure('PROGRAM_FAILED', NOT_STARTED, { cause: text.trim() })
    if (text !== '') log.warn({ kind, code: last.code, by: last.by, err: text.trim() }, 'the reader of a book ended with an error')
    return bookOf(output, last)
  }
}

/** Throws PROGRAM_FAILED for a file that is not there: the program is incomplete. */
const realNameOf = async (path: string): Promise<string> =>
  realpath(path).catch((cause: unknown) => {
    throw new Failure('PROGRAM_FAILED', NOT_STARTED, { cause })
  })

/** Calls `exceeded` when the process has too much resident memory. Without `/proc` only the limit of the heap counts. */
function watchMemory(clock: Pick<Clock, 'after'>, pid: number | undefined, exceeded: () => void): () => void {
  let cancel = () => {}
  let isOver = pid === undefined
  const look = async (): Promise<void> => {
    const figures = await readFile(`/proc/${pid}/statm`, 'latin1').catch(() => null)
    if (isOver || figures === null) return
    if (Number(figures.split(' ')[1]) * PAGE_BYTES > MAX_MEMORY) return exceeded()
    cancel = clock.after(WATCH_MS, () => void look())
  }
  if (!isOver) cancel = clock.after(WATCH_MS, () => void look())
  return () => {
    isOver = true
    cancel()
  }
}

const NOT_STARTED = 'The program that reads books could not start. The book was not examined.'
const firstLine = (output: Buffer): Buffer => output.subarray(0, Math.max(0, output.indexOf(0x0a)))

function bookOf(output: Buffer, { by }: Pick<ProgramEnd, 'by'>): ReadBook {
  const chapters: ReadChapter[] = []
  const skipped: OmittedPart[] = []
  const notices: string[] = []
  let picture: string | null = null
  let about: Pick<ReadBook, 'title' | 'author' | 'language' | 'cover'> = { title: null, author: null, language: null, cover: null }
  for (let at = 0; at < output.length; ) {
    const end = output.indexOf(0x0a, at)
    const line = lineOf(output.subarray(at, end < 0 ? output.length : end))
    at = end < 0 ? output.length : end + 1
    switch (line?.type) {
      case 'started':
        break
      case 'about':
        about = { title: line.title, author: line.author, language: line.language, cover: line.cover }
        break
      case 'picture':
        picture = line.base64
        break
      case 'chapter':
        chapters.push({ title: line.title, text: line.text, included: line.included, why: line.why })
        break
      case 'skipped':
        skipped.push({ title: line.title, why: line.why, ...(line.place !== undefined && { place: line.place }) })
        break
      case 'notice':
        notices.push(line.text)
        break
      case 'refused':
        throw new Failure('BAD_REQUEST', line.why)
      case 'end':
        return { ...about, picture, chapters, skipped, notices }
      default:
        throw refused(UNCLEAR)
    }
  }
  // The limit of its memory ends the process by a signal.
  throw refused(by === null ? UNCLEAR : 'it is too large to be read at once')
}

/** Null for a line that the schema refuses. */
function lineOf(bytes: Buffer): BookLine | null {
  try {
    return BookLine.safeParse(parseJson(bytes, { bytes: OUTPUT_BYTES })).data ?? null
  } catch {
    return null
  }
}

/** The book or its reader may be at fault, and the log has the error. */
const UNCLEAR = 'its reader stopped in the middle of it. The log of the studio has the reason'
const refused = (why: string) => new Failure('BAD_REQUEST', `The book cannot be read: ${why}.`)
