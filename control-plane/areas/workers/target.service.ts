// The target of new tasks: the owner's choice, what it means now, and why. One function decides for tasks and for the display, so the
// display cannot differ from the routing.
import { Failure } from '#shared/protocol/failure.ts'
import { COPIED, modelKey, type WorkerView } from '../../scheduler/place.ts'
import type { OwnerSettings } from '../../store/setting.ts'
import { LOCAL, type Worker, type WorkerStore } from '../../workers/worker.store.ts'
import type { TargetView } from './workers.schema.ts'
import { workersSettings } from './workers.settings.ts'

const AUTO = 'auto'
export const REMOTE_OPERATIONS = ['audiobook', 'dub', 'dub_segments', 'tts']
const LABELS: Readonly<Record<string, string>> = {
  clone: 'voice cloning',
  dictation: 'dictation',
  asr: 'transcription',
  diarize: 'speaker detection',
  identify: 'language identification',
  translate: 'translation',
}

export type Target = ReturnType<typeof createTarget>
type Deps = {
  readonly settings: Pick<OwnerSettings, 'read' | 'write'>
  readonly workers: WorkerStore
  readonly view: (worker: Worker) => WorkerView
  readonly latencyMs: (workerId: string) => number
  readonly isRunning: () => boolean
}

/** The first reason why a machine cannot take this operation now; '' when it can. */
export function detailOf(view: WorkerView, operation = ''): string {
  if (view.revoked) return 'removed'
  if (view.quarantined) return COPIED
  if (!view.enabled) return 'disabled'
  if (!view.consented) return 'not approved'
  if (view.session === null) return 'offline'
  if (view.session === 'stale') return 'not responding'
  if (view.draining) return 'shutting down'
  if (isPaused(view, operation)) return 'paused after repeated failures'
  return ''
}
/** Every model for the operation is refused by its breaker; a breaker that waits for its probe does not refuse. */
function isPaused({ abilities, breakers }: WorkerView, operation: string): boolean {
  if (breakers.size === 0) return false
  const speaking = [...abilities.keys()].map((key) => key.split('|')).filter(([engine]) => engine !== 'probe')
  const wanted = speaking.filter(([, , does]) => does === operation)
  const models = (wanted.length > 0 ? wanted : speaking).map(([engine = '', model = '']) => modelKey({ engine, model }))
  return models.length > 0 && models.every((key) => breakers.get(key) === 'none')
}
export const activeOf = (view: WorkerView): number => [...view.held.values()].reduce((sum, count) => sum + count, 0)
/** The permits of its engines; those of the probe do not count. */
export const permitsOf = (view: WorkerView): number =>
  Math.max(0, ...[...view.abilities].filter(([key]) => !key.startsWith('probe|')).map(([, { permits }]) => permits))
/** `engine operation` for everything that the machine can run; empty while it is not connected. */
export const canOf = (view: WorkerView): string[] =>
  [
    ...new Set(
      [...view.abilities.keys()]
        .map((key) => key.split('|'))
        .flatMap(([engine, , operation]) => (engine === 'probe' ? [] : [`${engine} ${operation}`])),
    ),
  ].sort()
export const workerStatusOf = (view: WorkerView): 'ready' | 'busy' | 'offline' =>
  view.session !== 'ready' ? 'offline' : view.draining || activeOf(view) >= Math.max(1, permitsOf(view)) ? 'busy' : 'ready'

export function createTarget({ settings, workers, view, latencyMs, isRunning }: Deps) {
  const stored = () => settings.read(workersSettings.target)
  const labelOf = (worker: Worker) => worker.name || worker.pin.slice(0, 16)
  const local = (reason: string) => ({ remote: false, worker_id: null, label: 'Local', reason })

  function decide(operation: string): TargetView['active'] {
    const target = stored()
    if (target === LOCAL) return local('chosen')
    if (operation !== '' && !REMOTE_OPERATIONS.includes(operation))
      return local(`${LABELS[operation] ?? operation} does not run on remote workers yet — running locally`)
    if (target === AUTO)
      return { remote: isRunning(), worker_id: null, label: 'Automatic', reason: isRunning() ? 'chosen' : 'remote workers are turned off' }
    if (!isRunning()) return local('remote workers are turned off')
    const worker = workers.get(target)
    if (!worker || worker.revokedAt !== null) return local('the chosen worker no longer exists — running locally')
    const detail = detailOf(view(worker), operation)
    if (detail === '') return { remote: true, worker_id: worker.id, label: labelOf(worker), reason: 'chosen' }
    return local(`${labelOf(worker)} is ${detail} — running locally`)
  }

  function options(operation: string): TargetView['targets'] {
    const remote = workers.enrolled().map((worker) => {
      const seen = view(worker)
      const detail = isRunning() ? detailOf(seen, operation) : 'offline'
      const available = detail === ''
      return {
        id: worker.id,
        label: labelOf(worker),
        endpoint: worker.endpoint,
        connected: seen.session !== null,
        available,
        detail,
        is_local: false,
        status:
          seen.session === null || seen.session === 'stale'
            ? ('offline' as const)
            : available
              ? workerStatusOf(seen)
              : workerStatusOf(seen) === 'busy'
                ? ('busy' as const)
                : ('offline' as const),
        latency_ms: latencyMs(worker.id),
        active_tasks: activeOf(seen),
        max_tasks: permitsOf(seen),
        can: canOf(seen),
      }
    })
    const own = workers.get(LOCAL)
    const seen = own ? view(own) : null
    return [
      {
        id: LOCAL,
        label: 'Local',
        endpoint: '',
        connected: true,
        available: true,
        detail: '',
        is_local: true,
        status: 'ready' as const,
        latency_ms: 0,
        active_tasks: seen ? activeOf(seen) : 0,
        max_tasks: seen ? permitsOf(seen) : 0,
        can: seen ? canOf(seen) : [],
      },
      ...remote,
    ]
  }

  return {
    view: (operation: string): TargetView => ({
      target: stored(),
      op: operation,
      active: decide(operation),
      remote_operations: REMOTE_OPERATIONS,
      targets: options(operation),
    }),
    /** `local`, `auto` or a worker that is enrolled; it may be offline or disabled. Throws NOT_FOUND. */
    async choose(target: string): Promise<void> {
      const wanted = target.trim() || LOCAL
      if (wanted !== LOCAL && wanted !== AUTO) {
        const worker = workers.get(wanted)
        if (!worker || worker.revokedAt !== null || wanted === LOCAL) throw new Failure('NOT_FOUND', 'No such worker.')
      }
      await settings.write(workersSettings.target, wanted)
    },
    /** The target of a new task of this operation: 'local', 'auto' or a worker id. */
    forTask(operation: string): string {
      const { remote, worker_id } = decide(operation)
      return remote ? (worker_id ?? AUTO) : LOCAL
    },
  }
}
