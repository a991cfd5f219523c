// The log of unexpected errors that ended the program, and the mark up to which its owner has seen it.
import { appendFileSync, closeSync, ftruncateSync, openSync, readFileSync, statSync } from 'node:fs'
import { dirname } from 'node:path'
import { z } from 'zod'
import type { Clock } from '#shared/runtime/clock.ts'
import { privateFolder, writeAtomic } from '#shared/runtime/file.ts'

export type CrashLog = ReturnType<typeof createCrashLog>
type Deps = {
  readonly path: string
  /** Path of the stored mark. */
  readonly seenPath: string
}
const Seen = z.object({ size: z.int().min(0), mtime: z.number() })
type Seen = z.output<typeof Seen>
const NOTHING: Seen = { size: 0, mtime: 0 }
/** A program that fails at every start must not fill the disk. */
const MAX_BYTES = 2 * 1024 * 1024

/** Appends the stack of an error. Never throws: the program is about to end. */
export function appendCrash(path: string, error: unknown, clock: Pick<Clock, 'now'>): void {
  try {
    privateFolder(dirname(path))
    const { size = 0 } = statSync(path, { throwIfNoEntry: false }) ?? {}
    const text = error instanceof Error ? (error.stack ?? String(error)) : String(error)
    if (size < MAX_BYTES) appendFileSync(path, `${new Date(clock.now()).toISOString()} ${text.slice(0, 64 * 1024)}\n`, { mode: 0o600 })
  } catch {} // The disk is full or not writable; standard error has the message.
}

export function createCrashLog({ path, seenPath }: Deps) {
  /** Size and modification time in milliseconds; zero for a missing file. */
  function present(): Seen {
    const found = statSync(path, { throwIfNoEntry: false })
    return found?.isFile() ? { size: found.size, mtime: found.mtimeMs } : NOTHING
  }
  function seen(): Seen {
    try {
      return Seen.safeParse(JSON.parse(readFileSync(seenPath, 'utf8').slice(0, 1024))).data ?? NOTHING
    } catch {
      return NOTHING
    }
  }
  return {
    path,
    /** True if it contains errors that the owner has not acknowledged. Never throws. */
    isUnseen(): boolean {
      try {
        const now = present()
        const { size, mtime } = seen()
        return now.size > 0 && (now.size !== size || now.mtime !== mtime)
      } catch {
        return false // An unreadable folder is reported by the checks of the data folder.
      }
    },
    /** Marks the present content as seen, and returns its size in bytes. Throws disk errors. */
    acknowledge(): number {
      const now = present()
      writeAtomic(seenPath, JSON.stringify(now))
      return now.size
    },
    /** Deletes the content and the mark. Throws disk errors. */
    clear(): void {
      if (statSync(path, { throwIfNoEntry: false })) {
        const file = openSync(path, 'r+')
        try {
          ftruncateSync(file, 0)
        } finally {
          closeSync(file)
        }
      }
      writeAtomic(seenPath, JSON.stringify(NOTHING))
    },
  }
}
