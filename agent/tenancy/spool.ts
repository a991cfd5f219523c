// The events of an attempt, kept until the studio has stored the result durably, so that a new link or a restarted studio can resume after
// any event. Events are small and stay in memory; their bytes go to a private file when they exceed the memory budget.

import { createHash } from 'node:crypto'
import { Failure } from '#shared/protocol/failure.ts'
import type { Wire } from '#shared/protocol/generated/wire.ts'
import { createByteLog, createMemoryBudget, type MemoryBudget } from '#shared/runtime/memory/byte-log.ts'

export type Spool = ReturnType<typeof createSpool>
/** An event without its number. */
type Fact<Event = Wire<'Event'>> = Event extends Event ? Omit<Event, 'seq'> : never
type Entry =
  | Exclude<Fact, { fact: 'output' }>
  | { readonly fact: 'output'; readonly part: number; readonly offset: number; readonly length: number }

const MEMORY_BYTES = 8 * 1024 * 1024 // for a spool with a budget of its own
export const OUTPUT_CHUNK_BYTES = 256 * 1024
const BATCH_BYTES = 256 * 1024
const BATCH_EVENTS = 1_000 // the link limits the fields of one message
export const RESULT_LIMIT_BYTES = 1024 ** 3

/** `path` of its private file, which is created only when needed. */
export function createSpool(path: string, budget: MemoryBudget = createMemoryBudget(MEMORY_BYTES)) {
  const entries: Entry[] = []
  const bytes = createByteLog({ path, budget })
  const hash = createHash('sha256')
  let listeners: (() => void)[] = []
  let isNotifying = false

  // Wakes the listeners once per turn of the event loop, so that all events of that turn leave in one message.
  const notify = () => {
    if (isNotifying || listeners.length === 0) return
    isNotifying = true
    setImmediate(() => {
      isNotifying = false
      const woken = listeners
      listeners = []
      for (const wake of woken) wake()
    })
  }

  return {
    get lastSeq() {
      return entries.length
    },
    get size() {
      return bytes.size
    },
    append(entry: Exclude<Fact, { fact: 'output' }>): void {
      entries.push(entry)
      notify()
    },
    /** Splits the payload into chunks that fit a message. Throws ARTIFACT_TOO_LARGE or the error of the disk. */
    output(part: number, payload: Buffer): void {
      if (bytes.size + payload.length > RESULT_LIMIT_BYTES) throw new Failure('ARTIFACT_TOO_LARGE', 'The result is larger than 1 GiB.')
      for (let at = 0; at < payload.length; at += OUTPUT_CHUNK_BYTES) {
        const piece = payload.subarray(at, at + OUTPUT_CHUNK_BYTES)
        entries.push({ fact: 'output', part, offset: bytes.size, length: piece.length })
        bytes.append(piece)
        hash.update(piece)
      }
      notify()
    },
    digest: (): Buffer => hash.copy().digest(),
    /** The events after `seq`, as many as fit one message; empty when there are none. */
    after(seq: number): Wire<'Event'>[] {
      const events: Wire<'Event'>[] = []
      for (let index = seq, weight = 0; index < entries.length && weight < BATCH_BYTES && events.length < BATCH_EVENTS; index++) {
        const entry = entries[index]!
        if (entry.fact !== 'output') events.push({ seq: index + 1, ...entry } as Wire<'Event'>)
        else {
          weight += entry.length
          events.push({ seq: index + 1, fact: 'output', output: { part: entry.part, offset: entry.offset, payload: readWhole(entry) } })
        }
      }
      return events
    },
    /** Resolves with the next event or when the signal aborts. */
    changed(signal: AbortSignal): Promise<void> {
      return new Promise((resolve) => {
        const stop = () => resolve()
        signal.addEventListener('abort', stop, { once: true })
        listeners.push(() => {
          signal.removeEventListener('abort', stop)
          resolve()
        })
      })
    },
    wipe(): void {
      entries.length = 0
      bytes.close()
    },
  }

  function readWhole({ offset, length }: { offset: number; length: number }): Buffer {
    const first = bytes.read(offset, length)
    if (first.length === length) return first
    const whole = Buffer.allocUnsafe(length)
    for (let at = first.copy(whole); at < length; ) at += bytes.read(offset + at, length - at).copy(whole, at)
    return whole
  }
}
