// The one list of engines. Adding an engine is adding a row here and a line in the conformance suite.
import type { Clock } from '#shared/runtime/clock.ts'
import type { FilesOf } from '../models/manifest.ts'
import type { Engine } from './engine.ts'
import { createFlite, FLITE_ENGINE } from './flite/engine.ts'
import { createTone, TONE_ENGINE } from './tone/engine.ts'

export type CatalogRow = {
  readonly engine: string
  /** Engines of one group share one host process. */
  readonly group: string
  /** The longest a single step of this engine may keep the host's main thread; beyond it the host counts as hung. */
  readonly maxBlockSeconds: number
  /** `filesOf`: where the files of a downloaded model lie; see ../models/manifest.ts. */
  readonly create: (deps: { clock: Clock; filesOf: FilesOf }) => Engine
}

const ALWAYS: readonly CatalogRow[] = [{ engine: FLITE_ENGINE, group: 'flite', maxBlockSeconds: 20, create: createFlite }]
const DEVELOPMENT: readonly CatalogRow[] = [{ engine: TONE_ENGINE, group: 'tone', maxBlockSeconds: 5, create: createTone }]

/** `development` adds the deterministic test voice, which can be told to misbehave and must not exist on a lent machine. */
export const catalog = (development: boolean): readonly CatalogRow[] => (development ? [...ALWAYS, ...DEVELOPMENT] : ALWAYS)
