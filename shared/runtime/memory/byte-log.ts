// Bytes that are appended once and read many times from any offset, such as the output of an attempt. Kept in memory within the budget of the
// process, otherwise in a private file. The newest bytes always stay in memory, so a reader that keeps up never reads the file.
import { closeSync, ftruncateSync, openSync, readSync, rmSync, writeSync } from 'node:fs'

const RECENT_BYTES = 4 * 1024 * 1024
/** The memory that all byte logs of a process share. */
export type MemoryBudget = {
  readonly reserve: (bytes: number) => boolean
  readonly release: (bytes: number) => void
  readonly used: () => number
}
export function createMemoryBudget(bytes: number): MemoryBudget {
  let used = 0
  return {
    reserve(requested) {
      if (used + requested > bytes) return false
      used += requested
      return true
    },
    release(released) {
      used -= released
    },
    used: () => used,
  }
}

export type ByteLog = ReturnType<typeof createByteLog>

/** `path` is created with mode 0600, only when needed. Throws disk errors unchanged. */
export function createByteLog({ path, budget }: { readonly path: string; readonly budget: MemoryBudget }) {
  let chunks: Buffer[] = []
  let starts: number[] = [] // offset at which each chunk begins
  let size = 0
  let file: number | null = null

  const writeAll = (bytes: Buffer, at: number) => {
    for (let done = 0; done < bytes.length; ) done += writeSync(file!, bytes, done, bytes.length - done, at + done)
  }
  const spill = () => {
    file = openSync(path, 'w+', 0o600)
    for (const [index, chunk] of chunks.entries()) writeAll(chunk, starts[index]!)
    budget.release(size)
  }
  /** In large steps, so that small appends do not move the remaining chunks each time. */
  const dropOld = () => {
    if (file === null || size - starts[0]! < 2 * RECENT_BYTES) return
    const old = chunkAt(size - RECENT_BYTES)
    chunks.splice(0, old)
    starts.splice(0, old)
  }
  const chunkAt = (offset: number) => {
    let low = 0
    for (let high = starts.length - 1; low < high; ) {
      const middle = (low + high + 1) >>> 1
      if (starts[middle]! <= offset) low = middle
      else high = middle - 1
    }
    return low
  }

  return {
    get size() {
      return size
    },
    /** Path of the file with all bytes, or null while all of them are in memory. */
    get file() {
      return file === null ? null : path
    },
    append(bytes: Buffer): void {
      if (bytes.length === 0) return
      if (file === null && !budget.reserve(bytes.length)) spill()
      if (file !== null) writeAll(bytes, size)
      chunks.push(bytes)
      starts.push(size)
      size += bytes.length
      dropOld()
    },
    /** Between 1 and `max` bytes from `offset`, or none at the end. May be a view of appended bytes: do not modify it. */
    read(offset: number, max: number): Buffer {
      const length = Math.min(max, size - offset)
      if (length <= 0) return Buffer.alloc(0)
      const inMemory = starts[0] ?? size
      if (offset >= inMemory) {
        const index = chunkAt(offset)
        const from = offset - starts[index]!
        return chunks[index]!.subarray(from, from + length)
      }
      const bytes = Buffer.allocUnsafe(Math.min(length, inMemory - offset))
      return bytes.subarray(0, readSync(file!, bytes, 0, bytes.length, offset))
    },
    /** Removes everything from `offset` on. */
    truncate(offset: number): void {
      if (offset >= size) return
      if (file !== null) ftruncateSync(file, offset)
      else budget.release(size - offset)
      while (starts.length > 0 && starts.at(-1)! >= offset) {
        starts.pop()
        chunks.pop()
      }
      if (chunks.length > 0) chunks[chunks.length - 1] = chunks.at(-1)!.subarray(0, offset - starts.at(-1)!)
      size = offset
    },
    /** Closes the log and removes its file. With `keepFile` the file stays, for a new owner. */
    close(keepFile = false): void {
      if (file !== null) {
        closeSync(file)
        if (!keepFile) rmSync(path, { force: true })
      } else budget.release(size)
      file = null
      chunks = []
      starts = []
      size = 0
    },
  }
}
