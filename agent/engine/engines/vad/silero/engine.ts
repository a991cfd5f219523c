// Voice activity detection with Silero, whose weights are part of the installed packages. The graph reads 32 ms at a time and carries a
// state from window to window.

import { existsSync } from 'node:fs'
import { setImmediate as turn } from 'node:timers/promises'
import { fileURLToPath } from 'node:url'
import { readAudioAt } from '#agent/engine/audio/audio-input.ts'
import {
  floatOutput,
  floats,
  type Graph,
  type GraphContract,
  type GraphFactory,
  longs,
  openGraph,
} from '#agent/engine/runtimes/onnx/session.ts'
import { defineEngine, type EngineParts, type RunContext, withParams } from '#agent/engine/seam/define.ts'
import { type Capability, capability, type EngineEvent } from '#agent/engine/seam/engine.ts'
import { VadParams } from '#shared/operations/vad.ts'
import { Failure } from '#shared/protocol/failure.ts'
import { toSpeechSegments } from './segments.ts'

const ID = 'silero'
export const SILERO_DIGEST = '1a153a22f4509e292a94e67d6f9b85e8deb25b4988682b7e174c65279d8788e3'
const SAMPLE_RATE = 16_000
/** A window of new samples, preceded by the end of the previous one. */
export const SILERO_WINDOW = 512
export const SILERO_CONTEXT = 64
const STATE = [2, 1, 128] as const
/** Windows between two yields to the event loop: about 100 ms of work on a slow core. */
const WINDOWS_PER_STEP = 200
const MEMORY_BYTES = 160 * 1024 ** 2

export const SILERO_CONTRACT: GraphContract = {
  inputs: [
    { name: 'input', type: 'float32', rank: 2 },
    { name: 'state', type: 'float32', rank: 3, dims: [2, null, 128] },
    { name: 'sr', type: 'int64', rank: 0 },
  ],
  outputs: [
    { name: 'output', type: 'float32', rank: 2 },
    { name: 'stateN', type: 'float32', rank: 3 },
  ],
}

const modelPath = (): string | null => {
  try {
    const file = fileURLToPath(import.meta.resolve('@ricky0123/vad-web/dist/silero_vad_v6.onnx'))
    return existsSync(file) ? file : null
  } catch {
    return null
  }
}

function createSilero(_deps: object, open: GraphFactory = openGraph): EngineParts {
  let opening: Promise<Graph> | null = null
  const load = (): Promise<Graph> => {
    const file = modelPath()
    if (!file) throw new Failure('MODEL_NOT_INSTALLED', 'The voice detector is missing. Install the packages of this program again.')
    opening ??= open(file, { device: 'cpu', threads: 1, contract: SILERO_CONTRACT }).catch((error) => {
      opening = null
      throw error
    })
    return opening
  }

  async function* run(params: VadParams, { signal, inputs }: RunContext): AsyncGenerator<EngineEvent> {
    const { samples, seconds } = await readAudioAt(SAMPLE_RATE, inputs, signal)
    const graph = await load()
    const probabilities = new Float32Array(Math.ceil(samples.length / SILERO_WINDOW))
    let state = floats(new Float32Array(2 * 128), STATE)
    const rate = longs([SAMPLE_RATE], [])
    for (let at = 0; at < probabilities.length; at++) {
      const window = new Float32Array(SILERO_CONTEXT + SILERO_WINDOW)
      const from = at * SILERO_WINDOW - SILERO_CONTEXT
      window.set(samples.subarray(Math.max(0, from), at * SILERO_WINDOW + SILERO_WINDOW), Math.max(0, -from))
      const outputs = await graph.run({ input: floats(window, [1, SILERO_CONTEXT + SILERO_WINDOW]), state, sr: rate })
      const probability = floatOutput(outputs, 'output')[0]!
      if (!Number.isFinite(probability)) throw new Failure('NON_FINITE_OUTPUT', 'The voice detector returned a value that is not a number.')
      probabilities[at] = probability
      state = outputs['stateN']!
      if (at % WINDOWS_PER_STEP === WINDOWS_PER_STEP - 1) {
        yield { kind: 'progress', progress: (at + 1) / probabilities.length, stage: 'listening' }
        await turn()
        signal.throwIfAborted()
      }
    }
    const segments = toSpeechSegments(probabilities, SILERO_WINDOW / SAMPLE_RATE, seconds, {
      threshold: params.threshold,
      silenceThreshold: params.silence_threshold ?? Math.max(0.01, params.threshold - 0.15),
      minSpeechMs: params.min_speech_ms,
      minSilenceMs: params.min_silence_ms,
      padMs: params.pad_ms,
    })
    yield { kind: 'progress', progress: 1, stage: 'listening' }
    yield { kind: 'result', result: { segments, duration: seconds } }
  }

  return {
    describe,
    load: async () => void (await load()),
    operations: { vad: withParams(VadParams, run) },
    async unload() {
      const closing = opening
      opening = null
      await (await closing?.catch(() => null))?.close()
    },
  }
}

export const silero = defineEngine({ id: ID, maxBlockSeconds: 10, create: createSilero })

function describe(): Capability[] {
  const installed = modelPath() !== null
  return [
    capability({
      engine: ID,
      operation: 'vad',
      implementation: 'silero-vad-v6',
      languages: ['*'],
      installed,
      downloaded: installed,
      sampleRate: SAMPLE_RATE,
      permits: 2,
      modelDigest: SILERO_DIGEST,
      memoryBytes: MEMORY_BYTES,
      ...(!installed && { reason: 'The packages of this program are not complete. Install them again.' }),
    }),
  ]
}
