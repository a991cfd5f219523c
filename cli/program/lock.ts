// The lock of the program folder: one update or rollback at a time. It is a folder `lock-NUMBER` with the process that holds it; the highest number
// counts, and never goes down. A process that was killed holds nothing, so the next one makes the folder with the next number, which only one can.
import { mkdirSync, readdirSync, readFileSync, renameSync, rmSync, statSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { z } from 'zod'
import { Failure } from '#shared/protocol/failure.ts'
import { startOfProcess, stillRuns } from '#shared/runtime/child/process-start.ts'
import { privateFolder } from '#shared/runtime/file.ts'
import { unfinishedIn } from '#shared/runtime/unfinished.ts'
import { programRoot } from './folder.ts'

const NAME = /^lock-[1-9]\d{0,8}$/
const HOLDER = 'holder.json'
/** Name of the same file after its process has let go. The folder stays full, because a rename replaces an empty one. */
const FREE = 'free.json'
/** A command waits for an hour at most. */
const LONGEST_MS = 2 * 3_600_000
const MAX_BYTES = 1024
const Holder = z.object({ pid: z.int().min(1), start: z.string().max(100).nullable() })

/** Runs `work` while no other command of this data folder does. Throws CONFLICT if one does. */
export async function withProgramLock<T>(dataFolder: string, work: () => Promise<T>): Promise<T> {
  const held = take(privateFolder(programRoot(dataFolder)))
  try {
    return await work()
  } finally {
    renameSync(join(held, HOLDER), join(held, FREE))
  }
}

function take(root: string): string {
  const staged = unfinishedIn(root, '-lock')
  try {
    rmSync(staged, { recursive: true, force: true })
    mkdirSync(staged, { mode: 0o700 })
    writeFileSync(join(staged, HOLDER), JSON.stringify({ pid: process.pid, start: startOfProcess(process.pid) }), { mode: 0o600 })
    for (;;) {
      const last = highest(root)
      const holder = last === 0 ? null : holderOf(join(root, nameOf(last)))
      if (holder !== null) throw conflict(holder)
      const path = join(root, nameOf(last + 1))
      if (!renamed(staged, path)) continue
      // The folder with this number may have been removed after the numbers were read, for one with a higher number.
      if (highest(root) === last + 1) {
        for (const number of numbers(root)) if (number <= last) rmSync(join(root, nameOf(number)), { recursive: true, force: true })
        return path
      }
      renameSync(path, staged)
    }
  } finally {
    rmSync(staged, { recursive: true, force: true })
  }
}

const nameOf = (number: number): string => `lock-${number}`
const numbers = (root: string): number[] => readdirSync(root).flatMap((name) => (NAME.test(name) ? Number(name.slice('lock-'.length)) : []))
const highest = (root: string): number => Math.max(0, ...numbers(root))

/** The process that holds the lock; null if it is free. */
function holderOf(lock: string): number | null {
  try {
    const path = join(lock, HOLDER)
    const { size, mtimeMs } = statSync(path)
    if (size > MAX_BYTES) return null
    const { pid, start } = Holder.parse(JSON.parse(readFileSync(path, 'utf8')))
    // After a restart a container gives the same id to the program again.
    if (start === null && pid === process.pid && mtimeMs < performance.timeOrigin) return null
    return stillRuns({ pid, start, age: Date.now() - mtimeMs, longest: LONGEST_MS }) ? pid : null
  } catch {
    return null
  }
}

/** False if another process has made the folder. */
function renamed(from: string, to: string): boolean {
  try {
    renameSync(from, to)
    return true
  } catch (error) {
    if (/^(?:EEXIST|ENOTEMPTY|EPERM|EACCES)$/.test((error as NodeJS.ErrnoException).code ?? '') && statSync(to, { throwIfNoEntry: false }))
      return false
    throw error
  }
}

const conflict = (pid: number): Failure =>
  new Failure(
    'CONFLICT',
    `Another update or rollback is under way (process ${pid}). Wait for it to end, or end that process, then try again.`,
  )
