// A machine whose engines are a limited pool, for tests of lending and inbound.

import { createFairShare } from '#agent/tenancy/fair-share.ts'
import type { Machine } from '#agent/tenancy/machine.ts'
import { createTenant } from '#agent/tenancy/tenant.ts'
import { type Clock, systemClock } from '#shared/runtime/clock.ts'
import { silentLog as log } from '#shared/runtime/log.ts'
import { noLogLines } from '#test/support/builders/no-log-lines.ts'
import { createLimitedPool } from './limited-pool.ts'
import { noModels } from './no-models.ts'

/** `workDir`: where the tasks of its tenants lie. */
export function createPlayedMachine(permits: number, workDir: string, clock: Clock = systemClock) {
  const limited = createLimitedPool(permits)
  const turns = createFairShare(limited.pool)
  const machine: Machine = {
    start: async () => {},
    stop: async () => {},
    lendSpace() {},
    lentSpace: noModels.lentSpace,
    removeModelsOfOthers: noModels.removeOfOthers,
    openTenant: (name, more = {}) =>
      createTenant({
        lines: noLogLines,
        models: noModels,
        inventory: noModels.generation,
        name,
        pool: { run: (request) => turns.run(name, request) },
        describe: async () => ({
          agent_version: '0',
          features: [],
          host: null,
          capabilities: [],
          generation: 0,
          protocol: 1,
          instance: '',
          inventory: 0,
        }),
        resident: () => [],
        freeMemory: () => 1,
        freeDisk: async () => 2 ** 40,
        workDir,
        clock,
        log,
        ...(more.rotate && { rotate: more.rotate }),
        ...(more.onBegun && { onBegun: more.onBegun }),
      }),
  }
  return { ...limited, turns, machine }
}
