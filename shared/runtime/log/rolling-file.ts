// A log file with limits on its size and its age. Older parts are path.1 (the newest) to path.3. Lines are written synchronously, so those
// before a kill are in the file. A full disk or an unwritable folder costs lines and nothing else.
import { closeSync, existsSync, fstatSync, ftruncateSync, openSync, renameSync, rmSync, statSync, writeSync } from 'node:fs'
import { dirname } from 'node:path'
import type { Clock } from '../clock.ts'
import { privateFolder } from '../file.ts'

export type RollingFile = ReturnType<typeof createRollingFile>
type Deps = {
  readonly path: string
  readonly clock: Clock
  /** Bytes of one part. */
  readonly maxBytes?: number
}

const MAX_BYTES = 5 * 1024 * 1024
const OLD_PARTS = 3
/** A part is closed after a week, and deleted a month after its last line. */
const PART_MS = 7 * 24 * 3600 * 1000
const KEPT_MS = 30 * 24 * 3600 * 1000
/** After a failed write, lines are dropped for this long, so that a full disk does not cost a system call for each line. */
const RETRY_MS = 1_000
/** Milliseconds between two checks of the path, because another program may have moved or deleted the file. */
const LOOK_MS = 2_000

export function createRollingFile({ path, clock, maxBytes = MAX_BYTES }: Deps) {
  let file: number | null = null
  let size = 0
  let bornAt = 0
  let openedAt = 0
  let inode = 0
  let lookedAt = 0
  let failedAt: number | null = null
  let problem: string | null = null
  let dropped = 0
  /** The last write stopped in the middle of a line. */
  let isTorn = false
  const partOf = (index: number) => `${path}.${index}`
  const oldParts = Array.from({ length: OLD_PARTS }, (_, index) => partOf(index + 1))

  function open(): number {
    privateFolder(dirname(path))
    const opened = openSync(path, 'a', 0o600)
    const found = fstatSync(opened)
    if (!found.isFile()) {
      closeSync(opened)
      throw new Error(`${path} is not a file`)
    }
    size = found.size
    bornAt = found.birthtimeMs
    inode = found.ino
    openedAt = lookedAt = clock.mono()
    removeOld()
    return opened
  }
  function close(): void {
    if (file !== null) closeSync(file)
    file = null
  }
  function removeOld(): void {
    for (const part of oldParts) {
      const found = statSync(part, { throwIfNoEntry: false })
      if (found && clock.now() - found.mtimeMs > KEPT_MS) rmSync(part, { force: true })
    }
  }
  /** A part from the future was begun before the clock was set back. */
  const isOld = () => Math.max(Math.abs(clock.now() - bornAt), clock.mono() - openedAt) > PART_MS
  function rotate(): void {
    close()
    for (let index = OLD_PARTS - 1; index >= 1; index--) if (existsSync(partOf(index))) renameSync(partOf(index), partOf(index + 1))
    renameSync(path, partOf(1))
    isTorn = false
  }
  function append(text: string): void {
    const bytes = Buffer.from(text)
    for (let at = 0; at < bytes.length; ) {
      const written = writeSync(file!, bytes, at)
      at += written
      size += written
      isTorn = at < bytes.length
    }
  }
  /** A file that was moved or deleted is created again. */
  function look(): void {
    if (file === null || clock.mono() - lookedAt < LOOK_MS) return
    lookedAt = clock.mono()
    if (statSync(path, { throwIfNoEntry: false })?.ino !== inode) close()
  }

  function write(text: string): void {
    if (failedAt !== null && clock.mono() - failedAt < RETRY_MS) {
      if (text !== '') dropped++
      return
    }
    try {
      look()
      file ??= open()
      if (size > 0 && (size + text.length > maxBytes || isOld())) {
        rotate()
        file = open()
      }
      const note = dropped > 0 ? `${new Date(clock.now()).toISOString()} WARN  ${dropped} lines could not be written: ${problem}\n` : ''
      append(`${isTorn ? '\n' : ''}${note}${text}`)
      failedAt = null
      problem = null
      dropped = 0
    } catch (error) {
      const { code, message } = error as NodeJS.ErrnoException
      problem = code ?? message
      failedAt = clock.mono()
      if (text !== '') dropped++
    }
  }

  return {
    path,
    /** Complete lines with their line breaks. Never throws. */
    write,
    /** Reason for the newest lines that could not be written, such as ENOSPC; null if the next line can be written. */
    problem(): string | null {
      if (problem !== null) write('')
      return problem
    },
    /** The older parts that exist, newest first. */
    older: (): string[] => oldParts.filter((part) => existsSync(part)),
    /** Deletes every line. Throws disk errors. */
    clear(): void {
      for (const part of oldParts) rmSync(part, { force: true })
      if (!existsSync(path)) return
      const opened = openSync(path, 'r+')
      try {
        ftruncateSync(opened, 0)
      } finally {
        closeSync(opened)
      }
      size = 0
      isTorn = false
    },
    close,
  }
}
