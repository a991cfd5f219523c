// The size of a folder within a time limit. Links are not followed. Runs in a worker thread, because a large folder takes seconds.
import { type Dirent, lstatSync, readdirSync } from 'node:fs'
import { fileIn } from '#shared/runtime/file.ts'

export type SizeRequest = {
  readonly id: string
  readonly path: string
  /** A folder that is not counted. */
  readonly exclude: string | null
  /** Also reports the entries directly inside, the largest ones first. */
  readonly entries: number
  readonly limitMs: number
}
/** `complete`: false when the time limit passed or a part could not be read, so that the size is a lower bound. */
export type FolderSize = {
  readonly exists: boolean
  readonly bytes: number
  readonly complete: boolean
  readonly unreadable: boolean
  readonly entries: readonly { readonly name: string; readonly bytes: number; readonly complete: boolean }[]
}

/** `mono`: a monotonic clock in milliseconds. */
export function sizeOfFolder({ path, exclude, entries: most, limitMs }: Omit<SizeRequest, 'id'>, mono: () => number): FolderSize {
  const until = mono() + limitMs
  let unreadable = false
  function list(folder: string): Dirent[] {
    try {
      return readdirSync(folder, { withFileTypes: true })
    } catch (error) {
      if ((error as NodeJS.ErrnoException).code !== 'ENOENT') unreadable = true
      return []
    }
  }
  /** Walks with a list instead of recursion, so that no depth overflows the stack. */
  function measure(start: string): { bytes: number; complete: boolean } {
    const waiting = [start]
    let bytes = 0
    for (let next = waiting.pop(); next !== undefined; next = waiting.pop()) {
      if (mono() > until) return { bytes, complete: false }
      if (next === exclude) continue
      const found = lstatSync(next, { throwIfNoEntry: false })
      if (!found) continue
      bytes += found.isDirectory() ? 0 : found.size
      if (found.isDirectory()) for (const { name } of list(next)) waiting.push(fileIn(next, name))
    }
    return { bytes, complete: !unreadable }
  }
  const root = lstatSync(path, { throwIfNoEntry: false })
  if (!root?.isDirectory()) return { exists: root !== undefined, bytes: root?.size ?? 0, complete: true, unreadable: false, entries: [] }
  const measured = list(path).map(({ name }) => ({ name, ...measure(fileIn(path, name)) }))
  const bytes = measured.reduce((sum, one) => sum + one.bytes, 0)
  const entries = measured.sort((a, b) => b.bytes - a.bytes).slice(0, most)
  return { exists: true, bytes, complete: measured.every(({ complete }) => complete) && !unreadable, unreadable, entries }
}
