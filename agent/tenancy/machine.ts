// The resources that the controllers of this machine share: one pool of engines, fair share, and memory and a folder for undelivered output.
import { readdirSync, rmSync } from 'node:fs'
import { join } from 'node:path'
import { createDescribe, freeDisk, freeMemory } from '#agent/connection/fingerprint.ts'
import { createGpuProbe } from '#agent/connection/gpus.ts'
import type { LogLines } from '#agent/connection/log-lines.ts'
import { readersOf } from '#agent/engine/catalog/catalog.ts'
import { createEnginePool } from '#agent/engine/host/pool.ts'
import { createDeviceTrial } from '#agent/engine/runtimes/onnx/trial/trial.ts'
import type { LentSpace, LentSpaceRules } from '#agent/models/lent-space.ts'
import { createModelStore } from '#agent/models/store.ts'
import { createFetch } from '#shared/download/fetch.ts'
import { catalogueOf } from '#shared/models/catalogue.ts'
import type { DownloadSource } from '#shared/protocol/agent-control.ts'
import { VERSION } from '#shared/protocol/version.ts'
import type { Clock } from '#shared/runtime/clock.ts'
import { privateFolder } from '#shared/runtime/file.ts'
import type { Log } from '#shared/runtime/log.ts'
import { createMemoryBudget } from '#shared/runtime/memory/byte-log.ts'
import type { Random } from '#shared/runtime/random.ts'
import type { Tracing } from '#shared/trace/tracing.ts'
import { INPUT_BYTES, SPOOLED_BYTES } from './attempts.ts'
import { createFairShare } from './fair-share.ts'
import { createTenant, type Tenant } from './tenant.ts'

export type MachineParts = {
  readonly folder: string
  readonly development: boolean
  /** Engine hosts accept an inspector. */
  readonly inspectHosts?: boolean
  /** Current source of models. Read at the start of each installation. */
  readonly downloadSource: () => DownloadSource
  /** A cache of other programs, or null. */
  readonly modelsCache: string | null
  /** Folder of the models; by default one in `folder`. */
  readonly modelsFolder?: string | undefined
  /** The device family that the owner chose; by default every device may be used. */
  readonly deviceFamily?: string | undefined
  /** Folder of the installed sidecars. */
  readonly sidecars?: string
  /** Environment variables that engine hosts receive. */
  readonly hostEnvironment: Readonly<Record<string, string>>
  readonly clock: Clock
  readonly random: Random
  readonly log: Log
  readonly tracing?: Tracing
  /** The machine's log; a tenant reads the lines with its own mark. */
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
export type Machine = {
  readonly start: () => Promise<void>
  /** Ends every engine host. Call it after the tenants have handed back their work. */
  readonly stop: () => Promise<void>
  /** `name` is unique among the open tenants; `generation` is that of the identity its studio issued. */
  readonly openTenant: (name: string, more?: TenantOptions) => Tenant
  /** Sets what studios to which this machine is lent may use of its disk. Before that they may use half of what is free. */
  readonly lendSpace: (rules: LentSpaceRules) => void
  readonly lentSpace: () => Promise<LentSpace>
  /** See ModelStore. */
  readonly removeModelsOfOthers: () => Promise<number>
}

const TIDY_MS = 60_000
const MODEL_STALL_MS = 30_000
/** Disk space that models must leave free. */
const HEADROOM_BYTES = 10_000_000_000

export function createMachine({
  folder,
  development,
  inspectHosts = false,
  downloadSource,
  modelsCache,
  modelsFolder = join(folder, 'models'),
  deviceFamily = 'auto',
  sidecars,
  hostEnvironment,
  clock,
  random,
  log,
  tracing,
  lines,
}: MachineParts): Machine {
  const workDir = privateFolder(join(folder, 'work'))
  // Files of an earlier run belong to attempts that are lost.
  for (const name of readdirSync(workDir)) rmSync(join(workDir, name), { force: true, recursive: true })

  const pool = createEnginePool({
    clock,
    random,
    log,
    development,
    inspect: inspectHosts,
    environment: hostEnvironment,
    modelsFolder,
    deviceFamily,
    ...(sidecars !== undefined && { sidecars }),
  })
  let spaceRules: LentSpaceRules = { chosenBytes: () => null, studios: () => 1 }
  const models = createModelStore({
    folder: modelsFolder,
    models: catalogueOf(development),
    platform: process.platform,
    get base() {
      return new URL(downloadSource().url)
    },
    fetch: (url, more) => {
      const { token, tokenUrl } = downloadSource()
      return createFetch({ base: new URL(tokenUrl), token, clock, version: VERSION, stallMs: MODEL_STALL_MS })(url, more)
    },
    cache: modelsCache,
    freeDisk,
    headroomBytes: development ? 0 : HEADROOM_BYTES,
    clock,
    random,
    log,
    release: async (engine) => {
      for (const one of readersOf(engine)) if (pool.has(one)) await pool.unload(one)
    },
    onChange: () => pool.refresh(),
    // Loaded when files are added.
    prepareModel: async (...addition) => (await import('#agent/own/prepare.ts')).prepareAddition(...addition),
    spaceRules: {
      chosenBytes: () => spaceRules.chosenBytes(),
      studios: () => spaceRules.studios(),
      filesBytes: () => spaceRules.filesBytes?.() ?? 0,
    },
  })
  // Device and memory of an engine are known once it is loaded, so studios refresh the description then, as after a change of the models.
  const gpus = createGpuProbe({ trial: createDeviceTrial({ environment: hostEnvironment }), log })
  const inventory = () => models.generation() + pool.changes() + gpus.changes()
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
    async start() {
      await pool.start()
      // Not awaited: the machine can work before its GPUs have been tried.
      void gpus.probe()
    },
    async stop() {
      await Promise.all([models.stop(), pool.stop()])
    },
    lendSpace(rules) {
      spaceRules = rules
    },
    lentSpace: models.lentSpace,
    removeModelsOfOthers: models.removeOfOthers,
    openTenant(name, { owner, studio, generation = () => 0, rotate, onBegun = () => {} } = {}) {
      const tenant: Tenant = createTenant({
        name,
        ...(owner !== undefined && { owner }),
        ...(studio !== undefined && { studio }),
        pool: { run: (request) => fairShare.run(name, request) },
        forgetEncodings: (digests) => pool.forgetVoices(name, digests),
        describe: createDescribe(pool, generation, random.hex(16), inventory, gpus),
        models,
        inventory,
        resident: pool.resident,
        unload: pool.unloadIdle,
        freeMemory,
        freeDisk: () => freeDisk(workDir),
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
