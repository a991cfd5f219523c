// Loads the engines of the agent. A host loads the engines of its group alone, which takes half of the time of all. A new engine is one
// line here, its folder, its row in the table of engines and its row in the conformance suite.

import type { EngineDefinition } from '#agent/engine/seam/define.ts'
import { type EngineId, engineRow } from '#shared/engines.ts'

/** The deterministic test voice, which can be made to misbehave and must not exist on a lent machine. */
export const DEVELOPMENT_ENGINE = 'tone'

/** In the order of the catalogue. */
export const ENGINE_LOADERS: Readonly<Partial<Record<EngineId, () => Promise<EngineDefinition>>>> = {
  'svc-engine': async () => (await import('#agent/engine/tts/svc-engine.ts')).svcEngine,
  silero: async () => (await import('#agent/engine/vad/silero/engine.ts')).silero,
  rnnoise: async () => (await import('#agent/engine/denoise/rnnoise/engine.ts')).rnnoise,
  pocketsphinx: async () => (await import('#agent/engine/asr/pocketsphinx/engine.ts')).pocketsphinx,
  supertonic3: async () => (await import('#agent/engine/tts/supertonic/engine.ts')).supertonic,
  kokoro: async () => (await import('#agent/engine/tts/kokoro/engine.ts')).kokoro,
  kittentts: async () => (await import('#agent/engine/tts/kittentts/engine.ts')).kittenTts,
  'moss-tts-nano': async () => (await import('#agent/engine/tts/moss/engine.ts')).mossTtsNano,
  pockettts: async () => (await import('#agent/engine/tts/pockettts/engine.ts')).pocketTts,
  flite: async () => (await import('#agent/engine/tts/flite/engine.ts')).flite,
  piper: async () => (await import('#agent/engine/tts/piper/engine.ts')).piper,
  'sherpa-onnx': async () => (await import('#agent/engine/tts/piper/engine.ts')).sherpaVoices,
  heart: async () => (await import('#agent/engine/tts/heart/engine.ts')).heart,
  'espeak-ng': async () => (await import('#agent/engine/tts/espeak/engine.ts')).espeakNg,
  apertium: async () => (await import('#agent/engine/translate/apertium/engine.ts')).apertium,
  'faster-whisper': async () => (await import('#agent/engine/asr/whisper/engine.ts')).fasterWhisper,
  whisperx: async () => (await import('#agent/engine/asr/whisper/engine.ts')).whisperX,
  'sherpa-onnx-asr': async () => (await import('#agent/engine/asr/sherpa/engine.ts')).sherpaOnnx,
  'nemo-parakeet': async () => (await import('#agent/engine/asr/sherpa/engine.ts')).nemoParakeet,
  moonshine: async () => (await import('#agent/engine/asr/moonshine/engine.ts')).moonshine,
  'sherpa-onnx-lid': async () => (await import('#agent/engine/identify/whisper/engine.ts')).languageIdentifier,
  pyannote: async () => (await import('#agent/engine/diarize/pyannote/engine.ts')).pyannote,
  'opus-mt': async () => (await import('#agent/engine/translate/neural/engine.ts')).opusMt,
  m2m100: async () => (await import('#agent/engine/translate/neural/engine.ts')).m2m100,
  'mdx-net': async () => (await import('#agent/engine/separate/mdx/engine.ts')).mdxNet,
  htdemucs: async () => (await import('#agent/engine/separate/htdemucs/engine.ts')).htdemucs,
  tone: async () => (await import('#agent/engine/tts/tone/engine.ts')).tone,
}

/** The engines of one host. `sidecarFolder`: of the installed sidecars and the recognition endpoint; '' for neither. */
export async function enginesOfGroup(group: string, development: boolean, sidecarFolder: string): Promise<readonly EngineDefinition[]> {
  const loaders = Object.entries(ENGINE_LOADERS).filter(([id]) => engineRow(id)?.group === group)
  if (loaders.length > 0) return Promise.all(loaders.filter(([id]) => development || id !== DEVELOPMENT_ENGINE).map(([, load]) => load()))
  // An engine outside of the table.
  const { catalog } = await import('./catalog.ts')
  return catalog(development, sidecarFolder).filter((row) => row.group === group)
}
