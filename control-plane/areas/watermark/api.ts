import type { Watermark } from './watermark.service.ts'

export type WatermarkApi = Pick<Watermark, 'markOf'> & {
  /** Whether the mark of this studio is found in s16le mono of at most a few seconds. Throws the reason of the signal. */
  readonly hasMark: (pcm: Uint8Array, sampleRate: number, signal: AbortSignal) => Promise<boolean>
  /**
   * A WAV file of a recording that an engine made, with its mark or a new one; none while the owner has turned marks off. `pcm`: s16le mono at the
   * rate of REFERENCE. `digest` identifies the recording: the same one gets the same mark. Throws the reason of the signal.
   */
  readonly marked: (pcm: Uint8Array, digest: string, signal: AbortSignal) => Promise<Buffer>
}
export type MarkOf = WatermarkApi['markOf']
