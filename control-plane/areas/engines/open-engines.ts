// Puts the parts about engines together, so that the root of the studio reads as a table of contents.
import { childEnvironment } from '#shared/runtime/environment.ts'
import { createDictation } from '../dictation/dictation.service.ts'
import { createEndpoint } from '../recognition/endpoint.service.ts'
import { createEngines } from './engines.service.ts'
import { createLoaded } from './loaded.service.ts'
import { createSidecars } from './sidecar.service.ts'

type EngineDeps = Parameters<typeof createEngines>[0]
type Deps = Omit<EngineDeps, 'lastErrors'> &
  Omit<Parameters<typeof createSidecars>[0], 'environment'> &
  Omit<Parameters<typeof createLoaded>[0], 'engines'> & { readonly environment: Readonly<Record<string, string>> }

export function openEngines(deps: Deps) {
  const sidecars = createSidecars({ ...deps, environment: childEnvironment(deps.environment) })
  const engines = createEngines({ ...deps, lastErrors: sidecars.lastErrors })
  const endpoint = createEndpoint(deps)
  return { engines, sidecars, endpoint, loaded: createLoaded({ ...deps, engines }), dictation: createDictation(deps) }
}
