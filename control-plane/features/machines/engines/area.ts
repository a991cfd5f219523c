import { join } from 'node:path'
import { handle, type Route } from '#control-plane/http/contract/handle.ts'
import { definePoolArea } from '#control-plane/kernel/define.ts'
import { LOCAL } from '#control-plane/workers/worker.store.ts'
import { childEnvironment } from '#shared/runtime/child/environment.ts'
import { enginesRoutes } from './engines.routes.ts'
import { createEngines } from './engines.service.ts'
import { loadedContracts } from './loaded/loaded.contract.ts'
import { createLoaded, type Loaded } from './loaded/loaded.service.ts'
import { sidecarContracts } from './sidecar/sidecar.contract.ts'
import { createSidecars, type Sidecars } from './sidecar/sidecar.service.ts'
import { sonitranslateContracts } from './sonitranslate/sonitranslate.contract.ts'
import {
  createSonitranslate,
  SONITRANSLATE_PORT,
  SONITRANSLATE_START_MS,
  type Sonitranslate,
} from './sonitranslate/sonitranslate.service.ts'

const sonitranslateRoutes = (program: Sonitranslate): Route[] => [
  handle(sonitranslateContracts.readState, () => program.state()),
  handle(sonitranslateContracts.install, () => program.requireInstalled()),
  handle(sonitranslateContracts.start, () => program.startProgram()),
  handle(sonitranslateContracts.stop, () => program.stopProgram()),
]

const sidecarRoutes = ({ sidecars }: { readonly sidecars: Sidecars }): Route[] => [
  handle(sidecarContracts.installSidecar, ({ params, body }) => sidecars.install(params.engine_id, body?.source ?? null)),
  handle(sidecarContracts.removeSidecar, ({ params }) => sidecars.uninstall(params.engine_id)),
  handle(sidecarContracts.sidecarStatus, ({ params }) => sidecars.status(params.engine_id)),
]

const loadedRoutes = ({ loaded }: { readonly loaded: Loaded }): Route[] => [
  handle(loadedContracts.modelStatus, () => loaded.status()),
  handle(loadedContracts.listLoaded, () => loaded.list()),
  handle(loadedContracts.unload, ({ params }) => loaded.unload(params.model_id)),
  handle(loadedContracts.flushMemory, ({ query }) => loaded.flush(query.unload_model ?? false)),
]

export const enginesArea = definePoolArea({
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
