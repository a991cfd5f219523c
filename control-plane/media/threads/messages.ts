// The messages between the event loop and its media threads. A lane is one stream; several share a thread.

export type LaneSettings = {
  /** Hz of the input. */
  readonly sampleRate: number
  /** Hz of processing and output. Default: that of the input. */
  readonly outputRate?: number
  /** An effect preset, or null for none. */
  readonly effects: string | null
  readonly master: boolean
  readonly mark: { readonly key: Uint8Array; readonly payload: number } | null
  /** The output is MP3 when set, s16le otherwise. */
  readonly mp3Kbps: number | null
}

export type ToThread =
  | { readonly kind: 'open'; readonly lane: number; readonly settings: LaneSettings }
  | { readonly kind: 'piece'; readonly lane: number; readonly bytes: Uint8Array }
  | { readonly kind: 'end'; readonly lane: number }
  | { readonly kind: 'close'; readonly lane: number }

export type FromThread =
  /** `takenBytes` of input were consumed; `bytes` may be empty. */
  | { readonly kind: 'output'; readonly lane: number; readonly bytes: Uint8Array; readonly takenBytes: number }
  | { readonly kind: 'ended'; readonly lane: number; readonly bytes: Uint8Array }
  | { readonly kind: 'failed'; readonly lane: number; readonly message: string }
