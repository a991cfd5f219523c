import { handle, type Route } from '#control-plane/http/contract/handle.ts'
import { healthContracts } from './health.contract.ts'

export const healthRoutes = ({ device, version }: { readonly device: () => string; readonly version: string }): Route[] => [
  handle(healthContracts.health, () => ({ status: 'ok' as const, device: device(), version })),
]
