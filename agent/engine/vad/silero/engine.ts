// Voice activity detection with Silero, whose weights are part of this program (assets/).

import { readAudioAt } from '#agent/engine/audio/audio-input.ts'
import { type GraphFactory, openGraph } from '#agent/engine/runtimes/onnx/session.ts'
import { defineEngine, type EngineParts, type RunContext, withParams } from '#agent/engine/seam/define.ts'
import { type Capability, capability, type EngineEvent } from '#agent/engine/seam/engine.ts'
import { openOnce } from '#agent/engine/seam/opening.ts'
import { VadParams } from '#shared/operations/vad.ts'
import { openVoiceDetector, SILERO_DIGEST, SILERO_SAMPLE_RATE, SILERO_WINDOW, sileroFile } from './network.ts'
import { toSpeechSegments } from './segments.ts'
import { SILERO_VERIFICATION } from './verification.ts'

const ID = 'silero'
const MEMORY_BYTES = 160 * 1024 ** 2

function createSilero(_deps: object, open: GraphFactory = openGraph): EngineParts {
  const opening = openOnce(
    () => openVoiceDetector(open),
    (detector) => detector.close(),
  )

  async function* run(params: VadParams, { signal, inputs }: RunContext): AsyncGenerator<EngineEvent> {
    const { samples, seconds } = await readAudioAt(SILERO_SAMPLE_RATE, inputs, signal)
    const detector = await opening.load()
    const windows = detector.probabilities(samples, signal)
    let step = await windows.next()
    for (; !step.done; step = await windows.next()) yield { kind: 'progress', progress: step.value, stage: 'listening' }
    const probabilities = step.value
    const segments = toSpeechSegments(probabilities, SILERO_WINDOW / SILERO_SAMPLE_RATE, seconds, {
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
    load: async () => void (await opening.load()),
    operations: { vad: withParams(VadParams, run) },
    unload: opening.unload,
  }
}

export const silero = defineEngine({ id: ID, maxBlockSeconds: 10, verification: SILERO_VERIFICATION, create: createSilero })

function describe(): Capability[] {
  const installed = sileroFile() !== null
  return [
    capability({
      engine: ID,
      operation: 'vad',
      implementation: 'silero-vad-v6',
      languages: ['*'],
      installed,
      downloaded: installed,
      sampleRate: SILERO_SAMPLE_RATE,
      permits: 3,
      modelDigest: SILERO_DIGEST,
      memoryBytes: MEMORY_BYTES,
      ...(!installed && { reason: 'The weights of the voice detector are missing. Install this program again.' }),
    }),
  ]
}
