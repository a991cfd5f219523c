// Chooses a worker for each waiting task. A pure function of a snapshot that also returns why the other workers were not chosen, which is
// the answer to "why is my task not running".
import type { Line, Need } from '../tasks/queue.ts'
import type { Admits } from '../workers/breaker.ts'
import { LOCAL } from '../workers/worker.store.ts'

/** One operation of one model on one worker. */
export type Ability = {
  readonly permits: number
  readonly resident: boolean
  /** Measured, or the prior before the first measurement. */
  readonly loadMs: number
  readonly msPerUnit: number
  /** Memory to load the model; 0 when unknown. */
  readonly memoryBytes: number
  /** Whether it can imitate the recording of a voice. */
  readonly cloning?: boolean
  /** SHA-256 of the files of the model; '' or absent when unknown. */
  readonly modelDigest?: string
}
export type WorkerView = {
  readonly id: string
  readonly enabled: boolean
  readonly revoked: boolean
  readonly quarantined: boolean
  readonly consented: boolean
  readonly draining: boolean
  /** null: no live session. */
  readonly session: 'ready' | 'stale' | null
  /** Milliseconds without a session; 0 while connected. */
  readonly awayMs: number
  /** It declined less than half a second ago for lack of room. */
  readonly cooling: boolean
  readonly priority: number
  /** engine|model|operation -> ability; engine||operation for a wildcard model. */
  readonly abilities: ReadonlyMap<string, Ability>
  /** Keys that it lists and cannot run now, such as a model that is not downloaded. A wildcard does not cover these. */
  readonly withheld?: ReadonlySet<string>
  /** engine -> number of tasks it holds. */
  readonly held: ReadonlyMap<string, number>
  /** Sum of the predicted milliseconds of the tasks it holds. */
  readonly backlogMs: number
  readonly transferMs: number
  /** engine:model -> how many tasks its breaker admits; a missing key admits all. */
  readonly breakers: ReadonlyMap<string, Admits>
  /** 0 when the machine does not report it. */
  readonly freeMemoryBytes: number
  readonly freeDiskBytes: number
}
export const COPIED = 'copied: two machines use this key'
export type Reason =
  | 'removed'
  | typeof COPIED
  | 'disabled'
  | 'not approved'
  | 'not the chosen machine'
  | 'its recording stays on this machine'
  | 'cannot run it'
  | 'has another version of the model'
  | 'failed it before'
  | 'offline'
  | 'not responding'
  | 'shutting down'
  | 'paused after repeated failures'
  | 'not enough disk space'
  | 'not enough memory'
  | 'busy'
/** `forGood`: it does not pass without an action of the owner. `shortfall`: the missing amount. */
export type Objection = { readonly workerId: string; readonly reason: Reason; readonly forGood: boolean; readonly shortfall?: string }
export type TaskPlacement = { readonly taskId: string; readonly workerId: string }
/** The tasks of `line` that were not placed, and the reason of each worker. `hopeless`: every reason is for good. */
export type Unplaced = { readonly line: Line; readonly why: readonly Objection[]; readonly hopeless: boolean }

/** How long a disconnected machine is waited for. */
export const AWAY_PATIENCE_MS = 30_000
export const abilityKey = (engine: string, model: string, operation: string): string => `${engine}|${model}|${operation}`
export function abilityOf({ abilities, withheld }: WorkerView, { engine, model, operation, cloning = false }: Need): Ability | undefined {
  const key = abilityKey(engine, model, operation)
  const ability = abilities.get(key) ?? (withheld?.has(key) ? undefined : abilities.get(abilityKey(engine, '', operation)))
  return cloning && !ability?.cloning ? undefined : ability
}

export const modelKey = ({ engine, model }: Pick<Need, 'engine' | 'model'>): string => `${engine}:${model}`

/** Below this a machine can hardly store a result. */
export const LEAST_DISK_BYTES = 256 * 1024 ** 2
/** Null when there is room, or when the free amount is unknown. Both amounts in the unit that suits the needed one. */
function shortOf(what: string, needed: number, free: number): string | null {
  if (free === 0 || free >= needed) return null
  const [unit, digits, name] = needed < 1024 ** 3 ? ([1024 ** 2, 0, 'MiB'] as const) : ([1024 ** 3, 1, 'GiB'] as const)
  const shown = (bytes: number) => `${(bytes / unit).toFixed(digits)} ${name}`
  return `needs ${shown(needed)} of ${what}, ${shown(free)} is free`
}

/** Reasons that pass soon: a task waits for such a worker before it returns to one that failed it. */
const PASSING: ReadonlySet<Reason> = new Set(['not responding', 'shutting down', 'busy'])

/** Placed earlier in this pass. */
type Taken = { readonly permits: number; readonly probe: boolean }

/** Why `worker` may not run it now, or null when it may. */
function objection(worker: WorkerView, need: Need, taken: Taken): Omit<Objection, 'workerId'> | null {
  const no = (reason: Reason, forGood = true) => ({ reason, forGood })
  if (need.target !== 'auto' && need.target !== worker.id) return no('not the chosen machine')
  if (need.staysHere && worker.id !== LOCAL) return no('its recording stays on this machine')
  if (worker.revoked) return no('removed')
  if (worker.quarantined) return no(COPIED)
  if (!worker.enabled) return no('disabled')
  if (!worker.consented) return no('not approved')
  if (need.excluded.includes(worker.id)) return no('cannot run it')
  if (worker.session === null) return no('offline', worker.awayMs > AWAY_PATIENCE_MS)
  const ability = abilityOf(worker, need)
  if (!ability) return no('cannot run it')
  if (need.modelDigest !== undefined && ability.modelDigest !== need.modelDigest) return no('has another version of the model')
  if (worker.session === 'stale') return no('not responding', false)
  if (worker.draining) return no('shutting down', false)
  const admits = worker.breakers.get(modelKey(need))
  if (admits === 'none' || (admits === 'one' && taken.probe)) return no('paused after repeated failures', false)
  const disk = shortOf('disk space', LEAST_DISK_BYTES, worker.freeDiskBytes)
  if (disk) return { ...no('not enough disk space', false), shortfall: disk }
  const memory = ability.resident ? null : shortOf('memory', ability.memoryBytes, worker.freeMemoryBytes)
  if (memory) return { ...no('not enough memory', false), shortfall: memory }
  if (worker.cooling || (worker.held.get(need.engine) ?? 0) + taken.permits >= ability.permits) return no('busy', false)
  return null
}

/** Predicted milliseconds until the task would be finished there. */
function finish(worker: WorkerView, need: Need, size: number, taken: number): number {
  const ability = abilityOf(worker, need)!
  const own = ability.msPerUnit * size
  return worker.backlogMs + taken * own + (ability.resident ? 0 : ability.loadMs) + own + worker.transferMs
}

/** At most as many placements as there are free permits. Of all lines, the most urgent first task is always placed next. */
export function place(lines: readonly Line[], workers: readonly WorkerView[]): { placements: TaskPlacement[]; unplaced: Unplaced[] } {
  const placements: TaskPlacement[] = []
  const unplaced: Unplaced[] = []
  const taken = new Map<string, number>()
  const probes = new Set<string>()
  const takenOf = (worker: WorkerView, need: Need) => taken.get(`${worker.id}|${need.engine}`) ?? 0
  const probeOf = (worker: WorkerView, need: Need) => `${worker.id}|${modelKey(need)}`
  const cursors = lines.map((line) => {
    const rest = line.waiting.values()
    return { line, rest, first: rest.next().value! }
  })

  while (cursors.length > 0) {
    cursors.sort((a, b) => a.line.priority - b.line.priority || a.first.seq - b.first.seq)
    const cursor = cursors[0]!
    const { need } = cursor.line
    const why: Objection[] = []
    const free: WorkerView[] = []
    for (const worker of workers) {
      const reason = objection(worker, need, { permits: takenOf(worker, need), probe: probes.has(probeOf(worker, need)) })
      if (reason) why.push({ workerId: worker.id, ...reason })
      else free.push(worker)
    }
    const pinned = need.target !== 'auto'
    const fresh = pinned ? free : free.filter((worker) => !need.avoided.includes(worker.id))
    // A worker that failed the task gets it again only when no other connected worker could ever run it; one that is away may never return.
    const othersMay = why.some(({ reason, workerId }) => PASSING.has(reason) && !need.avoided.includes(workerId))
    const candidates = fresh.length > 0 ? fresh : othersMay ? [] : free
    if (candidates.length === 0) {
      for (const worker of free) why.push({ workerId: worker.id, reason: 'failed it before', forGood: false })
      unplaced.push({ line: cursor.line, why, hopeless: why.every(({ forGood }) => forGood) })
      cursors.shift()
      continue
    }
    const { id, size } = cursor.first
    const best = candidates.reduce((a, b) => {
      const gain = finish(a, need, size, takenOf(a, need)) - finish(b, need, size, takenOf(b, need))
      return gain < 0 || (gain === 0 && a.priority >= b.priority) ? a : b
    })
    placements.push({ taskId: id, workerId: best.id })
    taken.set(`${best.id}|${need.engine}`, takenOf(best, need) + 1)
    probes.add(probeOf(best, need))
    const next = cursor.rest.next()
    if (next.done) cursors.shift()
    else cursor.first = next.value
  }
  return { placements, unplaced }
}
