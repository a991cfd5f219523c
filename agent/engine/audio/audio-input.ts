// The sound that a task brings along, as an engine wants it: mono samples at the engine's own rate.
import { parseWav, planWav, type WavPlan } from '#shared/audio/wav.ts'
import { Failure } from '#shared/protocol/failure.ts'
import type { RunInputs } from '../seam/engine.ts'
import { resample } from './resample.ts'

export type AudioInput = { readonly samples: Float32Array; readonly sampleRate: number; readonly seconds: number }

const LONGEST_SECONDS = 4 * 3600
const SLOWEST_RATE = 4_000
const FASTEST_RATE = 384_000

/** A recording that is read piece by piece, in two channels; one that has another number of them sounds the same from both. */
export type BlockAudioInput = {
  readonly sampleRate: number
  readonly frames: number
  readonly seconds: number
  /** Whether the two channels differ. */
  readonly isStereo: boolean
  readonly read: (from: number, count: number) => readonly [Float32Array, Float32Array]
}

/** INVALID_TASK_PARAMS says what is wrong with the audio. */
export function readAudio(inputs: RunInputs | undefined, name = 'audio'): AudioInput {
  const { samples, sampleRate } = readable(inputs, name, parseWav)
  const { seconds } = checked(name, sampleRate, samples.length)
  refuseUnlessFinite(name, samples)
  return { samples, sampleRate, seconds }
}

/** The same refusals; those that concern samples come while they are read. */
export function openAudio(inputs: RunInputs | undefined, name = 'audio'): BlockAudioInput {
  const { bytes, plan } = readable(inputs, name, (given) => ({ bytes: given, plan: planWav(given, given.length) }))
  const { sampleRate, frameBytes, start, end, channels } = plan
  const frames = Math.floor((end - start) / frameBytes)
  return {
    sampleRate,
    frames,
    isStereo: channels === 2,
    ...checked(name, sampleRate, frames),
    read(from, count) {
      const piece = bytes.subarray(start + from * frameBytes, start + Math.min(frames, from + count) * frameBytes)
      const sound = inStereo(plan, piece, channels)
      for (const channel of sound) refuseUnlessFinite(name, channel)
      return sound
    },
  }
}

function inStereo(plan: WavPlan, piece: Uint8Array, channels: number): readonly [Float32Array, Float32Array] {
  if (channels === 2) return [plan.readChannel(piece, 0), plan.readChannel(piece, 1)]
  const mono = plan.read(piece)
  return [mono, mono]
}

const refusal = (name: string, what: string, cause?: unknown) => new Failure('INVALID_TASK_PARAMS', `${name}: ${what}`, { cause })

function readable<T>(inputs: RunInputs | undefined, name: string, read: (bytes: Uint8Array) => T): T {
  const bytes = inputs?.get(name)
  if (!bytes) throw refusal(name, 'this operation needs a recording')
  try {
    return read(bytes)
  } catch (error) {
    throw refusal(name, error instanceof RangeError ? error.message : 'not a WAV file', error)
  }
}

function checked(name: string, sampleRate: number, frames: number): { seconds: number } {
  const seconds = frames / sampleRate
  if (sampleRate < SLOWEST_RATE || sampleRate > FASTEST_RATE)
    throw refusal(name, `${sampleRate} Hz is outside ${SLOWEST_RATE} to ${FASTEST_RATE}`)
  if (frames === 0) throw refusal(name, 'the recording is empty')
  if (seconds > LONGEST_SECONDS) throw refusal(name, `longer than ${LONGEST_SECONDS / 3600} hours; cut it into pieces`)
  return { seconds }
}

function refuseUnlessFinite(name: string, samples: Float32Array): void {
  if (samples.some((sample) => !Number.isFinite(sample))) throw refusal(name, 'some samples are not finite numbers')
}

/** The same at `rate`. */
export async function readAudioAt(rate: number, inputs: RunInputs | undefined, signal: AbortSignal): Promise<AudioInput> {
  const { samples, sampleRate, seconds } = readAudio(inputs)
  return { samples: await resample(samples, sampleRate, rate, signal), sampleRate: rate, seconds }
}
