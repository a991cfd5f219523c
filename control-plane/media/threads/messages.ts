// The messages between the event loop and its media threads. A lane is one stream; several share a thread.

import type { Client } from '#control-plane/clients/client.ts'
import type { Level } from '#shared/audio/master/chapter.ts'
import type { LoudnessHistogram } from '#shared/audio/master/histogram.ts'

/** Level of the output, before lossy encoding. */
export type Measured = {
  readonly histogram: LoudnessHistogram
  /** A factor of full scale. */
  readonly truePeak: number
}
export type LaneSettings = {
  /** Hz of the input. */
  readonly sampleRate: number
  /** Hz of processing and output. Default: that of the input. */
  readonly outputRate?: number
  /** An effect preset, or null for none. */
  readonly effects: string | null
  readonly master: boolean
  /** Gain and true-peak limiter of a chapter; not together with `master`. */
  readonly level?: Level | null
  /** Measures the output. `only`: without returning it. */
  readonly measure?: 'also' | 'only' | null
  readonly mark: { readonly key: Uint8Array; readonly payload: number } | null
  /** The output is MP3 when set, s16le otherwise. */
  readonly mp3Kbps: number | null
}

export type ToThread =
  | { readonly kind: 'open'; readonly lane: number; readonly client: Client; readonly settings: LaneSettings }
  | { readonly kind: 'piece'; readonly lane: number; readonly bytes: Uint8Array }
  | { readonly kind: 'end'; readonly lane: number }
  | { readonly kind: 'close'; readonly lane: number }

export type FromThread =
  /** `takenBytes` of input were consumed; `bytes` may be empty. */
  | { readonly kind: 'output'; readonly lane: number; readonly bytes: Uint8Array; readonly takenBytes: number }
  | { readonly kind: 'ended'; readonly lane: number; readonly bytes: Uint8Array; readonly measured: Measured | null }
  | { readonly kind: 'failed'; readonly lane: number; readonly message: string }
