// The newest 50 kinds of errors, with a count for each, in a file that survives a restart. An error is the same kind as another one when
// type, route and message are equal apart from numbers. Texts are scrubbed before they are stored.
import { createHash } from 'node:crypto'
import { appendFileSync, closeSync, existsSync, fstatSync, openSync, readSync } from 'node:fs'
import { z } from 'zod'
import type { Clock } from '#shared/runtime/clock.ts'
import { writeAtomic } from '#shared/runtime/file.ts'
import type { Log } from '#shared/runtime/log.ts'
import type { Service } from '#shared/runtime/service.ts'
import { ERROR_CLASSES, errorClassOf } from './error-class.ts'
import type { Scrub } from './scrub.ts'

const Entry = z.object({
  /** 16 hexadecimal digits. */
  fingerprint: z.string().regex(/^[0-9a-f]{16}$/),
  error_class: z.enum(ERROR_CLASSES),
  type: z.string().max(100),
  message: z.string().max(1_000),
  /** Method and path of the contract, or the name of the program part. */
  route: z.string().max(300),
  trace: z.string().max(4_000),
  /** YYYY-MM-DDTHH:MM:SS, in UTC. */
  first_seen: z.string().max(32),
  last_seen: z.string().max(32),
  count: z.int().min(1),
})
export type JournalEntry = z.output<typeof Entry>
export const JournalEntry: typeof Entry = Entry
export type ErrorJournal = ReturnType<typeof createErrorJournal>
type Deps = { readonly path: string; readonly scrub: Scrub; readonly clock: Clock; readonly log: Log }

const KEPT = 50
const FILE_BYTES = 1024 * 1024
/** A count that rises is stored at most once in this time; a new kind at once. */
const STORE_MS = 1_000
const MESSAGE_CHARS = 1_000
const TRACE_CHARS = 4_000

export function createErrorJournal({ path, scrub, clock, log }: Deps): Service & {
  readonly record: (error: unknown, route: string) => void
  readonly recent: (limit: number) => JournalEntry[]
} {
  /** The kind seen last is at the end. */
  const entries = new Map(readEntries(path).map((entry) => [entry.fingerprint, entry]))
  let cancelStore: (() => void) | null = null
  let isWarned = false

  /** False when it failed, as on a full disk. */
  function onDisk(write: () => void): boolean {
    try {
      write()
      isWarned = false
      return true
    } catch (error) {
      if (!isWarned) log.warn({ err: String(error) }, 'the journal of errors could not be stored')
      isWarned = true
      return false
    }
  }
  function store(): void {
    cancelStore?.()
    cancelStore = null
    const isStored = onDisk(() => writeAtomic(path, [...entries.values()].map((entry) => `${JSON.stringify(entry)}\n`).join('')))
    // Tried again, so that errors during a full disk are kept once there is space.
    if (!isStored) cancelStore = clock.after(STORE_MS, store)
  }

  return {
    name: 'error-journal',
    start() {},
    stop: async () => {
      if (cancelStore) store()
      cancelStore?.()
    },
    /** Never throws. */
    record(error, route) {
      const { name = 'Error', message = String(error), stack = '', code } = asError(error)
      const type = scrub(typeof code === 'string' ? code : name).slice(0, 100)
      const clean = scrub(message.slice(0, 4 * MESSAGE_CHARS)).slice(0, MESSAGE_CHARS)
      const fingerprint = createHash('sha256')
        .update([type, route, clean.replaceAll(/\d+/g, '#')].join('\n'))
        .digest('hex')
        .slice(0, 16)
      const now = new Date(clock.now()).toISOString().slice(0, 19)
      const before = entries.get(fingerprint)
      const entry: JournalEntry = {
        fingerprint,
        error_class: errorClassOf(error),
        type,
        message: clean,
        route: route.slice(0, 300),
        trace: scrub(traceOf(error, stack)).slice(0, TRACE_CHARS),
        first_seen: before?.first_seen ?? now,
        last_seen: now,
        count: (before?.count ?? 0) + 1,
      }
      entries.delete(fingerprint)
      entries.set(fingerprint, entry)
      for (const oldest of entries.keys()) if (entries.size > KEPT) entries.delete(oldest)
      if (!before) onDisk(() => appendFileSync(path, `${JSON.stringify(entry)}\n`, { mode: 0o600 }))
      cancelStore ??= clock.after(STORE_MS, store)
    },
    /** Newest first. */
    recent: (limit) => [...entries.values()].reverse().slice(0, limit),
  }
}

type Fields = { readonly name?: string; readonly message?: string; readonly stack?: string; readonly code?: unknown }
const asError = (error: unknown): Fields => (typeof error === 'object' && error !== null ? (error as Fields) : {})

/** The stack, then the stacks of the causes. */
function traceOf(error: unknown, stack: string): string {
  const cause = (error as { cause?: unknown } | null)?.cause
  const more = cause === undefined ? '' : `\nCaused by: ${asError(cause).stack ?? String(cause)}`
  return `${stack}${more}`.slice(0, 2 * TRACE_CHARS)
}

/** Invalid lines are skipped. Of two lines of one kind the later counts. */
function readEntries(path: string): JournalEntry[] {
  const entries = new Map<string, JournalEntry>()
  for (const line of newestText(path).split('\n')) {
    const entry = Entry.safeParse(parsed(line)).data
    if (!entry) continue
    entries.delete(entry.fingerprint)
    entries.set(entry.fingerprint, entry)
  }
  return [...entries.values()].slice(-KEPT)
}

function parsed(line: string): unknown {
  try {
    return JSON.parse(line)
  } catch {
    return null
  }
}

/** The end of the file; '' when it cannot be read. */
function newestText(path: string): string {
  if (!existsSync(path)) return ''
  let file: number | null = null
  try {
    file = openSync(path, 'r')
    const { size } = fstatSync(file)
    const bytes = Buffer.alloc(Math.min(size, FILE_BYTES))
    return bytes.toString('utf8', 0, readSync(file, bytes, 0, bytes.length, size - bytes.length))
  } catch {
    return ''
  } finally {
    if (file !== null) closeSync(file)
  }
}
