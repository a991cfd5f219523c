import { handle, type Route } from '#control-plane/http/contract/handle.ts'
import { sidecarContracts } from './sidecar.contract.ts'
import type { Sidecars } from './sidecar.service.ts'

export const sidecarRoutes = ({ sidecars }: { readonly sidecars: Sidecars }): Route[] => [
  handle(sidecarContracts.installSidecar, ({ params, body }) => sidecars.install(params.engine_id, body?.source ?? null)),
  handle(sidecarContracts.removeSidecar, ({ params }) => sidecars.uninstall(params.engine_id)),
  handle(sidecarContracts.sidecarStatus, ({ params }) => sidecars.status(params.engine_id)),
]
