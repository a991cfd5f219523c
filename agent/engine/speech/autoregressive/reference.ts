// The reference recording for a voice encoder: mono, at the rate of the model, of limited length.

import { readAudio } from '#agent/engine/audio/audio-input.ts'
import { resample } from '#agent/engine/audio/resample.ts'
import type { RunInputs } from '#agent/engine/seam/engine.ts'
import { Failure } from '#shared/protocol/failure.ts'

const MIN_SECONDS = 0.5
/** The model reads the whole voice before every piece, so a longer one costs time and context. */
const MAX_SECONDS = 20

/** `rate` in Hz. Throws INVALID_TASK_PARAMS. */
export async function readReference(rate: number, inputs: RunInputs, signal: AbortSignal, notices: string[]): Promise<Float32Array> {
  const { samples, sampleRate, seconds } = readAudio(inputs, 'reference')
  if (seconds < MIN_SECONDS) throw new Failure('INVALID_TASK_PARAMS', `reference: The recording is shorter than ${MIN_SECONDS} seconds.`)
  if (samples.every((sample) => sample === 0)) throw new Failure('INVALID_TASK_PARAMS', 'reference: The recording is silent.')
  if (seconds > MAX_SECONDS) notices.push(`Only the first ${MAX_SECONDS} seconds of the reference were used; 5 to 15 seconds work best.`)
  return await resample(samples.subarray(0, Math.floor(MAX_SECONDS * sampleRate)), sampleRate, rate, signal)
}
