import { handle, type Route } from '../../http/handle.ts'
import type { MediaPrograms } from './media-tools.ts'
import { setupContracts } from './setup.contract.ts'
import type { Setup } from './setup.service.ts'

export type SetupParts = { readonly setup: Setup; readonly media: MediaPrograms }

export const setupRoutes = ({ setup, media }: SetupParts): Route[] => [
  handle(setupContracts.readStatus, () => setup.status()),
  handle(setupContracts.preflight, () => setup.preflight()),
  handle(setupContracts.recommend, () => setup.recommendations()),
  handle(setupContracts.warmUp, () => {
    setup.warmUp()
    return { status: 'warmup_started' as const }
  }),
  handle(setupContracts.readMediaTools, () => media.status()),
  handle(setupContracts.acquireMediaTools, () => media.acquire()),
]
