// The target of new tasks: the owner's choice, its current effect, and the reason. One function decides for tasks and for the display, so
// that both always agree.

import { COPIED } from '#control-plane/scheduler/objection.ts'
import { modelKey, type WorkerView } from '#control-plane/scheduler/worker-view.ts'
import type { OwnerSettings } from '#control-plane/store/setting.ts'
import { LOCAL, type Worker, type WorkerStore } from '#control-plane/workers/worker.store.ts'
import { Failure } from '#shared/protocol/failure.ts'
import { REMOTE_OPERATIONS, type WorkKind, workNamed } from './work.rules.ts'
import type { TargetView } from './workers.schema.ts'
import { workersSettings } from './workers.settings.ts'

const AUTO = 'auto'
export const TURNED_OFF = 'remote workers are turned off'

export type Target = ReturnType<typeof createTarget>
type Deps = {
  readonly settings: Pick<OwnerSettings, 'read' | 'write'>
  readonly workers: WorkerStore
  readonly view: (worker: Worker) => WorkerView
  readonly latencyMs: (workerId: string) => number
  readonly isRunning: () => boolean
  /** False for a pool, which has no engines of its own. Default: true. */
  readonly hasAgent?: boolean
}

/** The first reason why a machine cannot run this operation now; '' if it can. */
export function detailOf(view: WorkerView, operation = ''): string {
  if (view.revoked) return 'removed'
  if (view.quarantined) return COPIED
  if (!view.enabled) return 'disabled'
  if (!view.consented) return 'not approved'
  if (view.session === null) return 'offline'
  if (view.session === 'stale') return 'not responding'
  if (view.drained) return 'drained'
  if (view.draining) return 'shutting down'
  if (isPaused(view, operation)) return 'paused after repeated failures'
  return ''
}
const said = (reason: string) => ({ reason: `${reason} — running locally`, notice: `${reason}, so this machine was used.` })
/** Work that would be refused on a machine without an engine for it is not moved; its refusal names what is missing. */
const canDo = ({ abilities }: WorkerView, { task, fallsBack }: WorkKind): boolean =>
  !fallsBack || [...abilities.keys()].some((key) => key.endsWith(`|${task}`))

/** True if the breakers refuse every model for the operation. A half-open breaker does not refuse. */
function isPaused({ abilities, breakers }: WorkerView, operation: string): boolean {
  if (breakers.size === 0) return false
  const perModel = [...abilities.keys()].map((key) => key.split('|')).filter(([engine]) => engine !== 'probe')
  const wanted = workNamed(operation)?.task
  const matching = perModel.filter(([, , each]) => each === wanted)
  const models = (matching.length > 0 ? matching : perModel).map(([engine = '', model = '']) => modelKey({ engine, model }))
  return models.length > 0 && models.every((key) => breakers.get(key) === 'none')
}
export const activeOf = (view: WorkerView): number => [...view.held.values()].reduce((sum, count) => sum + count, 0)
/** The permits of its engines, without those of the probe. */
export const permitsOf = (view: WorkerView): number =>
  Math.max(0, ...[...view.abilities].filter(([key]) => !key.startsWith('probe|')).map(([, { permits }]) => permits))
/** `engine operation` for everything that the machine can run; empty if it is not connected. */
export const canOf = (view: WorkerView): string[] =>
  [
    ...new Set(
      [...view.abilities.keys()]
        .map((key) => key.split('|'))
        // The probe measures the way to a machine, and every model can be verified.
        .flatMap(([engine, , operation]) => (engine === 'probe' || operation === 'verify' ? [] : [`${engine} ${operation}`])),
    ),
  ].sort()
export const workerStatusOf = (view: WorkerView): 'ready' | 'busy' | 'offline' =>
  view.session !== 'ready' ? 'offline' : view.draining || activeOf(view) >= Math.max(1, permitsOf(view)) ? 'busy' : 'ready'

/** This machine, and of the others at most `limit`: the chosen one first, then those that can take the work. */
function shortened(options: TargetView['targets'], chosen: string, limit: number): TargetView['targets'] {
  const others = options.filter(({ is_local }) => !is_local)
  if (others.length <= limit) return options
  const rank = ({ id, available }: TargetView['targets'][number]) => (id === chosen ? 0 : available ? 1 : 2)
  return [...options.filter(({ is_local }) => is_local), ...others.sort((one, other) => rank(one) - rank(other)).slice(0, limit)]
}

export function createTarget({ settings, workers, view, latencyMs, isRunning, hasAgent = true }: Deps) {
  const storedTarget = () => settings.read(workersSettings.target)
  const labelOf = (worker: Worker) => worker.name || worker.pin.slice(0, 16)
  const local = (reason: string) => ({ remote: false, worker_id: null, label: 'Local', reason })

  /** Reason why the chosen machine does not run this work; null if it does. The second sentence is for notices of work that ran here. */
  function obstacle(operation: string): { readonly reason: string; readonly notice: string } | null {
    const target = storedTarget()
    // An empty operation stands for work in general.
    const work = workNamed(operation)
    if (work === null && operation !== '') return said(`this studio has no operation ${operation}`)
    if (work?.isRemote === false) return said(`${work.label} does not run on remote workers yet`)
    if (!isRunning()) return { reason: TURNED_OFF, notice: 'Remote machines are turned off, so this machine was used.' }
    if (target === AUTO) return null
    const worker = workers.get(target)
    if (!worker || worker.revokedAt !== null)
      return { ...said('the chosen worker no longer exists'), notice: 'The chosen machine no longer exists, so this machine was used.' }
    const detail = detailOf(view(worker), operation)
    if (detail !== '') return said(`${labelOf(worker)} is ${detail}`)
    return work === null || canDo(view(worker), work) ? null : said(`${labelOf(worker)} has no engine for ${work.label}`)
  }

  function decide(operation: string): TargetView['active'] {
    const target = storedTarget()
    if (target === LOCAL) return local('chosen')
    const found = obstacle(operation)
    if (found !== null && target === AUTO && found.reason === TURNED_OFF)
      return { remote: false, worker_id: null, label: 'Automatic', reason: found.reason }
    if (found !== null) return local(found.reason)
    if (target === AUTO) return { remote: true, worker_id: null, label: 'Automatic', reason: 'chosen' }
    return { remote: true, worker_id: target, label: labelOf(workers.required(target)), reason: 'chosen' }
  }

  /** True if the chosen machine was removed, so that the choice has no effect. */
  function isChoiceGone(): boolean {
    const target = storedTarget()
    const worker = workers.get(target)
    return target !== LOCAL && target !== AUTO && (!worker || worker.revokedAt !== null)
  }

  function options(operation: string): TargetView['targets'] {
    const remote = workers.enrolled().map((worker) => {
      const current = view(worker)
      const detail = isRunning() ? detailOf(current, operation) : 'offline'
      const available = detail === ''
      return {
        id: worker.id,
        label: labelOf(worker),
        endpoint: worker.endpoint,
        connected: current.session !== null,
        available,
        detail,
        is_local: false,
        status:
          current.session === null || current.session === 'stale'
            ? ('offline' as const)
            : available
              ? workerStatusOf(current)
              : workerStatusOf(current) === 'busy'
                ? ('busy' as const)
                : ('offline' as const),
        latency_ms: latencyMs(worker.id),
        active_tasks: activeOf(current),
        max_tasks: permitsOf(current),
        can: canOf(current),
      }
    })
    const own = workers.get(LOCAL)
    const current = own ? view(own) : null
    return [
      {
        id: LOCAL,
        label: 'Local',
        endpoint: '',
        connected: hasAgent,
        available: hasAgent,
        detail: hasAgent ? '' : 'offline',
        is_local: true,
        status: hasAgent ? ('ready' as const) : ('offline' as const),
        latency_ms: 0,
        active_tasks: current ? activeOf(current) : 0,
        max_tasks: current ? permitsOf(current) : 0,
        can: current ? canOf(current) : [],
      },
      ...remote,
    ]
  }

  return {
    labelOf(target: string): string {
      if (target === LOCAL || target === AUTO) return target === LOCAL ? 'Local' : 'Automatic'
      const worker = workers.get(target)
      return worker ? labelOf(worker) : target
    },
    /** `limit`: of other machines among the options. */
    view: (operation: string, limit = Number.POSITIVE_INFINITY): TargetView => ({
      target: isChoiceGone() ? LOCAL : storedTarget(),
      op: operation,
      active: decide(operation),
      remote_operations: [...REMOTE_OPERATIONS],
      targets: shortened(options(operation), storedTarget(), limit),
    }),
    /** `local`, `auto` or a worker that is enrolled; it may be offline or disabled. Throws NOT_FOUND. */
    async choose(target: string): Promise<void> {
      const chosen = target.trim() || LOCAL
      if (chosen !== LOCAL && chosen !== AUTO) {
        const worker = workers.get(chosen)
        if (!worker || worker.revokedAt !== null || chosen === LOCAL) throw new Failure('NOT_FOUND', 'No such worker.')
      }
      await settings.write(workersSettings.target, chosen)
    },
    /** Reason why new work runs here although another machine is chosen; null if it does not, and for work that always does. */
    fallbackOf(operation: string): string | null {
      const target = storedTarget()
      return target === LOCAL || target === AUTO || workNamed(operation)?.isRemote !== true ? null : (obstacle(operation)?.notice ?? null)
    },
    /** True if this machine, or one that the owner enrolled and approved, may run a task of this operation now. */
    isUsable(workerId: string, operation: string): boolean {
      if (workerId === LOCAL) return true
      const worker = isRunning() && REMOTE_OPERATIONS.includes(operation) ? workers.get(workerId) : undefined
      return worker !== undefined && worker.revokedAt === null && detailOf(view(worker), operation) === ''
    },
    /** The target of a new task of this operation: 'local', 'auto' or a worker id. */
    forTask(operation: string): string {
      const { remote, worker_id } = decide(operation)
      return remote ? (worker_id ?? AUTO) : LOCAL
    },
  }
}
