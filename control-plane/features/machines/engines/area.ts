import { join } from 'node:path'
import { defineArea } from '#control-plane/kernel/define.ts'
import { LOCAL } from '#control-plane/workers/worker.store.ts'
import { childEnvironment } from '#shared/runtime/child/environment.ts'
import { enginesRoutes } from './engines.routes.ts'
import { createEngines } from './engines.service.ts'
import { loadedRoutes } from './loaded/loaded.routes.ts'
import { createLoaded } from './loaded/loaded.service.ts'
import { sidecarRoutes } from './sidecar/sidecar.routes.ts'
import { createSidecars } from './sidecar/sidecar.service.ts'
import { sonitranslateRoutes } from './sonitranslate/sonitranslate.routes.ts'
import { createSonitranslate, SONITRANSLATE_PORT, SONITRANSLATE_START_MS } from './sonitranslate/sonitranslate.service.ts'

export const enginesArea = defineArea({
  name: 'engines',
  needs: ['workers', 'models', 'settings'],
  open: (
    { choices, dataDir, environment, machines, offered, ledger, variables, clock, log },
    { workers: { targetOf: target, labelOf }, models, settings },
  ) => {
    const sidecars = createSidecars({
      folder: join(dataDir, 'sidecars'),
      environment: childEnvironment(environment),
      clock,
      log,
      changed: async () => machines.get(LOCAL)?.describeAgain(),
    })
    const sonitranslate = createSonitranslate({
      folder: join(dataDir, 'sonitranslate'),
      environment: childEnvironment(environment),
      port: SONITRANSLATE_PORT,
      startMs: SONITRANSLATE_START_MS,
      clock,
      log,
    })
    const engines = createEngines({
      settings: choices,
      offered,
      target,
      lastErrors: sidecars.lastErrors,
      unlicensed: models.unlicensed,
      isLlmReady: settings.isLlmReady,
      clock,
    })
    const translators = () => ({ offers: offered(), variable: variables.get, isLlmReady: settings.isLlmReady() })
    const loaded = createLoaded({
      engines,
      sessions: machines.all,
      target,
      offered,
      labelOf,
      live: ledger.live,
      gpus: () => machines.get(LOCAL)?.gpus() ?? [],
    })
    return {
      routes: [
        ...enginesRoutes({ engines, translators }),
        ...sidecarRoutes({ sidecars }),
        ...sonitranslateRoutes(sonitranslate),
        ...loadedRoutes({ loaded }),
      ],
      api: engines,
      services: [sidecars, sonitranslate],
    }
  },
})
