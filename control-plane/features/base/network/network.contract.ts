// Sharing with other devices, in the local network and through Tailscale.
import { z } from 'zod'
import { contract } from '#control-plane/http/contract/contract.ts'

const access = 'admin' as const
const port = z.int().min(1).max(65_535)
const addresses = z.array(z.string())
const Shared = z
  .object({ enabled: z.literal(true), share_port: port, pin: z.string(), lan_addresses: addresses })
  .meta({ id: 'NetworkShared' })
const Tailscale = z
  .object({
    installed: z.boolean(),
    running: z.boolean(),
    magic_dns_name: z.string().nullable(),
    tailnet_ips: z.array(z.string()),
    cert_domains: z.array(z.string()),
  })
  .meta({ id: 'TailscaleStatus' })
const TailscaleServed = z
  .object({
    ok: z.boolean(),
    scheme: z.enum(['https', 'http']).optional(),
    url: z.string().optional(),
    note: z.string().optional(),
    error: z.string().optional(),
  })
  .meta({ id: 'TailscaleServed' })

export const networkContracts = {
  readState: contract({
    id: 'system.readNetworkState',
    method: 'GET',
    path: '/system/network/state',
    access: 'own',
    summary: 'Returns whether sharing in the local network is on, its port, its PIN, and the addresses of this machine.',
    reply: z
      .object({
        enabled: z.boolean(),
        share_port: port.nullable(),
        pin: z.string().nullable(),
        pin_required: z.boolean(),
        lan_addresses: addresses,
      })
      .meta({ id: 'NetworkState' }),
  }),
  enable: contract({
    id: 'system.enableNetwork',
    method: 'POST',
    path: '/system/network/enable',
    access: 'own',
    summary:
      'Opens a port for devices of the local network, with a new PIN. While it is open nothing changes. It is closed after a restart.',
    reply: Shared,
  }),
  disable: contract({
    id: 'system.disableNetwork',
    method: 'POST',
    path: '/system/network/disable',
    access: 'own',
    summary: 'Closes the port for devices of the local network and ends their connections.',
    reply: z.object({ enabled: z.literal(false) }),
  }),
  readTailscale: contract({
    id: 'system.readTailscale',
    method: 'GET',
    path: '/system/tailscale/status',
    access,
    summary: 'Returns the state of the Tailscale program of this machine. Never fails.',
    reply: Tailscale,
  }),
  enableTailscale: contract({
    id: 'system.enableTailscale',
    method: 'POST',
    path: '/system/tailscale/enable',
    access: 'own',
    summary: 'Makes the shared port reachable in the tailnet. Sharing must be on. A failure is status 200 with ok false.',
    reply: TailscaleServed,
  }),
  disableTailscale: contract({
    id: 'system.disableTailscale',
    method: 'POST',
    path: '/system/tailscale/disable',
    access: 'own',
    summary: 'Ends the reachability in the tailnet. A failure is status 200 with ok false.',
    reply: z.object({ ok: z.boolean(), error: z.string().optional() }),
  }),
}
