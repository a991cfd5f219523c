// All engines of the agent, which describes them. Their hosts load them by group: loaders.ts.
import { readdirSync } from 'node:fs'
import { openAiEndpoint } from '#agent/engine/asr/compat/engine.ts'
import type { EngineDefinition } from '#agent/engine/seam/define.ts'
import { sidecar } from '#agent/engine/sidecar/engine.ts'
import { DEVELOPMENT_ENGINE, ENGINE_LOADERS } from './loaders.ts'

const LOADED = await Promise.all(Object.values(ENGINE_LOADERS).map((load) => load()))
const DEFINITIONS = LOADED.filter(({ id }) => id !== DEVELOPMENT_ENGINE)

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
  const ofAgent = [
    ...DEFINITIONS,
    ...(sidecarFolder === '' ? [] : [openAiEndpoint(sidecarFolder)]),
    ...(development ? LOADED.filter(({ id }) => id === DEVELOPMENT_ENGINE) : []),
  ]
  const names = sidecarFolder === '' ? [] : sidecarNames(sidecarFolder)
  // A folder cannot take the place of an engine that is part of the agent.
  return [...ofAgent, ...names.filter((name) => !ofAgent.some(({ id }) => id === name)).map((name) => sidecar(name, sidecarFolder))]
}
