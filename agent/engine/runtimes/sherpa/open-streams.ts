// Streams of recordings that go on. A longer recording with the same samples at its start continues the stream, so only the new samples are
// computed. Without a match the recording is computed from its start: the result is the same.
import { createHash } from 'node:crypto'
import type { OnlineStream } from './library.ts'

type Open = { readonly stream: OnlineStream; readonly consumed: number; readonly digest: string }
/** `consumed`: samples that the stream has already. */
export type Continued = { readonly stream: OnlineStream; readonly consumed: number }

/** A stream holds the state of its networks, a few megabytes. The one that was used least recently is dropped. */
const MAX_STREAMS = 24

const digestOf = (samples: Float32Array): string =>
  createHash('sha256')
    .update(new Uint8Array(samples.buffer, samples.byteOffset, samples.byteLength))
    .digest('hex')

export function createOpenStreams() {
  const open: Open[] = []
  return {
    /** The stream that has consumed most of the start of `samples`; null without one. It belongs to the caller from then on. */
    take(samples: Float32Array): Continued | null {
      const digests = new Map<number, string>()
      let best: Open | null = null
      for (const one of open) {
        const { consumed } = one
        if (consumed > samples.length || consumed <= (best?.consumed ?? 0)) continue
        const digest = digests.get(consumed) ?? digestOf(samples.subarray(0, consumed))
        digests.set(consumed, digest)
        if (digest === one.digest) best = one
      }
      if (best) open.splice(open.indexOf(best), 1)
      return best
    },
    /** `samples`: everything that the stream has consumed. */
    keep(stream: OnlineStream, samples: Float32Array): void {
      open.push({ stream, consumed: samples.length, digest: digestOf(samples) })
      if (open.length > MAX_STREAMS) open.shift()
    },
  }
}
