// Plans the passes of a task and the number of frames of each. Pure: the total length is known before the first step.

import type { TtsParams } from '#shared/operations/tts.ts'
import { Failure } from '#shared/protocol/failure.ts'
import { charactersFor, cutHard, toChunks } from './chunks.ts'
import { unwrap } from './clean.ts'
import { estimateFrames, FRAMES_PER_SECOND, type SpeechPace, wholeFrames } from './duration.ts'

/** Longer texts are cut into chunks of CHUNK_SECONDS; a single pass up to this length sounds best. */
const THRESHOLD_SECONDS = 30
const CHUNK_SECONDS = 15
/** Memory and time of a pass grow quadratically with its length. */
const MAX_PASS_SECONDS = 60

export type ChunkPass = {
  readonly part: number
  readonly text: string
  readonly frames: number
  readonly isFirst: boolean
  readonly isLast: boolean
}
type PlanRequest = Pick<TtsParams, 'segments' | 'speed' | 'duration' | 'chunk_duration' | 'chunk_threshold'>

/** Throws INVALID_TASK_PARAMS when the requested duration is too short or too long for the text. */
export function toPasses(request: PlanRequest, pace: SpeechPace | null): ChunkPass[] {
  const texts = request.segments.map(({ text }) => unwrap(text))
  const estimates = texts.map((text) => estimateFrames(text, pace))
  const exact = request.duration === null ? null : proportionalShares(speechFrames(request.duration, request.segments), estimates)
  const total = estimates.reduce((sum, estimate) => sum + estimate, 0)
  const speed = exact ? total / exact.reduce((sum, frames) => sum + frames, 0) : request.speed
  const threshold = Math.min(request.chunk_threshold ?? THRESHOLD_SECONDS, MAX_PASS_SECONDS)
  const seconds = Math.min(request.chunk_duration ?? CHUNK_SECONDS, MAX_PASS_SECONDS)

  return texts.flatMap((text, part) => {
    const frames = exact?.[part] ?? wholeFrames(estimates[part]!, speed)
    const maxCharacters = charactersFor(seconds, FRAMES_PER_SECOND, Array.from(text).length, frames)
    const isLong = frames > threshold * FRAMES_PER_SECOND
    const found = isLong ? toChunks(text, maxCharacters).flatMap((chunk) => cutHard(chunk, Math.max(2 * maxCharacters, 3))) : [text]
    const chunks = found.length > 0 ? found : [text]
    const weights = chunks.map((chunk) => estimateFrames(chunk, pace))
    const lengths = exact ? proportionalShares(frames, weights) : isLong ? weights.map((weight) => wholeFrames(weight, speed)) : [frames]
    return chunks.map((chunk, at) => ({
      part,
      text: chunk,
      frames: checkedFrames(lengths[at]!),
      isFirst: at === 0,
      isLast: at === chunks.length - 1,
    }))
  })
}

function checkedFrames(frames: number): number {
  if (frames <= 2 * MAX_PASS_SECONDS * FRAMES_PER_SECOND) return frames
  throw new Failure('INVALID_TASK_PARAMS', 'duration: It is much longer than the text. Add pauses, or request a shorter duration.')
}

function speechFrames(duration: number, segments: PlanRequest['segments']): number {
  const pauses = segments.reduce((sum, { pause_after_ms }) => sum + pause_after_ms / 1000, 0)
  const frames = Math.floor((duration - pauses) * FRAMES_PER_SECOND + 1e-6)
  if (frames < segments.length) throw new Failure('INVALID_TASK_PARAMS', 'duration: The pauses alone are longer.')
  return frames
}

/** Integers in proportion to the weights that sum up to `total`. Each is at least 1, even if the sum then exceeds `total`. */
function proportionalShares(total: number, weights: readonly number[]): number[] {
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
