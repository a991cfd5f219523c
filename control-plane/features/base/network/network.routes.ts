import { handle, type Route } from '#control-plane/http/contract/handle.ts'
import { networkContracts } from './network.contract.ts'
import type { Sharing } from './sharing.service.ts'
import type { Tailscale } from './tailscale/tailscale.service.ts'

type Parts = { readonly sharing: Sharing; readonly tailscale: Tailscale }

export const networkRoutes = ({ sharing, tailscale }: Parts): Route[] => [
  handle(networkContracts.readState, () => sharing.state()),
  handle(networkContracts.enable, () => sharing.enable()),
  handle(networkContracts.disable, () => sharing.disable()),
  handle(networkContracts.readTailscale, () => tailscale.status()),
  handle(networkContracts.enableTailscale, () => tailscale.enable()),
  handle(networkContracts.disableTailscale, () => tailscale.disable()),
]
