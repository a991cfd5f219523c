// Receives the inputs of an attempt: chunks in order, compared with the sizes and digests of the header, kept in memory or in private files
// until the attempt ends. A broken link loses nothing: the next call continues where the last one stopped. A reference recording that an
// earlier attempt of the tenant brought is not requested again.

import { createHash, type Hash } from 'node:crypto'
import type { GivenInput } from '#agent/engine/host/messages.ts'
import { Failure } from '#shared/protocol/failure.ts'
import type { Wire } from '#shared/protocol/generated/wire.ts'
import type { InputChunkMessage } from '#shared/protocol/run-messages.ts'
import type { Clock } from '#shared/runtime/clock.ts'
import { type ByteLog, createByteLog, createMemoryBudget } from '#shared/runtime/memory/byte-log.ts'
import { KEPT_INPUT, type KeptReferences } from './kept-references.ts'

export type AttemptInputs = ReturnType<typeof createAttemptInputs>

/** Per attempt; bytes beyond it go to files. */
const MEMORY_BYTES = 4 * 1024 * 1024
/** In each window a studio must send so many bytes, or the rest: 17.5 KiB/s. A slower one is gone, or holds the space on purpose. */
export const INPUT_RATE = { windowMs: 60_000, bytes: 1024 * 1024 }

type Deps = {
  /** Prefix of its private files. */
  readonly path: string
  readonly kept?: Pick<KeptReferences, 'get' | 'keep'>
  readonly clock: Clock
  /** Called once; the attempt then ends. */
  readonly onSlow: () => void
  /** Called once, when its bytes are deleted. */
  readonly onWiped: () => void
}

export function createAttemptInputs(refs: readonly Wire<'InputRef'>[], { path, kept, clock, onSlow, onWiped }: Deps) {
  const budget = createMemoryBudget(MEMORY_BYTES)
  const logs: ByteLog[] = []
  const total = refs.reduce((sum, { size }) => sum + size, 0)
  const complete = Promise.withResolvers<readonly GivenInput[]>()
  complete.promise.catch(() => {}) // the awaiting caller receives the rejection too
  let hash: Hash = createHash('sha256')
  let isOpen = true
  let isWiped = false
  let received = 0
  /** Bytes that were kept from before. */
  let known = 0
  let cancelWindow = startWindow()

  function startWindow(): () => void {
    const from = received
    return clock.after(INPUT_RATE.windowMs, () => {
      if (received - from < INPUT_RATE.bytes) return onSlow()
      cancelWindow = startWindow()
    })
  }

  /** The first input that is not complete. */
  const current = () => refs[logs.length - 1]!
  /** Completes every input that has all its bytes and begins the next. Throws INPUT_CORRUPT. */
  function advance(): void {
    while (logs.length === 0 || logs.at(-1)!.size === current().size) {
      if (logs.length > 0) {
        const { name, sha256 } = current()
        if (!hash.digest().equals(sha256))
          throw new Failure('INPUT_CORRUPT', `The digest of the input ${name} does not match the announced digest.`)
        hash = createHash('sha256')
        if (logs.length === refs.length) return finish()
      }
      logs.push(createByteLog({ path: `${path}.${logs.length}`, budget }))
      takeKept()
    }
  }
  /** A studio sends every input after the requested one, so only those before the first byte that it sends can be kept ones. */
  function takeKept(): void {
    const { name, size, sha256 } = current()
    const bytes = name === KEPT_INPUT && received === known ? kept?.get(hexOf(sha256)) : null
    if (bytes?.length !== size) return
    logs.at(-1)!.append(bytes)
    hash.update(bytes)
    received += size
    known += size
  }
  function finish(): void {
    isOpen = false
    cancelWindow()
    complete.resolve(
      logs.map((log, index) => {
        const { name, sha256 } = refs[index]!
        const bytes = log.file === null || name === KEPT_INPUT ? whole(log) : null
        if (name === KEPT_INPUT) kept?.keep(hexOf(sha256), bytes!)
        return { name, file: log.file, bytes: log.file === null ? bytes : null }
      }),
    )
  }

  const inputs = {
    /** Resolves with all inputs; rejects when they were discarded. */
    complete: complete.promise,
    /** Position of the next chunk; null when none is missing. */
    missing: (): Wire<'InputWant'> | null => (isOpen ? { name: current().name, offset: logs.at(-1)!.size } : null),
    /** SHA-256 of each, lower-case hex. */
    digests: (): readonly string[] => refs.map(({ sha256 }) => hexOf(sha256)),
    /** Share that has arrived, from 0 to 1. */
    progress: (): number => (total === 0 ? 1 : received / total),
    /** Throws INPUT_FETCH_FAILED, INPUT_CORRUPT or the error of the disk. */
    add({ name, offset, payload }: InputChunkMessage): void {
      if (!isOpen) return
      const log = logs.at(-1)!
      if (name !== current().name || offset !== log.size)
        throw new Failure('INPUT_FETCH_FAILED', `Expected ${current().name} at byte ${log.size}, got ${name} at byte ${offset}.`)
      if (offset + payload.length > current().size) throw new Failure('INPUT_CORRUPT', `The input ${name} is longer than announced.`)
      const bytes = Buffer.from(payload.buffer, payload.byteOffset, payload.length)
      log.append(bytes)
      hash.update(bytes)
      received += bytes.length
      advance()
    },
    /** Stops receiving and deletes the bytes. */
    wipe(): void {
      if (isWiped) return
      isWiped = true
      isOpen = false
      cancelWindow()
      complete.reject(new Failure('CANCELLED', 'The inputs were discarded.'))
      for (const log of logs) log.close()
      onWiped()
    },
  }
  advance()
  return inputs
}

const hexOf = (digest: Uint8Array): string => Buffer.from(digest).toString('hex')

function whole(log: ByteLog): Buffer {
  const bytes = Buffer.allocUnsafe(log.size)
  for (let at = 0; at < log.size; ) at += log.read(at, log.size - at).copy(bytes, at)
  return bytes
}
