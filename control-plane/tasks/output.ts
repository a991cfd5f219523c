// What a task has produced so far: appended by the attempt under way, followed by whoever listens. A second attempt that makes the same
// bytes again is compared with the first and goes on where that one stopped; one that makes other bytes cuts the listeners off, because
// what they already have cannot be taken back.
import { createHash, type Hash } from 'node:crypto'
import { Failure } from '#shared/protocol/failure.ts'
import { type ByteLog, createByteLog, createMemoryBudget, type MemoryBudget } from '#shared/runtime/byte-log.ts'

export type Piece = { readonly part: number; readonly bytes: Buffer }
type Follower = { at: number; isCutOff: boolean }
export type Output = ReturnType<typeof createOutput>

const MEMORY_BYTES = 4 * 1024 * 1024
const READ_BYTES = 256 * 1024
export const ARTIFACT_LIMIT_BYTES = 1024 ** 3

/** `path`: where it spills to when it grows. */
export function createOutput(path: string, budget: MemoryBudget = createMemoryBudget(MEMORY_BYTES)) {
  const log: ByteLog = createByteLog({ path, budget })
  let cursor = 0 // how far the attempt under way has come; `log` may hold more, from the one before
  let hash: Hash = createHash('sha256')
  let starts: { part: number; at: number }[] = []
  let ended: { readonly failure: Failure | null } | null = null
  let wake: (() => void)[] = []
  const followers = new Set<Follower>()
  let closing: { readonly keepFile: boolean } | null = null

  const tell = () => {
    const waiting = wake
    wake = []
    for (const resume of waiting) resume()
  }

  function matchesWhatWas(bytes: Buffer): number {
    for (let done = 0; done < bytes.length && cursor + done < log.size; ) {
      const old = log.read(cursor + done, bytes.length - done)
      if (!old.equals(bytes.subarray(done, done + old.length))) return done
      done += old.length
    }
    return Math.min(bytes.length, log.size - cursor)
  }

  /** Whoever has heard more than `offset` holds bytes that are no longer true; whoever has not hears what takes their place. */
  function forget(offset: number): void {
    for (const follower of followers) if (follower.at > offset) follower.isCutOff = true
    log.truncate(offset)
  }

  const closeWhenAlone = () => {
    if (closing && followers.size === 0) log.close(closing.keepFile)
  }

  function append(part: number, bytes: Buffer): void {
    const same = cursor < log.size ? matchesWhatWas(bytes) : 0
    if (same < bytes.length) {
      if (cursor + same < log.size) {
        forget(cursor + same)
        starts = starts.filter(({ at }) => at <= cursor + same)
      }
      if (starts.at(-1)?.part !== part) starts.push({ part, at: cursor + same })
      log.append(same === 0 ? bytes : bytes.subarray(same))
    }
    hash.update(bytes)
    cursor += bytes.length
    tell()
  }

  return {
    /** An attempt starts from its first byte. */
    begin(): void {
      cursor = 0
      hash = createHash('sha256')
    },
    /** Throws OFFSET_MISMATCH, ARTIFACT_TOO_LARGE or the error of the disk. */
    take(part: number, offset: number, bytes: Buffer): void {
      if (offset !== cursor) throw new Failure('OFFSET_MISMATCH', `expected output at ${cursor}, got it at ${offset}`)
      if (cursor + bytes.length > ARTIFACT_LIMIT_BYTES) throw new Failure('ARTIFACT_TOO_LARGE', 'the result is larger than 1 GiB')
      append(part, bytes)
    },
    /** The attempt says it is done: throws unless size and digest are what arrived. Returns the digest in hex. */
    verify(size: number, sha256: Buffer): string {
      if (size !== cursor) throw new Failure('SIZE_MISMATCH', `expected ${size} bytes, got ${cursor}`)
      const digest = hash.copy().digest()
      if (!digest.equals(sha256)) throw new Failure('DIGEST_MISMATCH', 'the bytes that arrived are not the bytes that were made')
      forget(cursor)
      return digest.toString('hex')
    },
    end(failure: Failure | null): void {
      ended ??= { failure }
      tell()
    },
    /** Follows from the first byte to the end. Throws the failure of the task, or UPLOAD_INCOMPLETE after a differing second attempt. */
    read(signal: AbortSignal): AsyncGenerator<Piece> {
      const follower = { at: 0, isCutOff: false }
      followers.add(follower)
      return follow(follower, signal)
    },
    /** No more attempts: frees memory and file as soon as the last follower has read to its end. */
    close(keepFile: boolean): void {
      closing ??= { keepFile }
      closeWhenAlone()
    },
    log,
  }

  async function* follow(follower: Follower, signal: AbortSignal): AsyncGenerator<Piece> {
    let index = 0
    try {
      for (;;) {
        signal.throwIfAborted()
        if (follower.isCutOff) throw new Failure('UPLOAD_INCOMPLETE', 'a second attempt made other audio than the one you were hearing')
        if (ended?.failure) throw ended.failure
        const { at } = follower
        if (at < log.size) {
          while (index + 1 < starts.length && starts[index + 1]!.at <= at) index++
          const room = (starts[index + 1]?.at ?? log.size) - at
          const bytes = log.read(at, Math.min(READ_BYTES, room))
          follower.at += bytes.length
          yield { part: starts[index]?.part ?? 0, bytes }
        } else if (ended) return
        else await news(signal)
      }
    } finally {
      followers.delete(follower)
      closeWhenAlone()
    }
  }

  function news(signal: AbortSignal): Promise<void> {
    return new Promise((resolve) => {
      const stop = () => resolve()
      signal.addEventListener('abort', stop, { once: true })
      wake.push(() => {
        signal.removeEventListener('abort', stop)
        resolve()
      })
    })
  }
}
