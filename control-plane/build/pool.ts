// The part that makes a pool of the program: the port for studios, instead of an agent of its own.

import type { PoolSettings } from '#shared/protocol/settings.ts'
import type { Service } from '#shared/runtime/service.ts'
import type { FleetParts } from './fleet.ts'
import type { Base, World } from './platform.ts'

/** The modules are loaded by pools only. */
export async function openPool(
  declaration: PoolSettings,
  { settings, clock, random, log }: World,
  { tasks, ledger, workers, artifacts }: Base,
  { registry }: FleetParts,
): Promise<Service> {
  const { openRelay } = await import('#control-plane/relay/open.ts')
  return openRelay({ declaration, settings, tasks, ledger, workers, registry, artifacts, clock, random, log })
}
