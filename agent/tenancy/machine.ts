// What the masters of this machine share: one pool of engines, the turns on it, the memory and the folder of what is not delivered yet.
import { readdirSync, rmSync } from 'node:fs'
import { join } from 'node:path'
import { catalogueOf } from '#shared/models/catalogue.ts'
import { VERSION } from '#shared/protocol/version.ts'
import { createMemoryBudget } from '#shared/runtime/byte-log.ts'
import type { Clock } from '#shared/runtime/clock.ts'
import { privateFolder } from '#shared/runtime/file.ts'
import type { Log } from '#shared/runtime/log.ts'
import type { Random } from '#shared/runtime/random.ts'
import type { Tracing } from '#shared/trace/tracing.ts'
import { createDescribe, freeDisk, freeMemory } from '../connection/fingerprint.ts'
import type { LogLines } from '../connection/log-lines.ts'
import { createPool } from '../engine/host/pool.ts'
import { readersOf } from '../engine/seam/catalog.ts'
import { createFetch } from '../models/fetch.ts'
import { createModelStore } from '../models/store.ts'
import { SPOOLED_BYTES } from './attempts.ts'
import { createFairShare } from './fair-share.ts'
import { createTenant, type Tenant } from './tenant.ts'

export type MachineParts = {
  readonly folder: string
  readonly development: boolean
  /** Where models come from. */
  readonly models: { readonly url: string; readonly token: string | null; readonly cache: string | null }
  /** Where installed sidecars lie. */
  readonly sidecars?: string
  /** What the engine hosts may see of the environment. */
  readonly hostEnvironment: Readonly<Record<string, string>>
  readonly clock: Clock
  readonly random: Random
  readonly log: Log
  readonly tracing?: Tracing
  /** Of this machine; a tenant reads what is marked as its own. */
  readonly lines: LogLines
}
/** `rotate`: renews the certificate that this machine has from the tenant's studio. */
type TenantWish = { readonly generation?: () => number; readonly rotate?: () => Promise<void>; readonly onBegun?: () => void }
export type Machine = {
  readonly start: () => Promise<void>
  /** Ends every engine host. The tenants were handed back before. */
  readonly stop: () => Promise<void>
  /** `name` is unique among the tenants that live; `generation` is that of the identity its studio gave. */
  readonly openTenant: (name: string, more?: TenantWish) => Tenant
}

const TIDY_MS = 60_000
const MODEL_STALL_MS = 30_000
/** What a model may not take of a disk. */
const HEADROOM_BYTES = 10_000_000_000

export function createMachine({
  folder,
  development,
  models: wish,
  sidecars,
  hostEnvironment,
  clock,
  random,
  log,
  tracing,
  lines,
}: MachineParts): Machine {
  const workDir = privateFolder(join(folder, 'work'))
  // Whatever an earlier run left behind belongs to attempts that nobody can ask for any more.
  for (const name of readdirSync(workDir)) rmSync(join(workDir, name), { force: true, recursive: true })

  const modelsFolder = join(folder, 'models')
  const pool = createPool({
    clock,
    random,
    log,
    development,
    environment: hostEnvironment,
    modelsFolder,
    ...(sidecars !== undefined && { sidecars }),
  })
  const base = new URL(wish.url)
  const models = createModelStore({
    folder: modelsFolder,
    models: catalogueOf(development),
    platform: process.platform,
    base,
    fetch: createFetch({ base, token: wish.token, clock, version: VERSION, stallMs: MODEL_STALL_MS }),
    cache: wish.cache,
    freeDisk,
    headroomBytes: development ? 0 : HEADROOM_BYTES,
    clock,
    random,
    log,
    release: async (engine) => {
      for (const one of readersOf(engine)) if (pool.has(one)) await pool.unload(one)
    },
    onChange: () => pool.refresh(),
  })
  // Where an engine runs and what it takes is known once it is loaded: the studios ask anew then, as after a change of the models.
  const inventory = () => models.generation() + pool.changes()
  const turns = createFairShare(pool)
  const memory = createMemoryBudget(SPOOLED_BYTES)
  const tenants = new Set<Tenant>()
  // Whoever works pays for tidying up after those who never came back.
  let tidiedAt = clock.mono()
  const tidy = () => {
    if (clock.mono() - tidiedAt < TIDY_MS) return
    tidiedAt = clock.mono()
    for (const tenant of tenants) tenant.forgetUnfetched()
  }
  return {
    start: async () => pool.start(),
    async stop() {
      await Promise.all([models.stop(), pool.stop()])
    },
    openTenant(name, { generation = () => 0, rotate, onBegun = () => {} } = {}) {
      const tenant = createTenant({
        name,
        pool: { run: (request) => turns.run(name, request) },
        describe: createDescribe(pool, generation, random.hex(16), inventory),
        models,
        inventory,
        resident: pool.resident,
        unload: pool.unloadIdle,
        freeMemory,
        freeDisk: () => freeDisk(workDir),
        memory,
        workDir,
        clock,
        log,
        ...(tracing && { tracing }),
        lines: lines.of(name),
        ...(rotate && { rotate }),
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
