// Puts the parts about engines together, so that the root of the studio reads as a table of contents.
import { createDictation } from '../dictation/dictation.service.ts'
import { createEngines } from './engines.service.ts'
import { createLoaded } from './loaded.service.ts'
import { createSidecars } from './sidecar.service.ts'

type EngineDeps = Parameters<typeof createEngines>[0]
type Deps = Omit<EngineDeps, 'lastErrors'> &
  Omit<Parameters<typeof createSidecars>[0], 'environment'> &
  Omit<Parameters<typeof createLoaded>[0], 'engines'> & { readonly environment: Readonly<Record<string, string>> }

/** What a sidecar's installer and its program may see of the environment. */
const PASSED_ON = ['PATH', 'HOME', 'LANG', 'TMPDIR', 'VOICE_STUDIO_TEST_RUN']

export function openEngines(deps: Deps) {
  const environment = Object.fromEntries(Object.entries(deps.environment).filter(([name]) => PASSED_ON.includes(name)))
  const sidecars = createSidecars({ ...deps, environment })
  const engines = createEngines({ ...deps, lastErrors: sidecars.lastErrors })
  return { engines, sidecars, loaded: createLoaded({ ...deps, engines }), dictation: createDictation(deps) }
}
