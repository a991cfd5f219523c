// The parts in which a studio and a pool differ: a studio has an agent of its own, and a pool the port for the studios that share its machines.

import type { Service } from '#shared/runtime/service.ts'
import type { Opened } from './areas.ts'
import type { FleetParts } from './fleet.ts'
import type { Base, World } from './platform.ts'

type Role = {
  readonly service: Service
  readonly isReady: () => boolean
  /** Resolves when requests may need the agent of this machine. */
  readonly untilLocal: (signal: AbortSignal) => Promise<void>
  /** True if machines may connect from the start. */
  readonly isRemoteEnabled: () => boolean
}

export async function openRole(
  { settings, clock, random, log }: World,
  { tasks, ledger, workers, artifacts }: Base,
  { registry, local, isLocalReady, untilLocal }: FleetParts,
  { apis }: Opened,
): Promise<Role> {
  if (settings.pool === null) return { service: local, isReady: isLocalReady, untilLocal, isRemoteEnabled: apis.workers.isRemoteEnabled }
  // Loaded by pools only.
  const { openRelay } = await import('#control-plane/relay/open.ts')
  const relay = openRelay({ declaration: settings.pool, settings, tasks, ledger, workers, registry, artifacts, clock, random, log })
  return { service: relay, isReady: () => true, untilLocal: async () => {}, isRemoteEnabled: () => true }
}
