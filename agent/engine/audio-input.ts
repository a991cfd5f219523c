// The sound that a task brings along, as an engine wants it: mono samples at the engine's own rate.
import { parseWav } from '#shared/audio/wav.ts'
import { Failure } from '#shared/protocol/failure.ts'
import type { Inputs } from './engine.ts'
import { resample } from './resample.ts'

export type Sound = { readonly samples: Float32Array; readonly sampleRate: number; readonly seconds: number }

const LONGEST_SECONDS = 4 * 3600
const SLOWEST_RATE = 4_000
const FASTEST_RATE = 384_000

/** INVALID_TASK_PARAMS says what is wrong with the audio. */
export function soundOf(inputs: Inputs | undefined, name = 'audio'): Sound {
  const bytes = inputs?.get(name)
  if (!bytes) throw new Failure('INVALID_TASK_PARAMS', `${name}: this operation needs a recording`)
  const refuse = (what: string, cause?: unknown) => new Failure('INVALID_TASK_PARAMS', `${name}: ${what}`, { cause })
  let wav: ReturnType<typeof parseWav>
  try {
    wav = parseWav(bytes)
  } catch (error) {
    throw refuse(error instanceof RangeError ? error.message : 'not a WAV file', error)
  }
  const { samples, sampleRate } = wav
  const seconds = samples.length / sampleRate
  if (sampleRate < SLOWEST_RATE || sampleRate > FASTEST_RATE) throw refuse(`${sampleRate} Hz is outside ${SLOWEST_RATE} to ${FASTEST_RATE}`)
  if (samples.length === 0) throw refuse('the recording is empty')
  if (seconds > LONGEST_SECONDS) throw refuse(`longer than ${LONGEST_SECONDS / 3600} hours; cut it into pieces`)
  if (samples.some((sample) => !Number.isFinite(sample))) throw refuse('some samples are not finite numbers')
  return { samples, sampleRate, seconds }
}

/** The same at `rate`. */
export async function soundAt(rate: number, inputs: Inputs | undefined, signal: AbortSignal): Promise<Sound> {
  const { samples, sampleRate, seconds } = soundOf(inputs)
  return { samples: await resample(samples, sampleRate, rate, signal), sampleRate: rate, seconds }
}
