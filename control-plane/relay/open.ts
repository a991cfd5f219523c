// The pool as its tenants reach it: the port for their studios, with a connection string for each, and the tasks behind it.
import { join } from 'node:path'
import { createLogLines } from '#agent/connection/log-lines.ts'
import { type Ownership, takeOwnership } from '#agent/lending/owner.ts'
import type { Machine } from '#agent/tenancy/machine.ts'
import { createTenancy } from '#agent/tenancy/tenancy.ts'
import type { Registry } from '#control-plane/sessions/registry.ts'
import type { Ledger } from '#control-plane/tasks/ledger.ts'
import type { Tasks } from '#control-plane/tasks/tasks.ts'
import type { WorkerStore } from '#control-plane/workers/worker.store.ts'
import { Failure } from '#shared/protocol/failure.ts'
import type { Settings } from '#shared/protocol/settings.ts'
import type { Clock } from '#shared/runtime/clock.ts'
import { createLineRing } from '#shared/runtime/log/line-ring.ts'
import type { Log } from '#shared/runtime/log.ts'
import type { Random } from '#shared/runtime/random.ts'
import type { Service } from '#shared/runtime/service.ts'
import { createFleetFacts, type PoolDeclaration } from './fleet-facts.ts'
import { createPoolModels } from './pool-models.ts'
import { createRecordings } from './recordings.ts'
import { createRelayPool } from './relay-pool.ts'
import { createRelayedTasks } from './relayed-tasks.ts'

type Deps = {
  readonly declaration: PoolDeclaration
  readonly settings: Settings
  readonly tasks: Tasks
  readonly ledger: Ledger
  readonly workers: WorkerStore
  readonly registry: Registry
  readonly artifacts: { readonly remove: (digest: string) => Promise<void> }
  readonly clock: Clock
  readonly random: Random
  readonly log: Log
}
/** Milliseconds in which attempts may end when the pool stops: their studios find them again after the restart. */
const STOP_GRACE_MS = 1_000
const NO_SPACE = {
  limitBytes: 0,
  isChosen: true,
  shareBytes: 0,
  usedBytes: 0,
  filesBytes: 0,
  usedBy: () => 0,
  expectedBytes: 0,
  expectedBy: () => 0,
}

export function openRelay({ declaration, settings, tasks, ledger, workers, registry, artifacts, clock, random, log }: Deps): Service {
  const cancel = (taskId: string) =>
    void tasks.cancel(taskId).catch((error: unknown) => log.error({ taskId, err: String(error) }, 'a task was not cancelled'))
  const facts = createFleetFacts({
    declaration,
    workers,
    live: registry.get,
    heldBy: (workerId) => [...ledger.held(workerId)].length,
    clock,
  })
  const relayed = createRelayedTasks({ ledger, nameOf: (id) => workers.get(id)?.name ?? id, cancel, clock, log })
  const recordings = createRecordings({
    live: ledger.live,
    cancel,
    forgetOnMachines: registry.forgetVoices,
    remove: artifacts.remove,
    log,
  })
  let isOpen = true
  ledger.onDecided(relayed.follow)
  const pool = createRelayPool({
    tasks,
    relayed,
    recordings,
    offers: facts.offers,
    isOpen: () => isOpen,
    described: facts.described,
    resident: facts.resident,
    log,
  })
  const folder = join(settings.dataDir, 'relay')
  const tenancy = () =>
    createTenancy({
      pool,
      models: createPoolModels({ described: facts.described, changes: facts.inventory, development: settings.development }),
      inventory: facts.inventory,
      describe:
        ({ generation, instance }) =>
        async () =>
          facts.describe(generation(), instance),
      freeMemory: () => 0,
      useBy: (tenant) => relayed.useBy(tenant, facts.free()),
      folder,
      clock,
      random,
      log,
      // Lines of the pool may name machines, so its tenants read none.
      lines: createLogLines(createLineRing()),
    })
  const machine = async (): Promise<Machine> => ({
    ...tenancy(),
    start: async () => {},
    stop: async () => {},
    lendSpace() {},
    lentSpace: async () => NO_SPACE,
    removeModelsOfOthers: async () => 0,
  })

  let ownership: Ownership | null = null
  let forgetOrphans = () => {}
  return {
    name: 'relay',
    async start() {
      ownership = await takeOwnership({
        settings: { ...settings, inboundNode: true, workerMode: false },
        machine,
        machineName: declaration.name,
        daemon: true,
        pid: process.pid,
        onFinished: null,
        clock,
        random,
        log,
      })
      if (!ownership)
        throw new Failure(
          'CONFLICT',
          'Another program of this data folder has the port for studios. Stop it, or choose another STUDIO_DATA_DIR.',
        )
      forgetOrphans = relayed.cancelOrphans()
    },
    async stop() {
      isOpen = false
      forgetOrphans()
      await ownership?.stop(STOP_GRACE_MS)
    },
  }
}
