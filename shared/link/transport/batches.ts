// Collects the frames of a stream into messages: one message per callback of the event loop, of limited size. The callback of a commit offers all its
// tasks, and that of a message from the peer begins all its runs, so that a whole turn of the loop would collect little more and cost its time.
import { EXCHANGE_LIMITS } from '#shared/protocol/run-messages.ts'
import type { Clock } from '#shared/runtime/clock.ts'

/** The longest wait of a frame that is not urgent. */
const WAIT_MS = 10

export type Batches<Frame> = {
  /** An urgent frame leaves when the current callback has ended, with its promises; another one with the next urgent frame, or after WAIT_MS. */
  readonly add: (frame: Frame, bytes: number, when: 'urgent' | 'soon') => void
  /** Sends the collected frames now. */
  readonly flush: () => void
}

/** The order of the frames is kept. A frame is smaller than a message may be. */
export function createBatches<Frame>(send: (frames: Frame[]) => void, clock: Clock): Batches<Frame> {
  let frames: Frame[] = []
  let bytes = 0
  let isFlushing = false
  let isWaiting = false

  function flush(): void {
    if (frames.length === 0) return
    const batch = frames
    frames = []
    bytes = 0
    send(batch)
  }
  const flushUrgent = () => {
    isFlushing = false
    flush()
  }
  const flushLate = () => {
    isWaiting = false
    flush()
  }

  return {
    flush,
    add(frame, size, when) {
      if (frames.length >= EXCHANGE_LIMITS.frames || bytes + size > EXCHANGE_LIMITS.bytes) flush()
      frames.push(frame)
      bytes += size
      if (when === 'urgent' && !isFlushing) {
        isFlushing = true
        process.nextTick(flushUrgent)
      }
      if (when === 'soon' && !isFlushing && !isWaiting) {
        isWaiting = true
        clock.after(WAIT_MS, flushLate)
      }
    },
  }
}
