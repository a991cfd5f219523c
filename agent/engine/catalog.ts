// The one list of engines. Adding an engine is adding a row here and a line in the conformance suite.
import type { Clock } from '#shared/runtime/clock.ts'
import type { Engine } from './engine.ts'
import { createFlite, FLITE_ENGINE } from './flite/engine.ts'
import { createPocketsphinx, POCKETSPHINX_ENGINE } from './pocketsphinx/engine.ts'
import { createTone, TONE_ENGINE } from './tone/engine.ts'

export type CatalogRow = {
  readonly engine: string
  /** Engines of one group share one host process. */
  readonly group: string
  /** The longest a single step of this engine may keep the host's main thread; beyond it the host counts as hung. */
  readonly maxBlockSeconds: number
  /** `path`: where programs of the machine are looked for, as PATH has it; only describe() needs it. */
  readonly create: (deps: { clock: Clock; path?: string }) => Engine
}

const ALWAYS: readonly CatalogRow[] = [
  { engine: FLITE_ENGINE, group: 'flite', maxBlockSeconds: 20, create: createFlite },
  { engine: POCKETSPHINX_ENGINE, group: 'pocketsphinx', maxBlockSeconds: 20, create: createPocketsphinx },
]
const DEVELOPMENT: readonly CatalogRow[] = [{ engine: TONE_ENGINE, group: 'tone', maxBlockSeconds: 5, create: createTone }]

/** `development` adds the deterministic test voice, which can be told to misbehave and must not exist on a lent machine. */
export const catalog = (development: boolean): readonly CatalogRow[] => (development ? [...ALWAYS, ...DEVELOPMENT] : ALWAYS)
