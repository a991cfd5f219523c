// Facts about the machines of a pool for its tenants: what they can do, how busy they are, and the description that a studio shows.
import { createHash } from 'node:crypto'
import { availableParallelism, totalmem } from 'node:os'
import { PROBE_CAPABILITY } from '#agent/connection/fingerprint.ts'
import { type Offer, offersOf } from '#control-plane/inference/offers.ts'
import { LOCAL, type Worker } from '#control-plane/workers/worker.store.ts'
import { PROBE } from '#shared/operations/probe.ts'
import type { Wire } from '#shared/protocol/generated/wire.ts'
import {
  EXCHANGE_FEATURE,
  FORGET_VOICES_FEATURE,
  type Gpu,
  INPUTS_FEATURE,
  POOL_MACHINES,
  PROTOCOL_VERSION,
} from '#shared/protocol/messages.ts'
import { VERSION } from '#shared/protocol/version.ts'
import type { Clock } from '#shared/runtime/clock.ts'
import { engineSlots, type MachineRow, unionOf } from './offered.ts'

/** The declaration of the operator. */
export type PoolDeclaration = {
  readonly name: string
  readonly operator: string
  readonly contact: string
  readonly places: readonly string[]
  readonly readsInputs: boolean
}
type Live = {
  readonly capabilities: () => readonly MachineRow[]
  readonly residentModels: () => readonly string[]
  readonly isReady: () => boolean
  readonly isDraining: () => boolean
  readonly gpus: () => readonly Gpu[]
}
type Deps = {
  readonly declaration: PoolDeclaration
  readonly workers: { readonly enrolled: () => readonly Worker[] }
  readonly live: (workerId: string) => Live | undefined
  /** Attempts that the machine holds. */
  readonly heldBy: (workerId: string) => number
  readonly clock: Pick<Clock, 'mono'>
}
export type FleetFacts = ReturnType<typeof createFleetFacts>

/** The text that a pool of this version states about what it keeps: tasks/retention.ts removes it. */
const KEEPS = 'Texts and sound for at most 90 minutes after a job, then only counts of work'
const [MOST_GPUS, MOST_CORES] = [64, 1_000_000]
/** The description is read again when the machines have changed, at most once in this time; their load counts as a change after a longer one. */
const [CHANGED_MS, LOAD_MS] = [1_000, 30_000]

export function createFleetFacts({ declaration, workers, live, heldBy, clock }: Deps) {
  let count = 1
  let seen = { machines: '', load: '', at: Number.NEGATIVE_INFINITY, loadAt: clock.mono() }

  /** Machines that the operator has approved. */
  const approved = () =>
    workers
      .enrolled()
      .filter((one) => one.id !== LOCAL && one.enabled && one.consentId !== null && one.quarantine === null && one.revokedAt === null)
  /** Those that may get work now. */
  const working = () =>
    approved().flatMap(({ id }) => {
      const machine = live(id)
      return machine?.isReady() && !machine.isDraining() ? [{ ...machine, workerId: id }] : []
    })
  const described = () => working().map((machine) => machine.capabilities())

  function machineOf({ id, name, host }: Worker): Wire<'PoolMachine'> {
    const machine = live(id)
    const capabilities = machine?.capabilities() ?? []
    const gpus = machine?.gpus() ?? []
    const engines = new Set(capabilities.flatMap(({ engine }) => (engine === PROBE ? [] : [engine])))
    const permits = machine?.isReady() ? Math.max(0, ...[...engines].map((engine) => engineSlots([capabilities], engine))) : 0
    const busy = heldBy(id)
    const first = gpus[0]?.model ?? ''
    return {
      name,
      gpu: gpus.length > 1 ? `${gpus.length} × ${first}` : first,
      version: host?.worker_version ?? '',
      state: !machine?.isReady() ? 'offline' : machine.isDraining() ? 'draining' : busy >= permits ? 'busy' : 'ready',
      permits,
      busy,
    }
  }

  const pool = (): Wire<'Pool'> => {
    const { readsInputs, places, ...rest } = declaration
    return {
      ...rest,
      places: [...places],
      reads_inputs: readsInputs,
      keeps: KEEPS,
      machines: approved().slice(0, POOL_MACHINES).map(machineOf),
    }
  }

  return {
    described,
    offers: (): Offer[] => offersOf(working()),
    resident: (): string[] => [...new Set(working().flatMap((machine) => machine.residentModels()))],
    /** Permits without work, of the engine that has most on each machine. */
    free: (): number =>
      approved()
        .map(machineOf)
        .reduce((sum, { permits, busy }) => sum + Math.max(0, permits - busy), 0),
    /** Counts the changes of the description. */
    inventory(): number {
      const now = clock.mono()
      if (now - seen.at < CHANGED_MS) return count
      const { machines, ...rest } = pool()
      const lasting = machines.map(({ name, gpu, version, state }) => [name, gpu, version, state === 'busy' ? 'ready' : state])
      const next = digestOf([rest, lasting, unionOf(described())])
      const load = digestOf(machines.map(({ busy }) => busy))
      const isLoadDue = load !== seen.load && now - seen.loadAt > LOAD_MS
      if (next !== seen.machines || isLoadDue) {
        count++
        seen = { machines: next, load, at: now, loadAt: now }
      } else seen = { ...seen, at: now }
      return count
    },
    describe(generation: number, instance: string): Wire<'Description'> {
      const inventory = this.inventory()
      const gpus = working().flatMap((machine) => machine.gpus())
      const hosts = approved().flatMap(({ host }) => (host ? [host] : []))
      const sum = (numbers: readonly number[]) => numbers.reduce((total, each) => total + each, 0)
      return {
        agent_version: VERSION,
        features: [INPUTS_FEATURE, FORGET_VOICES_FEATURE, EXCHANGE_FEATURE],
        host: {
          hostname: declaration.name,
          os: process.platform === 'win32' ? 'windows' : process.platform,
          arch: process.arch,
          cpu_count: Math.min(MOST_CORES, sum(hosts.map(({ cpu_count }) => cpu_count)) || availableParallelism()),
          memory_bytes: sum(hosts.map(({ system_memory_bytes }) => system_memory_bytes)) || totalmem(),
          gpus: gpus.slice(0, MOST_GPUS).map((gpu) => ({ ...gpu })),
          unusable_gpus: [],
        },
        capabilities: [PROBE_CAPABILITY, ...unionOf(described())],
        generation,
        protocol: PROTOCOL_VERSION,
        instance,
        inventory,
        pool: pool(),
      }
    },
  }
}

const digestOf = (value: unknown): string => createHash('sha256').update(JSON.stringify(value)).digest('hex')
