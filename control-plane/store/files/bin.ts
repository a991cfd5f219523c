// Files of deleted objects, which come back for a minute. They are moved to a folder from which nothing is served; the store of the objects
// keeps the rows. A start of the studio empties the bin.
//
// The names of the files are on the disk from before their rows are deleted until they are, so that the start after a kill finds them, in the
// bin and at home.
import { readdirSync, readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs'
import { nextTurn } from '#shared/runtime/builtin/next-turn.ts'
import type { Clock } from '#shared/runtime/clock.ts'
import { fileIn, isDiskError, isFileName, isSystemError, privateFolder, removeFileIn } from '#shared/runtime/file.ts'
import type { Random } from '#shared/runtime/random.ts'
import type { Service } from '#shared/runtime/service.ts'

export type Bin = ReturnType<typeof createBin>
type Deps = {
  readonly clock: Pick<Clock, 'after'>
  readonly random: Pick<Random, 'hex'>
  /** Folder of this bin, which has no other files. */
  readonly folder: string
  /** Folder of the files of the objects. */
  readonly home: string
  /** True if the row of an object names this file. */
  readonly isNamed: (file: string) => boolean
}
type Entry = { readonly files: readonly string[]; readonly list: string | null; readonly forget: () => void; readonly cancel: () => void }
type Objects = {
  /** Names of the files that only these objects have. */
  readonly files: readonly string[]
  /** Deletes the rows. */
  readonly remove: () => void
  /** Called when the objects cannot come back any more. */
  readonly forget: () => void
}

/** Milliseconds for which deleted objects can come back. */
export const BINNED_MS = 60_000
/** Files that are moved or removed in one turn of the event loop. */
const AT_ONCE = 50
/** A list may be damaged. */
const MAX_NAME_BYTES = 255
const LIST = /^[0-9a-f]{16}\.list$/

function namesIn(list: string): string[] {
  try {
    return readFileSync(list, 'utf8').split('\n')
  } catch (error) {
    if (!isSystemError(error)) throw error
    return []
  }
}

export function createBin({ clock, random, folder, home, isNamed }: Deps) {
  const entries: Set<Entry> = new Set()
  /** The entry that a file was put here with last. */
  const entryOf: Map<string, Entry> = new Map()
  const running: Set<Promise<void>> = new Set()
  let isStopped = false

  /** `work` does not reject. */
  function hold(work: Promise<void>): Promise<void> {
    const done = work.finally(() => running.delete(done))
    running.add(done)
    return done
  }
  /** Skips a file that is missing. */
  function move(from: string, to: string, name: string): void {
    if (!isFileName(name)) return
    try {
      renameSync(fileIn(from, name), fileIn(to, name))
    } catch (error) {
      if ((error as NodeJS.ErrnoException).code !== 'ENOENT') throw error
    }
  }
  async function inSlices(files: readonly string[], run: (name: string) => void): Promise<void> {
    for (const [index, name] of files.entries()) {
      if (index % AT_ONCE === AT_ONCE - 1) await nextTurn()
      run(name)
    }
  }
  /** The same, and goes on after a file that cannot be changed. Returns whether there was none; the next start tries others again. */
  async function inSlicesAll(files: readonly string[], run: (name: string) => void): Promise<boolean> {
    let isWhole = true
    await inSlices(files, (name) => {
      try {
        run(name)
      } catch (error) {
        if (!isSystemError(error)) throw error
        isWhole = false
      }
    })
    return isWhole
  }
  /** Null on a full disk: the objects can be deleted there, too. */
  function writeList(files: readonly string[]): string | null {
    const path = fileIn(folder, `${random.hex(8)}.list`)
    try {
      writeFileSync(path, files.join('\n'), { mode: 0o600 })
      return path
    } catch (error) {
      rmSync(path, { force: true })
      if (isDiskError(error)) return null
      throw error
    }
  }
  const dropList = (list: string | null) => list !== null && rmSync(list, { force: true })

  async function expire(entry: Entry): Promise<void> {
    entries.delete(entry)
    entry.forget()
    const isWhole = await inSlicesAll(entry.files, (name) => {
      // It came back, and was deleted again.
      if (entryOf.get(name) !== entry) return
      entryOf.delete(name)
      removeFileIn(folder, name)
      // It was moved back, and its row could not be stored, or not in time.
      if (!isNamed(name)) removeFileIn(home, name)
    })
    if (isWhole) dropList(entry.list)
  }

  /** Removes everything that an earlier run left. Lists of this run are not read. */
  async function empty(lists: readonly string[], others: readonly string[]): Promise<void> {
    for (const list of lists) {
      const isWhole = await inSlicesAll(namesIn(fileIn(folder, list)), (name) => {
        if (isStopped || !isFileName(name) || Buffer.byteLength(name) > MAX_NAME_BYTES) return
        if (isNamed(name)) return move(folder, home, name)
        removeFileIn(home, name)
        removeFileIn(folder, name)
      })
      if (isStopped) return
      if (isWhole) rmSync(fileIn(folder, list), { recursive: true, force: true })
    }
    await inSlicesAll(
      others,
      (name) => void (isStopped || entryOf.has(name) || rmSync(fileIn(folder, name), { recursive: true, force: true })),
    )
  }

  const service: Service = {
    name: 'bin',
    start() {
      isStopped = false
      const names = readdirSync(privateFolder(folder))
      const lists = names.filter((name) => LIST.test(name))
      void hold(
        empty(
          lists,
          names.filter((name) => !lists.includes(name)),
        ),
      )
    },
    async stop() {
      isStopped = true
      for (const { cancel } of entries) cancel()
      entries.clear()
      await Promise.all(running)
    },
  }

  return {
    service,
    /**
     * Deletes objects. Their rows are gone when this returns, and their files when it resolves. Throws what `remove` throws; then nothing is
     * deleted.
     */
    put({ files, remove, forget }: Objects): Promise<void> {
      privateFolder(folder)
      const list = writeList(files)
      try {
        remove()
      } catch (error) {
        dropList(list)
        throw error
      }
      const cancel = clock.after(BINNED_MS, () => void hold(expire(entry)))
      const entry: Entry = { files, list, forget, cancel }
      entries.add(entry)
      for (const name of files) entryOf.set(name, entry)
      return hold(inSlicesAll(files, (name) => move(home, folder, name)).then(() => {}))
    },
    /** Moves the files back, and then calls `restore`, which stores the rows again. */
    async giveBack(files: readonly string[], restore: () => void): Promise<void> {
      await Promise.all(running)
      await inSlices(files, (name) => move(folder, home, name))
      restore()
    },
  }
}
