import { handle, type Route } from '#control-plane/http/contract/handle.ts'
import { definePoolArea } from '#control-plane/kernel/define.ts'
import { isWeak } from '#shared/protocol/access/key-strength.ts'
import { findProgram } from '#shared/runtime/program.ts'
import { lanAddresses } from './lan-addresses.ts'
import { networkContracts } from './network.contract.ts'
import { createSharing, type Sharing } from './sharing.service.ts'
import { createRunTailscale } from './tailscale/program.ts'
import { createTailscale, type Tailscale } from './tailscale/tailscale.service.ts'

/** The first port that is tried for sharing, unless VOICESTUDIO_SHARE_PORT is set. */
const FIRST_PORT = 3902

type Parts = { readonly sharing: Sharing; readonly tailscale: Tailscale }

const networkRoutes = ({ sharing, tailscale }: Parts): Route[] => [
  handle(networkContracts.readState, () => sharing.state()),
  handle(networkContracts.enable, () => sharing.enable()),
  handle(networkContracts.disable, () => sharing.disable()),
  handle(networkContracts.readTailscale, () => tailscale.status()),
  handle(networkContracts.enableTailscale, () => tailscale.enable()),
  handle(networkContracts.disableTailscale, () => tailscale.disable()),
]

export const networkArea = definePoolArea({
  name: 'network',
  needs: [],
  open: ({ settings, access, sharedPort, sharedNames, variables, environment, log }) => {
    const tailscale = createTailscale({
      program: () => {
        const path = findProgram('tailscale', environment['PATH'])
        return path === null ? null : createRunTailscale(path)
      },
      sharedPort: sharedPort.port,
      setName: sharedNames.setTunnel,
      log,
    })
    const firstPort = () => Number(variables.get('VOICESTUDIO_SHARE_PORT')) || FIRST_PORT
    const sharing = createSharing({
      port: sharedPort,
      pins: access.pins,
      firstPort,
      addresses: lanAddresses,
      hasWeakKey: settings.apiKey !== null && isWeak(settings.apiKey),
      // The tailnet must not lead to a port that another program may open later.
      closing: async () => {
        const { ok, error } = await tailscale.disable()
        if (!ok) log.warn({ error }, 'Tailscale still leads to the shared port')
      },
      log,
    })
    return {
      routes: networkRoutes({ sharing, tailscale }),
      // The HTTP server has closed the port by then.
      services: [{ name: 'sharing', start() {}, stop: async () => void (await tailscale.disable()) }],
      api: {
        sharing: () => ({
          enabled: sharing.isOn(),
          port: sharing.port(),
          pinRequired: sharing.isOn(),
          firstPort: firstPort(),
          addresses: lanAddresses(),
        }),
      },
    }
  },
})
