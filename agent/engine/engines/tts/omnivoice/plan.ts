// What is to be spoken in which passes, and how many frames each of them gets. Pure: the whole length is known before the first step.

import type { TtsParams } from '#shared/operations/tts.ts'
import { Failure } from '#shared/protocol/failure.ts'
import { charactersFor, cutHard, toChunks } from './chunks.ts'
import { unwrap } from './clean.ts'
import { estimateFrames, FRAMES_PER_SECOND, type SpeechPace, wholeFrames } from './duration.ts'

/** Longer texts are cut into chunks of CHUNK_SECONDS; one pass up to this long sounds best. */
const THRESHOLD_SECONDS = 30
const CHUNK_SECONDS = 15
/** Memory and time of a pass grow with the square of its length. */
const LONGEST_SECONDS = 60

export type ChunkPass = {
  readonly part: number
  readonly text: string
  readonly frames: number
  readonly isFirst: boolean
  readonly isLast: boolean
}
type Asked = Pick<TtsParams, 'segments' | 'speed' | 'duration' | 'chunk_duration' | 'chunk_threshold'>

/** INVALID_TASK_PARAMS when the wanted duration has no room for speech, or so much that none fills it. */
export function toPasses(asked: Asked, pace: SpeechPace | null): ChunkPass[] {
  const texts = asked.segments.map(({ text }) => unwrap(text))
  const estimates = texts.map((text) => estimateFrames(text, pace))
  const exact = asked.duration === null ? null : shares(framesWithin(asked.duration, asked.segments), estimates)
  const total = estimates.reduce((sum, estimate) => sum + estimate, 0)
  const speed = exact ? total / exact.reduce((sum, frames) => sum + frames, 0) : asked.speed
  const threshold = Math.min(asked.chunk_threshold ?? THRESHOLD_SECONDS, LONGEST_SECONDS)
  const seconds = Math.min(asked.chunk_duration ?? CHUNK_SECONDS, LONGEST_SECONDS)

  return texts.flatMap((text, part) => {
    const frames = exact?.[part] ?? wholeFrames(estimates[part]!, speed)
    const longest = charactersFor(seconds, FRAMES_PER_SECOND, Array.from(text).length, frames)
    const isLong = frames > threshold * FRAMES_PER_SECOND
    const found = isLong ? toChunks(text, longest).flatMap((chunk) => cutHard(chunk, Math.max(2 * longest, 3))) : [text]
    const chunks = found.length > 0 ? found : [text]
    const weights = chunks.map((chunk) => estimateFrames(chunk, pace))
    const lengths = exact ? shares(frames, weights) : isLong ? weights.map((weight) => wholeFrames(weight, speed)) : [frames]
    return chunks.map((chunk, at) => ({
      part,
      text: chunk,
      frames: withinOnePass(lengths[at]!),
      isFirst: at === 0,
      isLast: at === chunks.length - 1,
    }))
  })
}

function withinOnePass(frames: number): number {
  if (frames <= 2 * LONGEST_SECONDS * FRAMES_PER_SECOND) return frames
  throw new Failure('INVALID_TASK_PARAMS', 'duration: so much longer than the text that no speech fills it; add pauses, or ask for less')
}

function framesWithin(duration: number, segments: Asked['segments']): number {
  const pauses = segments.reduce((sum, { pause_after_ms }) => sum + pause_after_ms / 1000, 0)
  const frames = Math.floor((duration - pauses) * FRAMES_PER_SECOND + 1e-6)
  if (frames < segments.length) throw new Failure('INVALID_TASK_PARAMS', 'duration: shorter than the pauses alone')
  return frames
}

/** Whole numbers in proportion to the weights, each at least 1 where there are enough; together exactly `total`, or one each. */
function shares(total: number, weights: readonly number[]): number[] {
  const all = weights.reduce((sum, weight) => sum + weight, 0)
  const spare = Math.max(0, total - weights.length)
  let weight = 0
  let given = 0
  return weights.map((each) => {
    weight += each
    const upTo = Math.round((spare * weight) / all)
    const share = upTo - given
    given = upTo
    return 1 + share
  })
}
