// Loads an engine on the local agent by running the shortest possible task: a word for speech, half a second of silence for recognition.

import type { Inference } from '#control-plane/inference/run.ts'
import { LOCAL } from '#control-plane/workers/worker.store.ts'
import { wavHeader } from '#shared/audio/wav.ts'
import type { EngineFamily } from '#shared/engines.ts'

const WITHIN_MS = 10 * 60_000
const RATE = 16_000
const SILENCE_SECONDS = 0.5

function silence(): Uint8Array {
  const samples = RATE * SILENCE_SECONDS
  return Buffer.concat([wavHeader({ sampleRate: RATE, channels: 1, samples }), Buffer.alloc(2 * samples)])
}

/** Resolves when the task succeeds. Rejects with the failure of the task. `selected`: the speech engine without `engine`. */
export function createWarmUp(
  inference: Pick<Inference, 'run' | 'keepInput'>,
  { selected, familyOf }: { readonly selected: () => string; readonly familyOf: (engine: string) => EngineFamily | null },
) {
  return async (engine = selected()): Promise<void> => {
    const place = { engine, target: LOCAL, withinMs: WITHIN_MS, ephemeral: true, traceparent: '' } as const
    const signal = AbortSignal.timeout(WITHIN_MS)
    if (familyOf(engine) === 'asr') {
      const params = { language: null, prompt: null, temperature: null, words: false }
      const inputs = [await inference.keepInput('audio', silence())]
      await inference.run({ ...place, operation: 'asr', params, inputs, seconds: SILENCE_SECONDS }, signal)
      return
    }
    const params = { voice: null, segments: [{ text: 'Ready.', seed: 0, pause_after_ms: 0 }] }
    await inference.run({ ...place, operation: 'tts', params }, signal)
  }
}
