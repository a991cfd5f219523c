// Removes noise from speech with RNNoise over WebAssembly, whose weights are part of the installed packages. It does not separate a voice
// from music.

import { existsSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import { readAudio } from '#agent/engine/audio/audio-input.ts'
import { resample } from '#agent/engine/audio/resample.ts'
import { defineEngine, type EngineParts, type RunContext, withParams } from '#agent/engine/seam/define.ts'
import { type Capability, capability, type EngineEvent } from '#agent/engine/seam/engine.ts'
import { DenoiseParams } from '#shared/operations/denoise.ts'
import { Failure } from '#shared/protocol/failure.ts'
import { nextTurn } from '#shared/runtime/builtin/next-turn.ts'
import { denoisedFrames, RNNOISE_SAMPLE_RATE } from './frames.ts'
import { RNNOISE_VERIFICATION } from './verification.ts'

const ID = 'rnnoise'
export const RNNOISE_DIGEST = '6b4d53ac61b7301fa150020fe529151700726b38d5954552ec043e22e93dada2'
const MEMORY_BYTES = 128 * 1024 ** 2
/** Frames between two yields to the event loop: half a second of sound. */
const FRAMES_PER_STEP = 50

function isRnnoiseInstalled(): boolean {
  try {
    return existsSync(fileURLToPath(import.meta.resolve('@echogarden/rnnoise-wasm')))
  } catch {
    return false
  }
}

const load = async () => {
  if (!isRnnoiseInstalled()) throw new Failure('MODEL_NOT_INSTALLED', 'RNNoise is missing. Install the packages of this program again.')
  const { default: open } = await import('@echogarden/rnnoise-wasm')
  return await open()
}

function createRnnoise(): EngineParts {
  let loading: ReturnType<typeof load> | null = null
  const loaded = () => {
    loading ??= load()
    return loading
  }

  async function* run(params: DenoiseParams, { signal, inputs }: RunContext): AsyncGenerator<EngineEvent> {
    const rate = params.sample_rate ?? RNNOISE_SAMPLE_RATE
    const { samples, sampleRate, seconds } = readAudio(inputs)
    const rnnoise = await loaded()
    const resampled = await resample(samples, sampleRate, RNNOISE_SAMPLE_RATE, signal)
    const clean = new Float32Array(resampled.length)
    let done = 0
    let frames = 0
    let sent = 0
    let total = 0
    for (const frame of denoisedFrames(rnnoise, resampled)) {
      clean.set(frame, done)
      done += frame.length
      if (++frames % FRAMES_PER_STEP !== 0) continue
      if (rate === RNNOISE_SAMPLE_RATE) {
        yield { kind: 'audio', part: 0, samples: clean.subarray(sent, done) }
        sent = done
      }
      yield { kind: 'progress', progress: (0.99 * done) / resampled.length, stage: 'cleaning' }
      await nextTurn()
      signal.throwIfAborted()
    }
    // Resample the whole recording: a resampler that restarts with each piece would click at the borders.
    const rest = rate === RNNOISE_SAMPLE_RATE ? clean.subarray(sent) : await resample(clean, RNNOISE_SAMPLE_RATE, rate, signal)
    total = sent + rest.length
    if (rest.length > 0) yield { kind: 'audio', part: 0, samples: rest }
    yield { kind: 'progress', progress: 1, stage: 'cleaning' }
    yield { kind: 'result', result: { sample_rate: rate, parts: [{ samples: total }], duration: seconds } }
  }

  return {
    describe,
    load: async () => void (await loaded()),
    operations: { denoise: withParams(DenoiseParams, run) },
    unload: async () => {
      loading = null
    },
  }
}

export const rnnoise = defineEngine({ id: ID, maxBlockSeconds: 10, verification: RNNOISE_VERIFICATION, create: createRnnoise })

function describe(): Capability[] {
  const installed = isRnnoiseInstalled()
  return [
    capability({
      engine: ID,
      operation: 'denoise',
      implementation: 'rnnoise',
      languages: ['*'],
      installed,
      downloaded: installed,
      sampleRate: RNNOISE_SAMPLE_RATE,
      permits: 3,
      modelDigest: RNNOISE_DIGEST,
      memoryBytes: MEMORY_BYTES,
      ...(!installed && { reason: 'The packages of this program are not complete. Install them again.' }),
    }),
  ]
}
