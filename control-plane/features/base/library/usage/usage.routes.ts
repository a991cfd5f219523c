import { handle, type Route } from '#control-plane/http/contract/handle.ts'
import { usageContracts } from './usage.contract.ts'
import type { createUsage } from './usage.service.ts'

export const usageRoutes = (usage: ReturnType<typeof createUsage>): Route[] => [handle(usageContracts.read, () => usage.read())]
