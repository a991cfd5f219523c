// Audio inputs of a task: mono samples at the rate of the engine, or blocks of two channels.

import type { RunInputs } from '#agent/engine/seam/engine.ts'
import { downmixed } from '#shared/audio/channels/downmix.ts'
import { parseWav, planWav, type WavPlan } from '#shared/audio/wav.ts'
import { Failure } from '#shared/protocol/failure.ts'
import { resample } from './resample.ts'

export type AudioInput = { readonly samples: Float32Array; readonly sampleRate: number; readonly seconds: number }

const MAX_SECONDS = 4 * 3600
const MIN_SAMPLE_RATE = 4_000
const MAX_SAMPLE_RATE = 384_000

/** A recording that is read in blocks of two channels. A recording with another number of channels is mixed to mono first. */
export type BlockAudioInput = {
  readonly sampleRate: number
  readonly frames: number
  readonly seconds: number
  /** True if the two channels differ. */
  readonly isStereo: boolean
  readonly read: (from: number, count: number) => readonly [Float32Array, Float32Array]
}

/** Throws INVALID_TASK_PARAMS. */
export function readAudio(inputs: RunInputs | undefined, name = 'audio'): AudioInput {
  const { samples, sampleRate } = parseInput(inputs, name, parseWav)
  const { seconds } = checkedLength(name, sampleRate, samples.length)
  refuseUnlessFinite(name, samples)
  return { samples, sampleRate, seconds }
}

/** Throws INVALID_TASK_PARAMS, also while blocks are read: samples that are not finite are found then. */
export function openAudio(inputs: RunInputs | undefined, name = 'audio'): BlockAudioInput {
  const { bytes, plan } = parseInput(inputs, name, (given) => ({ bytes: given, plan: planWav(given, given.length) }))
  const { sampleRate, frameBytes, start, end, channels } = plan
  const frames = Math.floor((end - start) / frameBytes)
  return {
    sampleRate,
    frames,
    isStereo: channels === 2,
    ...checkedLength(name, sampleRate, frames),
    read(from, count) {
      const piece = bytes.subarray(start + from * frameBytes, start + Math.min(frames, from + count) * frameBytes)
      const sound = toStereo(plan, piece, channels)
      for (const channel of sound) refuseUnlessFinite(name, channel)
      return sound
    },
  }
}

function toStereo(plan: WavPlan, piece: Uint8Array, channels: number): readonly [Float32Array, Float32Array] {
  if (channels === 2) return [plan.readChannel(piece, 0), plan.readChannel(piece, 1)]
  const mono = downmixed(plan.read(piece), channels, plan.sampleRate)
  return [mono, mono]
}

const refusal = (name: string, what: string, cause?: unknown) => new Failure('INVALID_TASK_PARAMS', `${name}: ${what}`, { cause })

function parseInput<T>(inputs: RunInputs | undefined, name: string, read: (bytes: Uint8Array) => T): T {
  const bytes = inputs?.get(name)
  if (!bytes) throw refusal(name, 'This operation needs a recording.')
  try {
    return read(bytes)
  } catch (error) {
    throw refusal(name, error instanceof RangeError ? error.message : 'It is not a WAV file.', error)
  }
}

function checkedLength(name: string, sampleRate: number, frames: number): { seconds: number } {
  const seconds = frames / sampleRate
  if (sampleRate < MIN_SAMPLE_RATE || sampleRate > MAX_SAMPLE_RATE)
    throw refusal(name, `Its rate of ${sampleRate} Hz is not within ${MIN_SAMPLE_RATE} to ${MAX_SAMPLE_RATE} Hz.`)
  if (frames === 0) throw refusal(name, 'The recording is empty.')
  if (seconds > MAX_SECONDS) throw refusal(name, `The recording is longer than ${MAX_SECONDS / 3600} hours. Cut it into pieces.`)
  return { seconds }
}

function refuseUnlessFinite(name: string, samples: Float32Array): void {
  if (samples.some((sample) => !Number.isFinite(sample))) throw refusal(name, 'Some samples are not finite numbers.')
}

/** Same as readAudio, resampled to `rate` in Hz. */
export async function readAudioAt(rate: number, inputs: RunInputs | undefined, signal: AbortSignal): Promise<AudioInput> {
  const { samples, sampleRate, seconds } = readAudio(inputs)
  return { samples: await resample(samples, sampleRate, rate, signal), sampleRate: rate, seconds }
}
