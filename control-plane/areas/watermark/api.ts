import type { Watermark } from './watermark.service.ts'

export type WatermarkApi = Pick<Watermark, 'markOf'> & {
  /** Whether the mark of this studio is found in s16le mono of at most a few seconds. Throws the reason of the signal. */
  readonly hasMark: (pcm: Uint8Array, sampleRate: number, signal: AbortSignal) => Promise<boolean>
}
export type MarkOf = WatermarkApi['markOf']
