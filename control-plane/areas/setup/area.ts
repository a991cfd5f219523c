import { NATIVE_ENGINE } from '#shared/engines.ts'
import { LOCAL } from '../../workers/worker.store.ts'
import { defineArea } from '../define.ts'
import { reaches } from './reach.ts'
import { setupRoutes } from './setup.routes.ts'
import { createSetup } from './setup.service.ts'
import { createWarmUp } from './warm.ts'

const REACH_MS = 5_000

export const setupArea = defineArea({
  name: 'setup',
  needs: ['models'],
  open: ({ settings, environment, inference, machines, ffmpegPath, log }, { models }) => {
    const setup = createSetup({
      models,
      gpus: () => machines.get(LOCAL)?.gpus() ?? [],
      engine: () => {
        const offers = machines.get(LOCAL)?.capabilities() ?? []
        const native = offers.find(({ engine, operation }) => engine === NATIVE_ENGINE && operation === 'tts')
        return native ? { id: NATIVE_ENGINE, device: native.device, standsIn: native.stands_in } : null
      },
      warm: createWarmUp(inference, () => NATIVE_ENGINE),
      reaches: (address) => reaches(address, REACH_MS),
      folder: models.folder,
      freeDisk: models.freeDisk,
      endpoint: settings.modelsUrl,
      path: environment['PATH'] ?? '',
      ffmpeg: ffmpegPath,
      log,
    })
    return { routes: setupRoutes({ setup }), api: null }
  },
})
