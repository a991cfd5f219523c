// Prepares a reference recording for the codec: limits its length, sets its level and shortens silences. Pure.

import { referenceLength } from '#shared/audio/pauses.ts'
import { Failure } from '#shared/protocol/failure.ts'
import { FRAME_SAMPLES, OMNIVOICE_SAMPLE_RATE } from './codec.ts'
import { referenceGain, rmsOf, scaled, shortenSilences } from './sound.ts'

const LONG_SECONDS = 20
/** The model reads the reference in every step, so a longer one takes context from the text. */
const MAX_SECONDS = 60

export type PreparedReference = {
  /** 24 kHz; the count is a multiple of 960. */
  readonly samples: Float32Array
  /** Level of the original recording. The output of a quiet reference is scaled back to it. */
  readonly rms: number
  readonly notices: readonly string[]
}

/** `recorded`: mono at 24 kHz. `tidy`: cut a long recording and shorten silences. Throws INVALID_TASK_PARAMS. */
export function prepareReference(recorded: Float32Array, hasTranscript: boolean, tidy: boolean): PreparedReference {
  const rms = rmsOf(recorded)
  if (rms === 0) throw new Failure('INVALID_TASK_PARAMS', 'reference: The recording is silent.')
  const notices: string[] = []
  let samples = scaled(recorded, referenceGain(rms))
  if (tidy) {
    // Not with a transcript, which would then contain words that were cut off.
    const length = hasTranscript ? samples.length : referenceLength(samples, OMNIVOICE_SAMPLE_RATE)
    if (length < samples.length) {
      samples = samples.subarray(0, length)
      notices.push(`The reference was cut to its first ${Math.round(length / OMNIVOICE_SAMPLE_RATE)} seconds.`)
    }
    samples = shortenSilences(samples, OMNIVOICE_SAMPLE_RATE, { midMs: 200, leadMs: 100, trailMs: 200 })
  }
  if (samples.length > MAX_SECONDS * OMNIVOICE_SAMPLE_RATE) {
    throw new Failure('INVALID_TASK_PARAMS', `reference: The recording is longer than ${MAX_SECONDS} seconds; 3 to 10 seconds work best.`)
  }
  if (samples.length > LONG_SECONDS * OMNIVOICE_SAMPLE_RATE)
    notices.push('The reference is longer than 20 seconds; 3 to 10 seconds are faster and sound better.')
  if (!hasTranscript) notices.push('The reference has no transcript. A transcript (ref_text) makes the voice more similar.')
  const whole = Math.floor(samples.length / FRAME_SAMPLES) * FRAME_SAMPLES
  if (whole === 0) throw new Failure('INVALID_TASK_PARAMS', 'reference: The recording is too short or silent.')
  return { samples: samples.slice(0, whole), rms, notices }
}
