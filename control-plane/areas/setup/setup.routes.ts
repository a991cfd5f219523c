import { handle, type Route } from '../../http/handle.ts'
import { setupContracts } from './setup.contract.ts'
import type { Setup } from './setup.service.ts'

export const setupRoutes = (setup: Setup): Route[] => [
  handle(setupContracts.readStatus, () => setup.status()),
  handle(setupContracts.preflight, () => setup.preflight()),
  handle(setupContracts.recommend, () => setup.recommendations()),
  handle(setupContracts.warmUp, () => {
    setup.warmUp()
    return { status: 'warmup_started' as const }
  }),
]
