// The one list of engines. Adding an engine is adding a row here and a line in the conformance suite.
import { readdirSync } from 'node:fs'
import type { Clock } from '#shared/runtime/clock.ts'
import { readEndpoint } from '#shared/sidecar/endpoint.ts'
import { type FilesOf, noFiles } from '../../models/manifest.ts'
import { COMPAT_ENGINE, createCompat } from '../engines/asr/compat/engine.ts'
import { createMoonshine, MOONSHINE_ENGINE } from '../engines/asr/moonshine/engine.ts'
import { createPocketsphinx, POCKETSPHINX_ENGINE } from '../engines/asr/pocketsphinx/engine.ts'
import { createParakeet, createSherpa, PARAKEET_ENGINE } from '../engines/asr/sherpa/engine.ts'
import { createWhisper, WHISPER_ENGINES } from '../engines/asr/whisper/engine.ts'
import { createRnnoise, RNNOISE_ENGINE } from '../engines/denoise/rnnoise/engine.ts'
import { createPyannote, PYANNOTE_ENGINE } from '../engines/diarize/pyannote/engine.ts'
import { createIdentifier, LID_ENGINE } from '../engines/identify/whisper/engine.ts'
import { createHtdemucs, HTDEMUCS_ENGINE } from '../engines/separate/htdemucs/engine.ts'
import { createMdx, MDX_ENGINE } from '../engines/separate/mdx/engine.ts'
import { createSidecar } from '../engines/sidecar/engine.ts'
import { APERTIUM_ENGINE, createApertium } from '../engines/translate/apertium/engine.ts'
import { createTranslation, M2M_ENGINE, OPUS_ENGINE } from '../engines/translate/neural/engine.ts'
import { createEspeak, ESPEAK_ENGINE } from '../engines/tts/espeak/engine.ts'
import { createFlite } from '../engines/tts/flite/engine.ts'
import { createKitten, KITTEN_ENGINE } from '../engines/tts/kittentts/engine.ts'
import { createKokoro, KOKORO_ENGINE } from '../engines/tts/kokoro/engine.ts'
import { createMoss, MOSS_ENGINE } from '../engines/tts/moss/engine.ts'
import { createOmniVoice, OMNIVOICE_ENGINE } from '../engines/tts/omnivoice/engine.ts'
import { createPocket, POCKET_ENGINE } from '../engines/tts/pockettts/engine.ts'
import { createSupertonic, SUPERTONIC_ENGINE } from '../engines/tts/supertonic/engine.ts'
import { createTone, TONE_ENGINE } from '../engines/tts/tone/engine.ts'
import { createSilero, SILERO_ENGINE } from '../engines/vad/silero/engine.ts'
import { SHERPA_ENGINE } from '../runtimes/sherpa/models.ts'
import { createRecogniserCache } from '../runtimes/sherpa/recogniser-cache.ts'
import type { Engine } from './engine.ts'
import { realOrSubstitute } from './real-or-substitute.ts'

export type { FilesOf }
export const NO_FILES: FilesOf = noFiles
export type EngineDeps = {
  readonly clock: Clock
  /** Where describe() looks for programs. In a host it is '': what runs there finds them through the environment it was given. */
  readonly path: string
  readonly filesOf: FilesOf
}
export type CatalogRow = {
  readonly engine: string
  /** Engines of one group share one host process. */
  readonly group: string
  /** The longest a single step of this engine may keep the host's main thread; beyond it the host counts as hung. */
  readonly maxBlockSeconds: number
  readonly create: (deps: EngineDeps) => Engine
  /** The studio of this machine may change it while the agent runs: it is looked at anew for every description. */
  readonly changes?: true
  /** Whose downloaded files it reads, where they are not its own. */
  readonly readsFilesOf?: string
}

/** Of the two engines of one host: a model that both can run is in its memory once. */
const RECOGNISER_CACHE = createRecogniserCache()

const ALWAYS: readonly CatalogRow[] = [
  {
    engine: OMNIVOICE_ENGINE,
    group: OMNIVOICE_ENGINE,
    // A step of the real engine on a slow processor.
    maxBlockSeconds: 120,
    create: (deps) => realOrSubstitute(createOmniVoice(deps), createFlite()),
  },
  { engine: SILERO_ENGINE, group: 'silero', maxBlockSeconds: 10, create: createSilero },
  { engine: RNNOISE_ENGINE, group: 'rnnoise', maxBlockSeconds: 10, create: createRnnoise },
  { engine: POCKETSPHINX_ENGINE, group: 'pocketsphinx', maxBlockSeconds: 20, create: createPocketsphinx },
  // A graph is opened, and a piece is spoken, in one step each; on a slow machine without a cache in memory that is many seconds.
  { engine: SUPERTONIC_ENGINE, group: 'supertonic', maxBlockSeconds: 90, create: createSupertonic },
  { engine: KOKORO_ENGINE, group: 'kokoro', maxBlockSeconds: 90, create: createKokoro },
  { engine: KITTEN_ENGINE, group: 'kittentts', maxBlockSeconds: 90, create: createKitten },
  { engine: MOSS_ENGINE, group: 'moss-tts-nano', maxBlockSeconds: 90, create: createMoss },
  { engine: POCKET_ENGINE, group: 'pockettts', maxBlockSeconds: 90, create: createPocket },
  { engine: ESPEAK_ENGINE, group: 'espeak-ng', maxBlockSeconds: 10, create: createEspeak },
  { engine: APERTIUM_ENGINE, group: 'apertium', maxBlockSeconds: 10, create: createApertium },
  ...Object.values(WHISPER_ENGINES).map((engine) => ({
    engine,
    group: 'whisper',
    maxBlockSeconds: 60,
    create: (deps: EngineDeps) => createWhisper(engine, deps),
  })),
  // Opening a streaming model, and a step of it, hold the main thread.
  { engine: SHERPA_ENGINE, group: 'sherpa', maxBlockSeconds: 60, create: (deps) => createSherpa(deps, RECOGNISER_CACHE) },
  {
    engine: PARAKEET_ENGINE,
    group: 'sherpa',
    maxBlockSeconds: 60,
    create: (deps) => createParakeet(deps, RECOGNISER_CACHE),
    readsFilesOf: SHERPA_ENGINE,
  },
  // A host of its own: what is measured and given back is a whole host, and beside a large Whisper this small one would count as that.
  { engine: MOONSHINE_ENGINE, group: 'moonshine', maxBlockSeconds: 60, create: createMoonshine },
  // A host of its own: it is held by every run, and one that is cancelled must not cost the recogniser its model.
  { engine: LID_ENGINE, group: 'language-identification', maxBlockSeconds: 60, create: createIdentifier, readsFilesOf: SHERPA_ENGINE },
  // A group of its own: a run that is cancelled in the middle costs its host.
  { engine: PYANNOTE_ENGINE, group: 'diarization', maxBlockSeconds: 60, create: createPyannote },
  ...[OPUS_ENGINE, M2M_ENGINE].map((engine) => ({
    engine,
    group: 'translation',
    maxBlockSeconds: 60,
    create: (deps: EngineDeps) => createTranslation(engine, deps),
  })),
  // A chunk of six seconds is one step, on a slow processor without a cache many seconds.
  { engine: MDX_ENGINE, group: 'mdx-net', maxBlockSeconds: 90, create: createMdx },
  // A window of eight seconds is one step of a far larger network.
  { engine: HTDEMUCS_ENGINE, group: 'htdemucs', maxBlockSeconds: 240, create: createHtdemucs },
]
/** Every engine that may have files of this one open. */
export const readersOf = (engine: string): string[] => [
  engine,
  ...ALWAYS.flatMap((row) => (row.readsFilesOf === engine ? [row.engine] : [])),
]
const DEVELOPMENT: readonly CatalogRow[] = [{ engine: TONE_ENGINE, group: 'tone', maxBlockSeconds: 5, create: createTone }]

/** The server that the owner has named, beside the sidecars. */
const endpoint = (folder: string): CatalogRow => ({
  engine: COMPAT_ENGINE,
  group: 'endpoint',
  maxBlockSeconds: 10,
  create: () => createCompat(() => readEndpoint(folder)),
  changes: true,
})

/** Every sidecar that is installed now; '' where none may be. */
const sidecars = (folder: string): CatalogRow[] =>
  namesIn(folder).flatMap((engine) => {
    const create = ({ clock }: { clock: Clock }) => createSidecar({ engine, folder, clock })
    return { engine, group: `sidecar-${engine}`, maxBlockSeconds: 20, create, changes: true }
  })

function namesIn(folder: string): string[] {
  try {
    return folder === '' ? [] : readdirSync(folder).filter((name) => /^[a-z0-9][a-z0-9._-]{0,63}$/.test(name))
  } catch {
    return [] // nobody has installed one yet
  }
}

/** `development` adds the deterministic test voice, which can be told to misbehave and must not exist on a lent machine. */
export function catalog(development: boolean, sidecarFolder = ''): readonly CatalogRow[] {
  const owned = sidecarFolder === '' ? [] : [endpoint(sidecarFolder)]
  const own = [...ALWAYS, ...owned, ...(development ? DEVELOPMENT : [])]
  // A folder cannot take the place of an engine that is part of the agent.
  return [...own, ...sidecars(sidecarFolder).filter(({ engine }) => !own.some((row) => row.engine === engine))]
}
