import { modelNeededBy } from '#control-plane/inference/missing-model.ts'
import { defineArea } from '#control-plane/kernel/define.ts'
import { LOCAL } from '#control-plane/workers/worker.store.ts'
import { findProgram } from '#shared/runtime/program.ts'
import { reaches } from './reach.ts'
import { setupRoutes } from './setup.routes.ts'
import { createSetup } from './setup.service.ts'
import { createWarmUp } from './warm.ts'

const REACH_MS = 5_000

declare module '#control-plane/kernel/define.ts' {
  interface AreaApis {
    readonly setup: null
  }
}

export const setupArea = defineArea({
  name: 'setup',
  needs: ['models', 'engines', 'media-tools'],
  open: ({ settings, environment, inference, machines, offered, log }, { models, engines, 'media-tools': media }) => {
    const familyOf = (id: string) =>
      (['tts', 'asr'] as const).find((family) => engines[family]().backends.some((row) => row.id === id)) ?? null
    const setup = createSetup({
      models,
      gpus: () => machines.get(LOCAL)?.gpus() ?? [],
      engine: () => {
        const { active, backends } = engines.tts()
        return machines.get(LOCAL)?.isReady() ? (backends.find(({ id }) => id === active) ?? null) : null
      },
      missing: () => modelNeededBy(engines.active('tts'), offered()),
      hasEngine: (id) => familyOf(id) !== null,
      warm: createWarmUp(inference, { selected: () => engines.active('tts'), familyOf }),
      reaches: (address) => reaches(address, REACH_MS),
      folder: models.folder,
      freeDisk: models.freeDisk,
      endpoint: settings.modelsUrl,
      media,
      python: () => findProgram('python3', environment['PATH']),
      log,
    })
    return { routes: setupRoutes(setup), api: null }
  },
})
