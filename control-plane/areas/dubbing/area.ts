import { Failure } from '#shared/protocol/failure.ts'
import { loop } from '#shared/runtime/service.ts'
import { defineArea } from '../define.ts'
import { contextRoutes } from './context/context.routes.ts'
import { openDubCore } from './core.ts'

const SWEEP_EVERY_MS = 3600_000

export const dubbingArea = defineArea({
  name: 'dubbing',
  needs: [],
  open: (platform) => {
    const { clock, log } = platform
    const core = openDubCore(platform)
    const sweep = loop(
      'dub-sweep',
      async (signal) => {
        await clock.sleep(SWEEP_EVERY_MS, signal)
        await core
          .sweepFiles()
          .catch((error: unknown) => log.warn({ err: Failure.from(error).message }, 'old files of dubs could not be removed'))
      },
      (error) => {
        throw error
      },
    )
    return { routes: contextRoutes(core), api: { count: core.store.dubs.count }, services: [sweep] }
  },
})
