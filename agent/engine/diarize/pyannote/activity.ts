// Speakers in each frame of a window, and the sound of each of them. A network hears ten seconds and tells up to three speakers apart, who
// have other numbers in the next window. Pure.

import { concat } from '#shared/audio/stage.ts'

export const RATE = 16_000
/** Samples of a window, and between the starts of two. */
export const WINDOW_SAMPLES = 160_000
export const STEP = 16_000
/** Frames of a window; samples between two frames, and that a frame is computed from. */
export const FRAMES = 589
export const FRAME_STEP = 270
export const FRAME_LENGTH = 991
export const SPEAKERS = 3

/** Speakers of a class as bits: none, each of three, each pair. */
const CLASSES = [0b000, 0b001, 0b010, 0b100, 0b011, 0b101, 0b110] as const
export const CLASS_COUNT = CLASSES.length
/** The speakers of each frame as bits. */
export type WindowActivity = Uint8Array

/** A voice of fewer frames, of 17 ms, has no direction. */
const MIN_FRAMES = 10

/** `scores`: a row of the seven classes for each frame. */
export function activityOf(scores: Float32Array): WindowActivity {
  return Uint8Array.from({ length: scores.length / CLASSES.length }, (_, frame) => {
    const row = scores.subarray(frame * CLASSES.length, (frame + 1) * CLASSES.length)
    return CLASSES[row.indexOf(Math.max(...row))] ?? 0
  })
}
/** The bits of a class, by its number. */
export const speakersOfClass = (number: number): number => CLASSES[number]!

export const isSpeaking = (frame: number, speaker: number): boolean => (frame & (1 << speaker)) !== 0
export const countOf = (frame: number): number => (frame & 1) + ((frame >> 1) & 1) + ((frame >> 2) & 1)

/** Starts of windows in samples: one each second, until the end of the recording is in one. */
export const windowStarts = (samples: number): number[] =>
  Array.from({ length: 1 + Math.ceil(Math.max(0, samples - WINDOW_SAMPLES) / STEP) }, (_, at) => at * STEP)

export type OwnSpeech = {
  /** Frames in which no other one speaks. */
  readonly frames: number
  readonly samples: Float32Array
}

/**
 * Sound that a speaker says alone in a window, or all of his sound if that is too short; null if even that is too short. `samples`: the
 * window, which may end early.
 */
export function ownSpeechIn(activity: WindowActivity, speaker: number, samples: Float32Array): OwnSpeech | null {
  const [alone, all]: [number[], number[]] = [[], []]
  for (const [frame, speakers] of activity.entries()) {
    if (isSpeaking(speakers, speaker)) all.push(frame)
    if (speakers === 1 << speaker) alone.push(frame)
  }
  const used = alone.length >= MIN_FRAMES ? alone : all
  if (used.length < MIN_FRAMES) return null
  const border = (frame: number) => Math.floor((frame * WINDOW_SAMPLES) / FRAMES)
  const pieces = used.map((frame) => samples.subarray(border(frame), border(frame + 1)))
  return { frames: alone.length, samples: concat(pieces) }
}

/** Halves go to the even number, as in Python: a speaker whom half of the windows name does not speak. */
export function roundedToEven(value: number): number {
  const floor = Math.floor(value)
  return value - floor === 0.5 ? floor + (floor % 2) : Math.round(value)
}
