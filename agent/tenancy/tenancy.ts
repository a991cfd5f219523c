// Parts of a machine, or of a pool, that its controllers share: engines in fair turns, and memory and a folder for undelivered output.
import { readdirSync, rmSync } from 'node:fs'
import { join } from 'node:path'
import { type Describe, freeDisk } from '#agent/connection/fingerprint.ts'
import type { LogLines } from '#agent/connection/log-lines.ts'
import type { EnginePool } from '#agent/engine/host/pool.ts'
import type { ModelStore } from '#agent/models/store.ts'
import type { Wire } from '#shared/protocol/generated/wire.ts'
import type { Clock } from '#shared/runtime/clock.ts'
import { privateFolder } from '#shared/runtime/file.ts'
import type { Log } from '#shared/runtime/log.ts'
import { createMemoryBudget } from '#shared/runtime/memory/byte-log.ts'
import type { Random } from '#shared/runtime/random.ts'
import type { Tracing } from '#shared/trace/tracing.ts'
import { INPUT_BYTES, SPOOLED_BYTES } from './attempts.ts'
import { createFairShare } from './fair-share.ts'
import { createTenant, type Tenant } from './tenant.ts'

/** `generation`: of the identity that the studio issued. `instance`: random for each run. */
type Described = { readonly generation: () => number; readonly instance: string }
export type TenancyParts = {
  readonly pool: Pick<EnginePool, 'run' | 'check' | 'freePermits' | 'forgetVoices' | 'resident' | 'unloadIdle'>
  readonly models: ModelStore
  readonly describe: (described: Described) => Describe
  /** Counts the changes of the description. */
  readonly inventory: () => number
  readonly freeMemory: () => number
  /** The use of a pool by this tenant; absent for a machine. */
  readonly useBy?: (tenant: string) => Wire<'PoolUse'>
  /** Called when an attempt of the tenant is forgotten: its studio has stored or refused the result. */
  readonly onForgotten?: (tenant: string, attemptId: string) => void
  readonly folder: string
  readonly clock: Clock
  readonly random: Random
  readonly log: Log
  readonly tracing?: Tracing
  readonly lines: LogLines
}
/** `studio`: its name in notices. `rotate` renews the certificate that the tenant's studio issued to this machine. */
type TenantOptions = {
  /** See `createTenant`. */
  readonly owner?: string
  readonly studio?: string
  readonly generation?: () => number
  readonly rotate?: () => Promise<void>
  readonly onBegun?: () => void
}
export type Tenancy = {
  /** `name` is unique among the open tenants. */
  readonly openTenant: (name: string, more?: TenantOptions) => Tenant
}
const TIDY_MS = 60_000

export function createTenancy(parts: TenancyParts): Tenancy {
  const { pool, models, inventory, describe, freeMemory, useBy, onForgotten, folder, clock, random, log, tracing, lines } = parts
  const workDir = privateFolder(join(folder, 'work'))
  // Files of an earlier run belong to attempts that are lost.
  for (const name of readdirSync(workDir)) rmSync(join(workDir, name), { force: true, recursive: true })
  const fairShare = createFairShare(pool)
  const memory = createMemoryBudget(SPOOLED_BYTES)
  const inputBytes = createMemoryBudget(INPUT_BYTES.machine)
  const tenants = new Set<Tenant>()
  // Runs at the start of an attempt, so an idle machine needs no timer.
  let tidiedAt = clock.mono()
  const tidy = () => {
    if (clock.mono() - tidiedAt < TIDY_MS) return
    tidiedAt = clock.mono()
    for (const tenant of tenants) tenant.forgetUnfetched()
  }
  return {
    openTenant(name, { owner, studio, generation = () => 0, rotate, onBegun = () => {} } = {}) {
      const tenant: Tenant = createTenant({
        name,
        ...(owner !== undefined && { owner }),
        ...(studio !== undefined && { studio }),
        pool: { run: (request) => fairShare.run(name, request) },
        forgetEncodings: (digests) => pool.forgetVoices(name, digests),
        describe: describe({ generation, instance: random.hex(16) }),
        models,
        inventory,
        resident: pool.resident,
        unload: pool.unloadIdle,
        freeMemory,
        freeDisk: () => freeDisk(workDir),
        ...(useBy && { use: () => useBy(name) }),
        ...(onForgotten && { onForgotten: (attemptId: string) => onForgotten(name, attemptId) }),
        memory,
        inputBytes,
        workDir,
        clock,
        log,
        ...(tracing && { tracing }),
        lines: lines.of(name),
        ...(rotate && { rotate }),
        onClosed: () => void tenants.delete(tenant),
        onBegun() {
          tidy()
          onBegun()
        },
      })
      tenants.add(tenant)
      return tenant
    },
  }
}
