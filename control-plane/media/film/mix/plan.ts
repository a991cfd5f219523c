// Plans of the mixing of a dub: takes on a voice track, and the voice track with the sound of the film.
import type { SoundShape } from '../sound/blocks.ts'

/** Frames of 48 kHz from the start of the picture. */
export type SoundSpan = { readonly from: number; readonly to: number }

/** A take: s16le mono in a file. */
export type TakeFile = {
  readonly path: string
  readonly sampleRate: number
  /** Offset of its samples: 44 in a WAV file that the studio wrote. */
  readonly offsetBytes: number
  readonly samples: number
}
export type PlacedTake = {
  readonly take: TakeFile
  /** The part that is heard, in samples of the take: without the silence at its head and tail. Null: all of it. */
  readonly part: { readonly from: number; readonly to: number } | null
  /** From the start of the picture. */
  readonly startUs: number
  /** 1: as spoken. 1.2: in 1 / 1.2 of the time, at the same pitch. From 0.5 to 3. */
  readonly tempo: number
  /** The length of the line in the film. What is longer is cut with a fade, what is shorter ends in silence. */
  readonly lengthUs: number
  readonly gainDb: number
}
export type AssemblePlan = {
  readonly takes: readonly PlacedTake[]
  /** Length of the film: takes end there. */
  readonly durationUs: number
  /** The folder of an earlier track: minutes of it that would be the same are taken over. Files of takes with equal names have equal content. */
  readonly earlier?: string | null | undefined
  /** A folder that does not exist yet. */
  readonly to: string
}
export type AssembledVoice = {
  /** 48 kHz, mono, 32 bit float, because lines may overlap. Silent minutes take no space. */
  readonly sound: SoundShape
  /** Place of each take's sound in the order of the plan, and the length that was cut from its end. */
  readonly placed: readonly (SoundSpan & { readonly cutUs: number })[]
}

export type MixPlan = {
  /** Folders of sound at 48 kHz; stereo, except for the voice. */
  readonly original: string
  /** Result of the separation of `original`. Null: the original is turned down by 18 dB while the voice is heard. */
  readonly background: { readonly holds: 'bed' | 'vocals'; readonly sound: string } | null
  readonly voice: string
  readonly durationUs: number
  /** Speech of the original: its loudness there is the loudness of the voice. */
  readonly speech: readonly SoundSpan[]
  /** Speech of the voice, as `assemble` returns it. */
  readonly placed: readonly SoundSpan[]
  /** False: the voice over silence. */
  readonly preserveBackground: boolean
  /** Gain of the bed under the voice, at most 0. */
  readonly duckDb: number
  /** Gain of the voice, or `match` for the loudness of the original speech. */
  readonly voiceGainDb: number | 'match'
  readonly mark: { readonly key: Uint8Array; readonly payload: number } | null
  /** A folder that does not exist yet. */
  readonly to: string
}
export type MixedSound = {
  /** 48 kHz, stereo, 16 bit. Outside of the regions it is `original`, sample for sample. */
  readonly sound: SoundShape
  readonly regions: readonly SoundSpan[]
  readonly voiceGainDb: number
  /** LUFS of the original speech; null when it has none. */
  readonly speechLoudness: number | null
  /** True if the original was turned down for lack of a background. */
  readonly isDucked: boolean
}

/** `from` to `to` of the source last `length` in the result; all in frames of 48 kHz. What lies between pieces keeps its length. */
export type StretchPiece = SoundSpan & { readonly length: number }
export type StretchPlan = {
  /** Folders of stereo sound at 48 kHz that belong together: the first one decides how all are stretched. */
  readonly sounds: readonly { readonly from: string; readonly to: string }[]
  /** Ascending, without overlaps. */
  readonly pieces: readonly StretchPiece[]
}
