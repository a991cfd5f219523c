// The values of an audiobook on its way from samples to one file.
import type { LoudnessPreset } from '#shared/audio/master/chapter.ts'
import type { LoudnessHistogram } from '#shared/audio/master/histogram.ts'

export type BookFormat = 'm4b' | 'mp3'
export type ChapterCodec = 'aac' | 'mp3'
/** Format of the finished book. `notice` says why this is not the requested format. */
export type BookPlan = { readonly format: BookFormat; readonly codec: ChapterCodec; readonly notice: string | null }

export type ChapterSource = {
  /** Hz. */
  readonly sampleRate: number
  /** s16le mono from the start, in pieces of any size. Called once for each pass over the chapter. */
  readonly open: () => AsyncIterable<Uint8Array>
  /** The sum over the segments of the chapter, after their gains; null to measure the chapter. */
  readonly histogram: LoudnessHistogram | null
  /** The highest true peak of the segments after their gains, as a factor of full scale; null when it was not measured. */
  readonly truePeak: number | null
  /** The sound is still rendered, so reading it may wait long: the chapter is encoded beside others, not in its turn. Default false. */
  readonly isAwaited?: boolean
}
export type ChapterOptions = {
  readonly codec: ChapterCodec
  readonly kbps: number
  readonly preset: LoudnessPreset
  /** Hz of the file; all chapters of a book need the same. Default: that of the source. */
  readonly outputRate?: number
  readonly mark: { readonly key: Uint8Array; readonly payload: number } | null
  /** Absolute path of the file. Written completely or not at all. */
  readonly to: string
}
export type EncodedChapter = {
  readonly path: string
  readonly codec: ChapterCodec
  /** Hz of the frames, which MP3 may have rounded up. */
  readonly sampleRate: number
  /** Whole frames, so that the sum over chapters is exact. */
  readonly samples: number
  readonly seconds: number
  readonly bytes: number
  readonly loudness: {
    /** LUFS; null for silence. */
    readonly integrated: number | null
    /** Minus infinity for silence. */
    readonly truePeakDb: number
    /** True if this is of the encoded file. Without ffmpeg it is of the samples before encoding. */
    readonly ofFile: boolean
  }
}

export type BookChapter = {
  readonly title: string
  readonly file: Pick<EncodedChapter, 'path' | 'codec' | 'sampleRate' | 'samples' | 'bytes'>
}
/** Tags of the book; null leaves a tag out. */
export type BookMetadata = {
  readonly title: string
  readonly author: string | null
  readonly narrator: string | null
  readonly year: string | null
  readonly description: string | null
  readonly series: string | null
  /** ISO 639-2, three letters. */
  readonly language: string | null
  /** Says that the speech is synthetic. */
  readonly comment: string
}
export type Cover = { readonly path: string; readonly type: 'jpeg' | 'png' }
export type JoinOptions = { readonly format: BookFormat; readonly to: string }
export type JoinedBook = { readonly path: string; readonly format: BookFormat; readonly seconds: number; readonly bytes: number }
