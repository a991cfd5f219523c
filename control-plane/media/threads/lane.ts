// The event-loop side of one stream on a media thread: a bounded input, an output, and one end for both.

import { currentClient } from '#control-plane/clients/client.ts'
import { Failure } from '#shared/protocol/failure.ts'
import type { FromThread, LaneSettings, Measured, ToThread } from './messages.ts'

export type MediaLane = {
  /** Resolves when `bytes` are sent and there is room for more; false when the lane has ended. */
  readonly write: (bytes: Uint8Array) => Promise<boolean>
  readonly end: () => void
  /** The next output, or null at the end. Throws the failure of the lane. One caller at a time. */
  readonly read: () => Promise<Uint8Array | null>
  /** Known when `read` has returned null; null if the settings asked for none. */
  readonly measured: () => Measured | null
  /** Reason for the end of the lane, or null. */
  readonly failure: () => unknown
  /** Ends both directions immediately. `read` then throws `reason`, or returns null without one. Can be called repeatedly. */
  readonly close: (reason?: unknown) => void
}
/** The part of a lane that only the pool uses. */
export type LaneInside = MediaLane & { readonly receive: (message: FromThread) => void }

// Small pieces let several streams share one thread. The window limits the bytes of one stream that are in flight or unread.
const PIECE_BYTES = 32 * 1024
const WINDOW_BYTES = 512 * 1024

export type LaneParts = {
  readonly id: number
  readonly settings: LaneSettings
  readonly send: (message: ToThread, transfer?: ArrayBuffer[]) => void
  readonly closed: () => void
}

export function createLane({ id, settings, send, closed }: LaneParts): LaneInside {
  const unread: Uint8Array[] = []
  let pending = 0 // Bytes that are sent and not yet consumed, or produced and not yet read.
  let state: 'open' | 'ended' | 'closed' = 'open'
  let failure: unknown = null
  let measured: Measured | null = null
  let wakeWriter = () => {}
  let wakeReader = () => {}
  send({ kind: 'open', lane: id, client: currentClient(), settings })

  const finish = (next: 'ended' | 'closed', reason: unknown = null) => {
    state = next
    failure = reason
    closed()
    wakeWriter()
    wakeReader()
  }
  const offer = (bytes: Uint8Array) => {
    if (bytes.length === 0) return
    unread.push(bytes)
    pending += bytes.length
  }

  return {
    async write(bytes) {
      for (let at = 0; at < bytes.length && state === 'open'; at += PIECE_BYTES) {
        const piece = new Uint8Array(bytes.subarray(at, at + PIECE_BYTES)) // A copy, because the buffer is transferred.
        pending += piece.length
        send({ kind: 'piece', lane: id, bytes: piece }, [piece.buffer])
        while (pending >= WINDOW_BYTES && state === 'open') {
          await new Promise<void>((resolve) => {
            wakeWriter = resolve
          })
        }
      }
      return state === 'open'
    },
    end() {
      if (state === 'open') send({ kind: 'end', lane: id })
    },
    async read() {
      while (unread.length === 0 && state === 'open') {
        await new Promise<void>((resolve) => {
          wakeReader = resolve
        })
      }
      if (failure !== null) throw failure
      const next = unread.shift()
      if (!next) return null
      pending -= next.length
      wakeWriter()
      return next
    },
    measured: () => measured,
    failure: () => failure,
    close(reason) {
      if (state === 'closed') return
      if (state === 'open') send({ kind: 'close', lane: id })
      unread.length = 0
      finish('closed', reason ?? null)
    },
    receive(message) {
      if (state !== 'open') return
      if (message.kind === 'failed') return finish('closed', new Failure('UNKNOWN', `The audio could not be encoded: ${message.message}`))
      if (message.kind === 'output') pending -= message.takenBytes
      offer(message.bytes)
      if (message.kind === 'ended') {
        measured = message.measured
        return finish('ended')
      }
      wakeWriter()
      wakeReader()
    },
  }
}
