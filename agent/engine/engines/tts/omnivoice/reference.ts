// Makes of a recording what the codec is shown of a voice: one length, one level, no long silences. Pure.

import { Failure } from '#shared/protocol/failure.ts'
import { FRAME_SAMPLES, OMNIVOICE_SAMPLE_RATE } from './codec.ts'
import { referenceGain, rmsOf, scaled, shortenSilences, silences } from './sound.ts'

const LONG_SECONDS = 20
const CUT_SECONDS = 15
const LEAST_SECONDS = 3
/** The model reads it in every step: what is longer would take the memory of the text. */
const LONGEST_SECONDS = 60

export type PreparedReference = {
  /** 24 kHz, a multiple of 960 of them. */
  readonly samples: Float32Array
  /** Of the recording as it came; the output is brought back to it when it was quiet. */
  readonly rms: number
  readonly notices: readonly string[]
}

/** `tidy`: cut what is too long and shorten silences. Failures: INVALID_TASK_PARAMS. */
export function prepareReference(recorded: Float32Array, hasTranscript: boolean, tidy: boolean): PreparedReference {
  const rms = rmsOf(recorded)
  if (rms === 0) throw new Failure('INVALID_TASK_PARAMS', 'reference: the recording is silent')
  const notices: string[] = []
  let samples = scaled(recorded, referenceGain(rms))
  if (tidy) {
    // With a transcript a cut would leave words that nobody says.
    if (!hasTranscript && samples.length > LONG_SECONDS * OMNIVOICE_SAMPLE_RATE) {
      samples = samples.subarray(0, pauseBefore(samples))
      notices.push(`The reference was cut to ${Math.round(samples.length / OMNIVOICE_SAMPLE_RATE)} seconds.`)
    }
    samples = shortenSilences(samples, OMNIVOICE_SAMPLE_RATE, { midMs: 200, leadMs: 100, trailMs: 200 })
  }
  if (samples.length > LONGEST_SECONDS * OMNIVOICE_SAMPLE_RATE) {
    throw new Failure('INVALID_TASK_PARAMS', `reference: longer than ${LONGEST_SECONDS} seconds; 3 to 10 seconds are best`)
  }
  if (samples.length > LONG_SECONDS * OMNIVOICE_SAMPLE_RATE)
    notices.push('The reference is longer than 20 seconds; 3 to 10 seconds are faster and sound better.')
  if (!hasTranscript) notices.push('The reference has no transcript; with one (ref_text) the voice is met more closely.')
  const whole = Math.floor(samples.length / FRAME_SAMPLES) * FRAME_SAMPLES
  if (whole === 0) throw new Failure('INVALID_TASK_PARAMS', 'reference: too short, or all of it silent')
  return { samples: samples.slice(0, whole), rms, notices }
}

/** The middle of the last pause that ends before second 15 and begins after second 3; without one a hard cut. */
function pauseBefore(samples: Float32Array): number {
  const pause = silences(samples.subarray(0, CUT_SECONDS * OMNIVOICE_SAMPLE_RATE), OMNIVOICE_SAMPLE_RATE, -40, 100).findLast(
    ({ from, to }) => (from + to) / 2 >= LEAST_SECONDS * OMNIVOICE_SAMPLE_RATE,
  )
  return pause ? Math.round((pause.from + pause.to) / 2) : CUT_SECONDS * OMNIVOICE_SAMPLE_RATE
}
