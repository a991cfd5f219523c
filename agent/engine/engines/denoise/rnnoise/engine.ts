// Noise taken out of a recording of speech: RNNoise over WebAssembly, whose weights come with the packages of this program. It cleans; it does
// not separate a voice from music.

import { existsSync } from 'node:fs'
import { setImmediate as turn } from 'node:timers/promises'
import { fileURLToPath } from 'node:url'
import { readAudio } from '#agent/engine/audio/audio-input.ts'
import { resample } from '#agent/engine/audio/resample.ts'
import { defineEngine, type EngineParts, type RunContext, withParams } from '#agent/engine/seam/define.ts'
import { type Capability, capability, type EngineEvent } from '#agent/engine/seam/engine.ts'
import { DenoiseParams } from '#shared/operations/denoise.ts'
import { Failure } from '#shared/protocol/failure.ts'
import { denoisedFrames, RNNOISE_SAMPLE_RATE } from './frames.ts'

const ID = 'rnnoise'
export const RNNOISE_DIGEST = '6b4d53ac61b7301fa150020fe529151700726b38d5954552ec043e22e93dada2'
const MEMORY_BYTES = 128 * 1024 ** 2
/** Frames between two turns of the event loop: half a second of sound. */
const STRIDE = 50

function isInstalled(): boolean {
  try {
    return existsSync(fileURLToPath(import.meta.resolve('@echogarden/rnnoise-wasm')))
  } catch {
    return false
  }
}

const load = async () => {
  if (!isInstalled()) throw new Failure('MODEL_NOT_INSTALLED', 'RNNoise is missing: install the packages of this program again')
  const { default: open } = await import('@echogarden/rnnoise-wasm')
  return await open()
}

function createRnnoise(): EngineParts {
  let loading: ReturnType<typeof load> | null = null
  const loaded = () => {
    loading ??= load()
    return loading
  }

  async function* run(wanted: DenoiseParams, { signal, inputs }: RunContext): AsyncGenerator<EngineEvent> {
    const rate = wanted.sample_rate ?? RNNOISE_SAMPLE_RATE
    const { samples, sampleRate, seconds } = readAudio(inputs)
    const rnnoise = await loaded()
    const given = await resample(samples, sampleRate, RNNOISE_SAMPLE_RATE, signal)
    const clean = new Float32Array(given.length)
    let made = 0
    let frames = 0
    let sent = 0
    let total = 0
    for (const frame of denoisedFrames(rnnoise, given)) {
      clean.set(frame, made)
      made += frame.length
      if (++frames % STRIDE !== 0) continue
      if (rate === RNNOISE_SAMPLE_RATE) {
        yield { kind: 'audio', part: 0, samples: clean.subarray(sent, made) }
        sent = made
      }
      yield { kind: 'progress', progress: (0.99 * made) / given.length, stage: 'cleaning' }
      await turn()
      signal.throwIfAborted()
    }
    // Another rate is made of the whole: a resampler that begins anew with each piece would click where they meet.
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

export const rnnoise = defineEngine({ id: ID, maxBlockSeconds: 10, create: createRnnoise })

function describe(): Capability[] {
  const installed = isInstalled()
  return [
    capability({
      engine: ID,
      operation: 'denoise',
      implementation: 'rnnoise',
      languages: ['*'],
      installed,
      downloaded: installed,
      sampleRate: RNNOISE_SAMPLE_RATE,
      permits: 2,
      modelDigest: RNNOISE_DIGEST,
      memoryBytes: MEMORY_BYTES,
      ...(!installed && { reason: 'The packages of this program are not complete: install them again.' }),
    }),
  ]
}
