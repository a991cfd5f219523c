import { handle, type Route } from '#control-plane/http/contract/handle.ts'
import { setupContracts } from './setup.contract.ts'
import type { Setup } from './setup.service.ts'

export const setupRoutes = (setup: Setup): Route[] => [
  handle(setupContracts.readStatus, () => setup.status()),
  handle(setupContracts.preflight, ({ query }) => setup.preflight(query.network)),
  handle(setupContracts.recommend, () => setup.recommendations()),
  handle(setupContracts.warmUp, async ({ query }) => {
    if (query.wait) {
      await setup.load(query.engine)
      return { status: 'loaded' as const }
    }
    setup.warmUp(query.engine)
    return { status: 'warmup_started' as const }
  }),
]
