// Estimates the spoken duration of a text in frames: a weight per character, times the frames per unit of weight in a reference. Pure.
import { weightOfText } from '#shared/text/weight.ts'

export const FRAMES_PER_SECOND = 25
const DEFAULT_TEXT = 'Nice to meet you.'
const DEFAULT_FRAMES = 25
/** Texts of fewer frames are spoken more slowly than their weight predicts. */
const SHORT_FRAMES = 50

export type SpeechPace = { readonly text: string; readonly frames: number }

/** Frames for `text` at the pace of a reference, or at the default pace. Not rounded; see `wholeFrames`. */
export function estimateFrames(text: string, reference: SpeechPace | null): number {
  const validReference = reference && reference.frames > 0 && weightOfText(reference.text) > 0 ? reference : null
  const { text: referenceText, frames } = validReference ?? { text: DEFAULT_TEXT, frames: DEFAULT_FRAMES }
  const estimate = (weightOfText(text) * frames) / weightOfText(referenceText)
  return estimate < SHORT_FRAMES ? SHORT_FRAMES * (estimate / SHORT_FRAMES) ** (1 / 3) : estimate
}

export const wholeFrames = (frames: number, speed: number): number => Math.max(1, Math.floor(frames / speed))
