// The one list of engines. Adding an engine is adding a row here and a line in the conformance suite.
import type { Clock } from '#shared/runtime/clock.ts'
import { ABSENT, createAbsent } from './absent.ts'
import { APERTIUM_ENGINE, createApertium } from './apertium/engine.ts'
import type { Engine } from './engine.ts'
import { createEspeak, ESPEAK_ENGINE } from './espeak/engine.ts'
import { createFlite, FLITE_ENGINE } from './flite/engine.ts'
import { createRnnoise, RNNOISE_ENGINE } from './rnnoise/engine.ts'
import { createSilero, SILERO_ENGINE } from './silero/engine.ts'
import { createTone, TONE_ENGINE } from './tone/engine.ts'
import { createTranslation, M2M_ENGINE, OPUS_ENGINE } from './transformers/translation.ts'
import { createWhisper, WHISPER_ENGINES } from './transformers/whisper.ts'

/** The files of a downloaded model by their names in its manifest; null: not downloaded. */
export type FilesOf = (engine: string, model: string) => ReadonlyMap<string, string> | null
export const NO_FILES: FilesOf = () => null
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
}

const ALWAYS: readonly CatalogRow[] = [
  { engine: FLITE_ENGINE, group: 'flite', maxBlockSeconds: 20, create: createFlite },
  { engine: SILERO_ENGINE, group: 'silero', maxBlockSeconds: 10, create: createSilero },
  { engine: RNNOISE_ENGINE, group: 'rnnoise', maxBlockSeconds: 10, create: createRnnoise },
  { engine: ESPEAK_ENGINE, group: 'espeak-ng', maxBlockSeconds: 10, create: createEspeak },
  { engine: APERTIUM_ENGINE, group: 'apertium', maxBlockSeconds: 10, create: createApertium },
  ...Object.values(WHISPER_ENGINES).map((engine) => ({
    engine,
    group: 'whisper',
    maxBlockSeconds: 60,
    create: (deps: EngineDeps) => createWhisper(engine, deps),
  })),
  ...[OPUS_ENGINE, M2M_ENGINE].map((engine) => ({
    engine,
    group: 'translation',
    maxBlockSeconds: 60,
    create: (deps: EngineDeps) => createTranslation(engine, deps),
  })),
  ...ABSENT.map((row) => ({ engine: row.engine, group: 'absent', maxBlockSeconds: 10, create: () => createAbsent(row) })),
]
const DEVELOPMENT: readonly CatalogRow[] = [{ engine: TONE_ENGINE, group: 'tone', maxBlockSeconds: 5, create: createTone }]

/** `development` adds the deterministic test voice, which can be told to misbehave and must not exist on a lent machine. */
export const catalog = (development: boolean): readonly CatalogRow[] => (development ? [...ALWAYS, ...DEVELOPMENT] : ALWAYS)
