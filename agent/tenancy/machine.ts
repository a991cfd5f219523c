// This machine for its controllers: its engines, its models and its GPUs.
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
import type { Log } from '#shared/runtime/log.ts'
import type { Random } from '#shared/runtime/random.ts'
import type { Tracing } from '#shared/trace/tracing.ts'
import { createTenancy, type Tenancy } from './tenancy.ts'

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
export type Machine = {
  readonly start: () => Promise<void>
  /** Ends every engine host. Call it after the tenants have handed back their work. */
  readonly stop: () => Promise<void>
  readonly openTenant: Tenancy['openTenant']
  /** Sets what studios to which this machine is lent may use of its disk. Before that they may use half of what is free. */
  readonly lendSpace: (rules: LentSpaceRules) => void
  readonly lentSpace: () => Promise<LentSpace>
  /** See ModelStore. */
  readonly removeModelsOfOthers: () => Promise<number>
}

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
  const { openTenant } = createTenancy({
    pool,
    models,
    inventory,
    describe: ({ generation, instance }) => createDescribe(pool, generation, instance, inventory, gpus),
    freeMemory,
    folder,
    clock,
    random,
    log,
    ...(tracing && { tracing }),
    lines,
  })
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
    openTenant,
  }
}
