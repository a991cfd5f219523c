import type { Synthesis } from '#control-plane/inference/synthesis.ts'
import type { createGenerate } from './generate.service.ts'
import type { createSpeech } from './speech.service.ts'
import type { Voicing } from './voice/voicing.ts'

export type SpeechApi = {
  /** Same as POST /v1/audio/speech, with the same failures: sound during the synthesis, and nothing is stored. */
  readonly speak: ReturnType<typeof createSpeech>['speak']
  /** Runs a synthesis by the public name of a model, where the owner chose that speech runs. */
  readonly synthesis: Pick<Synthesis, 'start' | 'stream' | 'choiceOf' | 'engineOf' | 'mayBorrow' | 'sampleRateOf'>
  /** The voice that a request names, as every speech request resolves it. */
  readonly voicing: Voicing
  /** The model names that can speak now. */
  readonly models: () => string[]
  /** A take for the history, as POST /generate makes one, with its failures. `report`: receives the progress of its task; null for none. */
  readonly take: ReturnType<typeof createGenerate>['take']
}

declare module '#control-plane/kernel/define.ts' {
  interface AreaApis {
    readonly speech: SpeechApi
  }
}
