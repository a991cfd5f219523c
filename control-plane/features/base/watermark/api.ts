import type { Watermark } from './watermark.service.ts'

export type WatermarkApi = Pick<Watermark, 'markOf'> & {
  /** True if the mark of this studio is found in s16le mono of at most a few seconds. Throws the reason of the signal. */
  readonly hasMark: (pcm: Uint8Array, sampleRate: number, signal: AbortSignal) => Promise<boolean>
  /**
   * A WAV file of s16le mono with a mark: the one that it has, or a new one, which is the same for the same `digest`. Unchanged while the
   * owner has turned marks off. Throws the reason of the signal.
   */
  readonly marked: (pcm: Uint8Array, sampleRate: number, digest: string, signal: AbortSignal) => Promise<Buffer>
}
export type MarkOf = WatermarkApi['markOf']

declare module '#control-plane/kernel/define.ts' {
  interface AreaApis {
    readonly watermark: WatermarkApi
  }
}
