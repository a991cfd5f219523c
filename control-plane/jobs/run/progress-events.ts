// The progress of a step as events of its job. Only stored progress is shown, so a live stream is the stored one. The newest progress replaces one that
// waits: at most one write is under way, and the next begins after a pause.
import type { Clock } from '#shared/runtime/clock.ts'
import type { JobFrame } from '../job-type.ts'
import type { LiveJob } from './live-job.ts'

export type ProgressEvents = ReturnType<typeof createProgressEvents>
type Frames = readonly { readonly kind: 'progress'; readonly frame: JobFrame }[]

/** Minimum time between two writes in milliseconds. */
const STORED_EVERY_MS = 200

export function createProgressEvents(job: Pick<LiveJob, 'change' | 'abort'>, clock: Pick<Clock, 'mono' | 'after'>) {
  let waiting: JobFrame | null = null
  let isWriting = false
  let writtenAt = Number.NEGATIVE_INFINITY
  let forget: (() => void) | null = null

  /** Returns the waiting frame, for the write of the caller. */
  function rest(): Frames {
    forget?.()
    forget = null
    const frames: Frames = waiting === null ? [] : [{ kind: 'progress', frame: waiting }]
    waiting = null
    return frames
  }

  function schedule(): void {
    if (waiting === null || isWriting || forget !== null) return
    const leftMs = writtenAt + STORED_EVERY_MS - clock.mono()
    if (leftMs <= 0) void write()
    else forget = clock.after(leftMs, () => void write())
  }

  async function write(): Promise<void> {
    const frames = rest()
    if (frames.length === 0 || job.abort.signal.aborted) return
    isWriting = true
    writtenAt = clock.mono()
    // Not retried: the next progress replaces it.
    await job.change({ frames }).catch(() => {})
    isWriting = false
    schedule()
  }

  return {
    add(frame: JobFrame): void {
      waiting = frame
      schedule()
    },
    /** Frames to put before those of another change of the job, so that no event overtakes the progress before it. */
    rest,
  }
}
