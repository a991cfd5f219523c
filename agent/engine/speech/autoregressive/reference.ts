// A recording of a voice to follow, as the encoders of these models want it: mono at their rate, of a sensible length.

import { Failure } from '#shared/protocol/failure.ts'
import { readAudio } from '../../audio/audio-input.ts'
import { resample } from '../../audio/resample.ts'
import type { RunInputs } from '../../seam/engine.ts'

const LEAST_SECONDS = 0.5
/** The model reads the whole voice before every piece: more only takes time and room from the text. */
const LONGEST_SECONDS = 20

/** INVALID_TASK_PARAMS says what is wrong with it. */
export async function readReference(rate: number, inputs: RunInputs, signal: AbortSignal, notices: string[]): Promise<Float32Array> {
  const { samples, sampleRate, seconds } = readAudio(inputs, 'reference')
  if (seconds < LEAST_SECONDS) throw new Failure('INVALID_TASK_PARAMS', `reference: shorter than ${LEAST_SECONDS} seconds`)
  if (samples.every((sample) => sample === 0)) throw new Failure('INVALID_TASK_PARAMS', 'reference: the recording is silent')
  if (seconds > LONGEST_SECONDS) notices.push(`Of the reference the first ${LONGEST_SECONDS} seconds were used; 5 to 15 are best.`)
  return await resample(samples.subarray(0, Math.floor(LONGEST_SECONDS * sampleRate)), sampleRate, rate, signal)
}
