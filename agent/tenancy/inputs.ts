// What an attempt is given besides its parameters, on its way in: pieces in order, compared with what the header announced, kept in memory
// or in private files until the attempt is over. A broken link loses nothing of it: the next call goes on where the last one stopped.
import { createHash, type Hash } from 'node:crypto'
import type { InputWant } from '#shared/link/definitions.ts'
import { Failure } from '#shared/protocol/failure.ts'
import type { InputChunkMessage, InputRef } from '#shared/protocol/messages.ts'
import { type ByteLog, createByteLog, createMemoryBudget } from '#shared/runtime/byte-log.ts'
import type { Clock } from '#shared/runtime/clock.ts'
import type { Given } from '../engine/host/messages.ts'

export type Inputs = ReturnType<typeof createInputs>

/** Of one attempt; what is beyond it goes to files. */
const MEMORY_BYTES = 4 * 1024 * 1024
/** A studio that is asked and sends nothing for so long is gone; it comes back sooner or has given the task up. */
const SILENCE_MS = 60_000

type Deps = {
  /** What the names of its private files begin with. */
  readonly path: string
  readonly clock: Clock
  readonly onSilence: () => void
}

export function createInputs(refs: readonly InputRef[], { path, clock, onSilence }: Deps) {
  const budget = createMemoryBudget(MEMORY_BYTES)
  const logs: ByteLog[] = []
  const total = refs.reduce((sum, { size }) => sum + size, 0)
  const complete = Promise.withResolvers<readonly Given[]>()
  complete.promise.catch(() => {}) // whoever waits hears it as well
  let hash: Hash = createHash('sha256')
  let isOpen = true
  let received = 0
  let forgetSilence = clock.after(SILENCE_MS, onSilence)

  /** The input under way: the first that is not complete. */
  const current = () => refs[logs.length - 1]!
  /** Ends every input that has all of its bytes and begins the next. Throws INPUT_CORRUPT. */
  function advance(): void {
    while (logs.length === 0 || logs.at(-1)!.size === current().size) {
      if (logs.length > 0) {
        const { name, sha256 } = current()
        if (!hash.digest().equals(sha256)) throw new Failure('INPUT_CORRUPT', `the input ${name} is not what was announced`)
        hash = createHash('sha256')
        if (logs.length === refs.length) return finish()
      }
      logs.push(createByteLog({ path: `${path}.${logs.length}`, budget }))
    }
  }
  function finish(): void {
    isOpen = false
    forgetSilence()
    complete.resolve(logs.map((log, index) => ({ name: refs[index]!.name, file: log.file, bytes: log.file === null ? whole(log) : null })))
  }

  const inputs = {
    /** Resolves with all of them; rejects when they were given up. */
    complete: complete.promise,
    /** Where the next piece is to begin; null when none is missing. */
    wanted: (): InputWant | null => (isOpen ? { name: current().name, offset: logs.at(-1)!.size } : null),
    /** From 0 to 1. */
    share: (): number => (total === 0 ? 1 : received / total),
    /** Throws INPUT_FETCH_FAILED, INPUT_CORRUPT or the error of the disk. */
    take({ name, offset, payload }: InputChunkMessage): void {
      if (!isOpen) return
      const log = logs.at(-1)!
      if (name !== current().name || offset !== log.size)
        throw new Failure('INPUT_FETCH_FAILED', `expected ${current().name} at ${log.size}, got ${name} at ${offset}`)
      if (offset + payload.length > current().size) throw new Failure('INPUT_CORRUPT', `the input ${name} is longer than announced`)
      const bytes = Buffer.from(payload.buffer, payload.byteOffset, payload.length)
      log.append(bytes)
      hash.update(bytes)
      received += bytes.length
      forgetSilence()
      forgetSilence = clock.after(SILENCE_MS, onSilence)
      advance()
    },
    /** No more is taken, nothing is kept. */
    wipe(): void {
      isOpen = false
      forgetSilence()
      complete.reject(new Failure('CANCELLED', 'the inputs were given up'))
      for (const log of logs) log.close()
    },
  }
  advance()
  return inputs
}

function whole(log: ByteLog): Buffer {
  const bytes = Buffer.allocUnsafe(log.size)
  for (let at = 0; at < log.size; ) at += log.read(at, log.size - at).copy(bytes, at)
  return bytes
}
