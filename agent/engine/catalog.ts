// The one list of engines. Adding an engine is adding a row here and a line in the conformance suite.
import { readdirSync } from 'node:fs'
import type { Clock } from '#shared/runtime/clock.ts'
import type { Engine } from './engine.ts'
import { createFlite, FLITE_ENGINE } from './flite/engine.ts'
import { createSidecar } from './sidecar/engine.ts'
import { createTone, TONE_ENGINE } from './tone/engine.ts'

export type CatalogRow = {
  readonly engine: string
  /** Engines of one group share one host process. */
  readonly group: string
  /** The longest a single step of this engine may keep the host's main thread; beyond it the host counts as hung. */
  readonly maxBlockSeconds: number
  readonly create: (deps: { clock: Clock }) => Engine
}

const ALWAYS: readonly CatalogRow[] = [{ engine: FLITE_ENGINE, group: 'flite', maxBlockSeconds: 20, create: createFlite }]
const DEVELOPMENT: readonly CatalogRow[] = [{ engine: TONE_ENGINE, group: 'tone', maxBlockSeconds: 5, create: createTone }]

/** Every sidecar that is installed now; '' where none may be. */
const sidecars = (folder: string): CatalogRow[] =>
  namesIn(folder).flatMap((engine) => {
    const create = ({ clock }: { clock: Clock }) => createSidecar({ engine, folder, clock })
    return { engine, group: `sidecar-${engine}`, maxBlockSeconds: 20, create }
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
  const own = development ? [...ALWAYS, ...DEVELOPMENT] : ALWAYS
  // A folder cannot take the place of an engine that is part of the agent.
  return [...own, ...sidecars(sidecarFolder).filter(({ engine }) => !own.some((row) => row.engine === engine))]
}
