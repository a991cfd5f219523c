// Inputs of tasks that are useless after a restart, such as a second of a microphone: they stay in memory and never reach the disk.
import { createHash } from 'node:crypto'
import { createPlaces } from '#control-plane/clients/places.ts'
import type { Artifacts } from '#control-plane/store/artifact.ts'
import type { TaskInput } from './record.ts'

export type HeldInput = {
  readonly input: TaskInput
  /** Call it when the task has ended. A task that starts later fails with INPUT_UNAVAILABLE. */
  readonly release: () => void
}
type Held = { readonly bytes: Buffer; holders: number; readonly giveBack: () => void }

/** Bytes of the held inputs of one client. */
const BYTES_PER_CLIENT = 64 * 1024 * 1024
const PIECE_BYTES = 256 * 1024

export function createHeldInputs(artifacts: Pick<Artifacts, 'read'>) {
  const held = new Map<string, Held>()
  const memory = createPlaces({ perClient: BYTES_PER_CLIENT, what: 'live audio', areBytes: true })

  return {
    /** Throws QUEUE_FULL while other tasks hold too much. The bytes must not change. */
    hold(name: string, bytes: Buffer): HeldInput {
      const sha256 = createHash('sha256').update(bytes).digest('hex')
      const entry = held.get(sha256) ?? { bytes, holders: 0, giveBack: memory.take(bytes.length) }
      entry.holders++
      held.set(sha256, entry)
      let isHeld = true
      return {
        input: { name, size: bytes.length, sha256 },
        release() {
          if (!isHeld) return
          isHeld = false
          if (--entry.holders > 0) return
          held.delete(sha256)
          entry.giveBack()
        },
      }
    },
    /** The input from the offset on: from memory, or from its artifact. */
    read(sha256: string, from = 0): AsyncIterable<Buffer> {
      const entry = held.get(sha256)
      return entry ? pieces(entry.bytes, from) : artifacts.read(sha256, from)
    },
  }
}

async function* pieces(bytes: Buffer, from: number): AsyncGenerator<Buffer> {
  for (let at = from; at < bytes.length; at += PIECE_BYTES) yield bytes.subarray(at, at + PIECE_BYTES)
}
