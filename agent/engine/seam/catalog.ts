// The engines of the agent. A new engine is one line here, its folder, its row in the table of engines and its row in the conformance
// suite.
import { readdirSync } from 'node:fs'
import { openAiEndpoint } from '../engines/asr/compat/engine.ts'
import { moonshine } from '../engines/asr/moonshine/engine.ts'
import { pocketsphinx } from '../engines/asr/pocketsphinx/engine.ts'
import { nemoParakeet, sherpaOnnx } from '../engines/asr/sherpa/engine.ts'
import { fasterWhisper, whisperX } from '../engines/asr/whisper/engine.ts'
import { rnnoise } from '../engines/denoise/rnnoise/engine.ts'
import { pyannote } from '../engines/diarize/pyannote/engine.ts'
import { languageIdentifier } from '../engines/identify/whisper/engine.ts'
import { htdemucs } from '../engines/separate/htdemucs/engine.ts'
import { mdxNet } from '../engines/separate/mdx/engine.ts'
import { sidecar } from '../engines/sidecar/engine.ts'
import { apertium } from '../engines/translate/apertium/engine.ts'
import { m2m100, opusMt } from '../engines/translate/neural/engine.ts'
import { espeakNg } from '../engines/tts/espeak/engine.ts'
import { kittenTts } from '../engines/tts/kittentts/engine.ts'
import { kokoro } from '../engines/tts/kokoro/engine.ts'
import { mossTtsNano } from '../engines/tts/moss/engine.ts'
import { pocketTts } from '../engines/tts/pockettts/engine.ts'
import { supertonic } from '../engines/tts/supertonic/engine.ts'
import { svcEngine } from '../engines/tts/svc-engine.ts'
import { tone } from '../engines/tts/tone/engine.ts'
import { silero } from '../engines/vad/silero/engine.ts'
import type { EngineDefinition } from './define.ts'

const DEFINITIONS: readonly EngineDefinition[] = [
  svcEngine,
  silero,
  rnnoise,
  pocketsphinx,
  supertonic,
  kokoro,
  kittenTts,
  mossTtsNano,
  pocketTts,
  espeakNg,
  apertium,
  fasterWhisper,
  whisperX,
  sherpaOnnx,
  nemoParakeet,
  moonshine,
  languageIdentifier,
  pyannote,
  opusMt,
  m2m100,
  mdxNet,
  htdemucs,
]
/** The deterministic test voice, which can be made to misbehave and must not exist on a lent machine. */
const DEVELOPMENT: readonly EngineDefinition[] = [tone]

/** Every engine that may have files of `engine` open, itself included. */
export const readersOf = (engine: string): string[] => [
  engine,
  ...DEFINITIONS.flatMap(({ id, readsFilesOf }) => (readsFilesOf === engine ? [id] : [])),
]

function sidecarNames(folder: string): string[] {
  try {
    return readdirSync(folder).filter((name) => /^[a-z0-9][a-z0-9._-]{0,63}$/.test(name))
  } catch {
    return [] // the folder is created with the first sidecar
  }
}

/** The engines that exist now. `sidecarFolder`: of the installed sidecars and the recognition endpoint; '' for neither. */
export function catalog(development: boolean, sidecarFolder = ''): readonly EngineDefinition[] {
  const ofAgent = [...DEFINITIONS, ...(sidecarFolder === '' ? [] : [openAiEndpoint(sidecarFolder)]), ...(development ? DEVELOPMENT : [])]
  const names = sidecarFolder === '' ? [] : sidecarNames(sidecarFolder)
  // A folder cannot take the place of an engine that is part of the agent.
  return [...ofAgent, ...names.filter((name) => !ofAgent.some(({ id }) => id === name)).map((name) => sidecar(name, sidecarFolder))]
}
