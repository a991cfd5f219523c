// All engines of this machine: lists capabilities, counts permits, and dispatches runs to the group of an engine. Engines run only in
// engine hosts; this file must not call run() of an engine.

import { fileURLToPath } from 'node:url'
import { catalog } from '#agent/engine/catalog/catalog.ts'
import type { Capability } from '#agent/engine/seam/engine.ts'
import { catalogueModels } from '#agent/engine/seam/model-files.ts'
import { verifiable } from '#agent/engine/verify/offer.ts'
import { filesIn, noFiles } from '#agent/models/manifest.ts'
import { Failure } from '#shared/protocol/failure.ts'
import { IDLE_UNLOAD_SECONDS } from '#shared/protocol/lease.ts'
import type { HeaderMessage } from '#shared/protocol/run-messages.ts'
import type { Clock } from '#shared/runtime/clock.ts'
import type { Log } from '#shared/runtime/log.ts'
import type { Random } from '#shared/runtime/random.ts'
import type { Service } from '#shared/runtime/service.ts'
import { createEngineGroup, type EngineGroup, type GroupLimits, type RunRequest } from './group.ts'
import type { EngineMeasurement, HostEvent } from './messages.ts'

/** `audio`: mono s16le at the rate of the result. The last event of a successful run is its `result`. */
export type PoolEvent = HostEvent

/** `onEnd` is called once, when the permit of a started run is free again. `attempt`: facts of its header, which engines do not need. */
export type PoolRequest = RunRequest & ModelChoice & { readonly id: string; readonly onEnd?: () => void; readonly attempt?: AttemptFacts }
type AttemptFacts = Pick<HeaderMessage, 'task_id' | 'epoch' | 'deadline_ms_left' | 'traceparent' | 'priority' | 'size'>
/** `modelDigest`: SHA-256 of the files that the model must have; '' or absent for any. */
type ModelChoice = Pick<RunRequest, 'engine' | 'model' | 'operation'> & { readonly modelDigest?: string }

export type EnginePool = Service & {
  readonly capabilities: () => Promise<Capability[]>
  /** Refreshes the capabilities after a model was installed or deleted. */
  readonly refresh: () => void
  /** Number of measurements that have changed the capabilities. */
  readonly changes: () => number
  readonly has: (engine: string) => boolean
  /** 0 for an unknown engine. */
  readonly freePermits: (engine: string, model?: string) => number
  /** `engine:model` of all loaded models. */
  readonly resident: () => string[]
  /**
   * Starts at once, even if the events are not read. Aborting `signal` or leaving the iteration stops it.
   * Throws before the first event: WORKER_AT_CAPACITY, OPERATION_UNSUPPORTED, MODEL_REF_REJECTED, MODEL_DIGEST_MISMATCH,
   * WORKER_DRAINING. The iteration throws CANCELLED, ENGINE_CRASHED, ENGINE_HUNG, NON_FINITE_OUTPUT and failures of the engine.
   */
  readonly run: (request: PoolRequest) => AsyncIterableIterator<PoolEvent>
  /** Throws what `run` would throw, except for capacity: OPERATION_UNSUPPORTED, MODEL_REF_REJECTED, MODEL_DIGEST_MISMATCH, WORKER_DRAINING. */
  readonly check: (request: ModelChoice) => void
  /** Deletes what the engines derived from recordings of this owner (SHA-256, lower-case hex); null for all of them. */
  readonly forgetVoices: (owner: string, digests: readonly string[] | null) => void
  /** Frees the device. Throws CONFLICT while a run uses it. */
  readonly unload: (engine: string) => Promise<void>
  /** Same as `unload`; '' unloads all idle engines. Resolves with the engines that were unloaded. */
  readonly unloadIdle: (engine: string) => Promise<string[]>
}

export type PoolDeps = {
  readonly clock: Clock
  readonly random: Random
  readonly log: Log
  /** Adds the test voice. */
  readonly development: boolean
  /** Hosts accept an inspector and are not ended when they stand still. */
  readonly inspect?: boolean
  /** Folder of the models; by default none is downloaded. */
  readonly modelsFolder?: string
  /** The complete environment of the hosts: secrets of the agent must not reach native code. */
  readonly environment?: Readonly<Record<string, string>>
  readonly hostPath?: string
  /** Available main memory in bytes. */
  readonly availableMemory?: () => number
  /** Folder of installed sidecars; by default there are none. */
  readonly sidecars?: string
  /** The device family that the owner chose; by default every device may be used. */
  readonly deviceFamily?: string
  readonly limits?: Partial<GroupLimits>
}

const LIMITS: GroupLimits = {
  cancelGraceMs: 2_000,
  endGraceMs: 2_000,
  idleSeconds: IDLE_UNLOAD_SECONDS,
  maxSilenceSeconds: 10,
  maxStartSeconds: 60,
}
const HOST_PATH = fileURLToPath(new URL('./host.ts', import.meta.url))

/** Long factory: permits, measurements and groups share one state. */
export function createEnginePool(deps: PoolDeps): EnginePool {
  const {
    clock,
    random,
    log,
    development,
    inspect = false,
    environment = {},
    modelsFolder = '',
    sidecars = '',
    deviceFamily = 'auto',
    hostPath = HOST_PATH,
    availableMemory = () => process.availableMemory(),
  } = deps
  const filesOf = modelsFolder === '' ? noFiles : filesIn(modelsFolder)
  const limits = { ...LIMITS, ...deps.limits }
  const measurements = new Map<string, EngineMeasurement>()
  let changes = 0
  const modelKey = (engine: string, model: string) => `${engine}:${model}`
  const onMeasured = (engine: string, model: string, measured: EngineMeasurement) => {
    log.info({ engine, model, ...measured }, 'engine measured')
    measurements.set(modelKey(engine, model), measured)
    changes++
  }
  type Entry = { readonly group: string; readonly describe: () => Capability[]; capabilities: Capability[]; active: number }
  const engines = new Map<string, Entry>()
  const groups = new Map<string, EngineGroup>()

  /** Reads the catalogue again: sidecars may have been installed, changed or removed. */
  function reloadCatalogue(): void {
    const rows = catalog(development, sidecars)
    for (const [engine, entry] of engines) if (!rows.some(({ id }) => id === engine)) entry.capabilities = []
    for (const row of rows) {
      const withMeasurement = engines.get(row.id)
      if (withMeasurement && !row.isReloaded) continue
      const engine = row.create({ clock, path: environment['PATH'] ?? '', filesOf })
      const describe = () => {
        const own = engine.describe()
        return [...own, ...verifiable(row, own, filesOf)]
      }
      if (withMeasurement) withMeasurement.capabilities = describe()
      else engines.set(row.id, { group: row.group, describe, capabilities: describe(), active: 0 })
    }
    for (const group of new Set(rows.map((row) => row.group))) {
      if (groups.has(group)) continue
      const maxBlockSeconds = Math.max(...rows.filter((row) => row.group === group).map((row) => row.maxBlockSeconds))
      groups.set(
        group,
        createEngineGroup({
          group,
          maxBlockSeconds,
          limits,
          hostPath,
          development,
          inspect,
          modelsFolder,
          sidecars,
          deviceFamily,
          environment,
          clock,
          random,
          log,
          onMeasured,
        }),
      )
    }
  }
  reloadCatalogue()
  let isOpen = false

  /** True if the model fits into memory, according to an earlier measurement. A loaded model already has its memory. */
  const hasRoom = (engine: string, model: string, group: string): boolean => {
    const measured = measurements.get(modelKey(engine, model))
    if (!measured) return true
    const resident = groups.get(group)!.resident()
    if (resident.includes(modelKey(engine, model))) return true
    // Measurements are per host: memory that the host already holds is part of the measurement, or is freed.
    const held = Math.max(0, ...resident.map((name) => measurements.get(name)?.memoryBytes ?? 0))
    return measured.memoryBytes - held <= availableMemory()
  }
  /** Replaces estimates by measurements. */
  const withMeasurement = (capability: Capability): Capability => {
    const measured = measurements.get(modelKey(capability.engine, capability.model))
    return measured ? { ...capability, device: measured.device, memoryBytes: measured.memoryBytes } : capability
  }

  const freePermits = (engine: string, model = ''): number => {
    const entry = engines.get(engine)
    if (!entry || !hasRoom(engine, model, entry.group)) return 0
    return Math.max(0, (entry.capabilities[0]?.permits ?? 0) - entry.active)
  }

  function check({ engine, model, operation, modelDigest = '' }: ModelChoice) {
    if (!isOpen) throw new Failure('WORKER_DRAINING', 'The engines of this machine are stopped.')
    const entry = engines.get(engine)
    const offered = entry?.capabilities.filter((capability) => capability.operation === operation) ?? []
    if (!entry || offered.length === 0)
      throw new Failure('OPERATION_UNSUPPORTED', `This machine has no engine ${engine} that supports ${operation}.`)
    const matching = offered.filter((capability) => capability.model === model)
    if (matching.length === 0 && catalogueModels(engine).includes(model))
      throw new Failure('MODEL_NOT_DOWNLOADED', `The model ${model} of ${engine} is not downloaded on this machine.`)
    if (matching.length === 0) throw new Failure('MODEL_REF_REJECTED', `The engine ${engine} has no such model.`)
    // An engine with a reason reports it itself.
    if (matching.every(({ downloaded, reason }) => !downloaded && reason === undefined))
      throw new Failure('MODEL_NOT_DOWNLOADED', `The model ${model || `of ${engine}`} is not downloaded on this machine.`)
    if (modelDigest !== '' && !matching.some((capability) => capability.modelDigest === modelDigest))
      throw new Failure(
        'MODEL_DIGEST_MISMATCH',
        `The model ${model || `of ${engine}`} has other files on this machine than the task requires.`,
      )
    return entry
  }

  return {
    name: 'engine-pool',
    start() {
      isOpen = true
    },
    async stop() {
      isOpen = false
      await Promise.all([...groups.values()].map((group) => group.end(new Failure('WORKER_DRAINING', 'The agent is stopping.'))))
    },
    async capabilities() {
      reloadCatalogue()
      return [...engines.values()].flatMap((entry) => entry.capabilities.map(withMeasurement))
    },
    changes: () => changes,
    refresh() {
      for (const entry of engines.values()) entry.capabilities = entry.describe()
    },
    has: (engine) => engines.has(engine),
    freePermits,
    resident: () => [...groups.values()].flatMap((group) => group.resident()),

    check,

    run({ id, engine, model, operation, modelDigest = '', params, signal, owner = '', inputs, onEnd }) {
      const entry = check({ engine, model, operation, modelDigest })
      if (!hasRoom(engine, model, entry.group)) {
        const mebibytes = Math.ceil(measurements.get(modelKey(engine, model))!.memoryBytes / 1024 ** 2)
        throw new Failure(
          'INSUFFICIENT_MEMORY',
          `The engine ${engine} needs ${mebibytes} MiB of memory, which is not available on this machine now.`,
        )
      }
      if (freePermits(engine, model) === 0) throw new Failure('WORKER_AT_CAPACITY', `All permits of ${engine} are in use.`)
      entry.active++
      log.debug({ id, engine, model, operation }, 'engine run started')
      const release = () => {
        entry.active--
        onEnd?.()
      }
      return groups.get(entry.group)!.run({ engine, model, operation, params, signal, owner, ...(inputs && { inputs }) }, release)
    },

    forgetVoices(owner, digests) {
      for (const group of groups.values()) group.forgetVoices(owner, digests)
    },

    async unloadIdle(engine) {
      const loaded = () => new Set([...groups.values()].flatMap((group) => group.resident()).map((name) => name.split(':')[0]!))
      const before = loaded()
      if (engine !== '') await unload(engine)
      else await Promise.all([...groups.values()].filter((group) => !group.isBusy()).map((group) => group.end()))
      const after = loaded()
      return [...before].filter((name) => !after.has(name))
    },
    unload,
  }

  async function unload(engine: string): Promise<void> {
    const group = groups.get(engines.get(engine)?.group ?? '')
    if (!group) throw new Failure('OPERATION_UNSUPPORTED', `This machine has no engine ${engine}.`)
    if (group.isBusy()) throw new Failure('CONFLICT', `The engine ${engine} is running tasks. Cancel them first.`)
    await group.end()
  }
}
