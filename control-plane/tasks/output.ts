// The output of a task so far: appended by the attempt under way, read by any number of followers. A second attempt that produces the same
// bytes is compared with the first and continues where that one stopped; one that produces other bytes cuts off the followers that have
// read further, because bytes that were sent cannot be taken back.
import { createHash, type Hash } from 'node:crypto'
import { Failure } from '#shared/protocol/failure.ts'
import { nextTurn } from '#shared/runtime/builtin/next-turn.ts'
import { type ByteLog, createByteLog, createMemoryBudget, type MemoryBudget } from '#shared/runtime/memory/byte-log.ts'

export type OutputPiece = { readonly part: number; readonly bytes: Buffer }
type Follower = { at: number; isCutOff: boolean; unlisten: () => void }
export type Output = ReturnType<typeof createOutput>

const MEMORY_BYTES = 4 * 1024 * 1024
const READ_BYTES = 256 * 1024
export const ARTIFACT_LIMIT_BYTES = 1024 ** 3

/** Returns what ends the waiting: a signal may outlive thousands of outputs. */
function whenAborted(signal: AbortSignal, run: () => void): () => void {
  if (signal.aborted) run()
  else signal.addEventListener('abort', run, { once: true })
  return () => signal.removeEventListener('abort', run)
}

// Long factory: the attempt under way and the followers share the log, its cursor and its end.
/** `path`: the file for output that does not fit in memory. */
export function createOutput(path: string, budget: MemoryBudget = createMemoryBudget(MEMORY_BYTES)) {
  const log: ByteLog = createByteLog({ path, budget })
  let cursor = 0 // bytes of the attempt under way; `log` may hold more, from the attempt before it
  let hash: Hash = createHash('sha256')
  type Start = { readonly part: number; readonly at: number }
  let starts: Start[] = []
  let own: Start[] = [] // those of the attempt under way; an earlier one may have sent the same bytes as other parts
  let ended: { readonly failure: Failure | null } | null = null
  let wake: (() => void)[] = []
  const followers = new Set<Follower>()
  let closing: { readonly keepFile: boolean } | null = null

  const wakeFollowers = () => {
    const waiting = wake
    wake = []
    for (const resume of waiting) resume()
  }

  function countMatching(bytes: Buffer): number {
    for (let done = 0; done < bytes.length && cursor + done < log.size; ) {
      const old = log.read(cursor + done, bytes.length - done)
      if (!old.equals(bytes.subarray(done, done + old.length))) return done
      done += old.length
    }
    return Math.min(bytes.length, log.size - cursor)
  }

  /** Removes the bytes from `offset` on. Followers that have read further are cut off; the others read the new bytes. */
  function cutBackTo(offset: number): void {
    for (const follower of followers) if (follower.at > offset) follower.isCutOff = true
    log.truncate(offset)
  }

  const closeWhenAlone = () => {
    if (closing && followers.size === 0) log.close(closing.keepFile)
  }

  const forget = (follower: Follower) => {
    follower.unlisten()
    if (followers.delete(follower)) closeWhenAlone()
  }

  function append(part: number, bytes: Buffer): void {
    const same = cursor < log.size ? countMatching(bytes) : 0
    if (same < bytes.length) {
      if (cursor + same < log.size) {
        cutBackTo(cursor + same)
        starts = starts.filter(({ at }) => at <= cursor + same)
      }
      if (starts.at(-1)?.part !== part) starts.push({ part, at: cursor + same })
      log.append(same === 0 ? bytes : bytes.subarray(same))
    }
    if (own.at(-1)?.part !== part) own.push({ part, at: cursor })
    hash.update(bytes)
    cursor += bytes.length
    wakeFollowers()
  }

  return {
    /** An attempt starts at its first byte. */
    begin(): void {
      cursor = 0
      own = []
      hash = createHash('sha256')
    },
    /** Throws OFFSET_MISMATCH, ARTIFACT_TOO_LARGE or the error of the disk. */
    take(part: number, offset: number, bytes: Buffer): void {
      if (offset !== cursor) throw new Failure('OFFSET_MISMATCH', `Expected output at offset ${cursor}, got it at ${offset}.`)
      if (cursor + bytes.length > ARTIFACT_LIMIT_BYTES) throw new Failure('ARTIFACT_TOO_LARGE', 'The result is larger than 1 GiB.')
      append(part, bytes)
    },
    /** The attempt reports its end. Throws unless size and digest are those of the bytes that arrived. Returns the digest in hex. */
    verify(size: number, sha256: Buffer): string {
      if (size !== cursor) throw new Failure('SIZE_MISMATCH', `Expected ${size} bytes, got ${cursor}.`)
      const digest = hash.copy().digest()
      if (!digest.equals(sha256)) throw new Failure('DIGEST_MISMATCH', 'The bytes that arrived do not have the announced digest.')
      cutBackTo(cursor)
      starts = own
      return digest.toString('hex')
    },
    end(failure: Failure | null): void {
      ended ??= { failure }
      wakeFollowers()
    },
    /**
     * Follows from the first byte to the end. Throws the failure of the task, or UPLOAD_INCOMPLETE after a differing second attempt. `isWhole`:
     * begins when the task has ended, so that it reads nothing of an attempt that failed.
     */
    read(signal: AbortSignal, isWhole = false): AsyncGenerator<OutputPiece> {
      const follower: Follower = { at: 0, isCutOff: false, unlisten: () => {} }
      followers.add(follower)
      follower.unlisten = whenAborted(signal, () => forget(follower)) // it may be suspended, and never be continued
      const pieces = follow(follower, signal, isWhole)
      // A generator that was never started does not run its `finally`.
      const leave = pieces.return.bind(pieces)
      pieces.return = (value) => {
        forget(follower)
        return leave(value)
      }
      return pieces
    },
    /** No more attempts: frees memory and file as soon as the last follower has read to its end. */
    close(keepFile: boolean): void {
      closing ??= { keepFile }
      closeWhenAlone()
    },
    log,
  }

  async function* follow(follower: Follower, signal: AbortSignal, isWhole: boolean): AsyncGenerator<OutputPiece> {
    let index = 0
    let known = starts
    try {
      for (;;) {
        signal.throwIfAborted()
        if (follower.isCutOff)
          throw new Failure('UPLOAD_INCOMPLETE', 'A second attempt produced other output than the one that was sent so far.')
        if (ended?.failure) throw ended.failure
        const { at } = follower
        if (isWhole && !ended) await untilMore(signal)
        else if (at < log.size) {
          if (known !== starts) {
            known = starts
            index = 0
          }
          while (index + 1 < starts.length && starts[index + 1]!.at <= at) index++
          const room = (starts[index + 1]?.at ?? log.size) - at
          const bytes = log.read(at, Math.min(READ_BYTES, room))
          follower.at += bytes.length
          // All of it is there: without turns, a long output would block the loop.
          if (isWhole) await nextTurn()
          yield { part: starts[index]?.part ?? 0, bytes }
        } else if (ended) return
        else await untilMore(signal)
      }
    } finally {
      forget(follower)
    }
  }

  function untilMore(signal: AbortSignal): Promise<void> {
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
