// Explains why a worker may not run a task now. Pure: the answer to "why is my task not running".

import type { Need } from '#control-plane/tasks/queue.ts'
import { LOCAL } from '#control-plane/workers/worker.store.ts'
import { AWAY_PATIENCE_MS } from '#shared/protocol/backoff.ts'
import { type Ability, abilityOf, modelKey, type WorkerView } from './worker-view.ts'

export const COPIED = 'copied: two machines use this key'
export type Reason =
  | 'removed'
  | typeof COPIED
  | 'disabled'
  | 'not approved'
  | 'not the chosen machine'
  | 'its recording stays on this machine'
  | 'not among the machines of this person'
  | 'cannot run it'
  | 'has another version of the model'
  | 'does not have the voice'
  | 'does not speak the language'
  | 'failed it before'
  | 'offline'
  | 'not responding'
  | 'drained'
  | 'shutting down'
  | 'paused after repeated failures'
  | 'not enough disk space'
  | 'not enough memory'
  | 'busy'
/** `forGood`: it does not pass without an action of the owner. `shortfall`: the missing amount. */
export type Objection = { readonly workerId: string; readonly reason: Reason; readonly forGood: boolean; readonly shortfall?: string }
/** Below this a machine can hardly store a result. */
export const MIN_DISK_BYTES = 256 * 1024 ** 2
/** Null when there is room, or when the free amount is unknown. Both amounts in the unit that suits the needed one. */
function shortOf(what: string, needed: number, free: number): string | null {
  if (free === 0 || free >= needed) return null
  const [unit, digits, name] = needed < 1024 ** 3 ? ([1024 ** 2, 0, 'MiB'] as const) : ([1024 ** 3, 1, 'GiB'] as const)
  const shown = (bytes: number) => `${(bytes / unit).toFixed(digits)} ${name}`
  return `needs ${shown(needed)} of ${what}, ${shown(free)} is free`
}

/** Reasons that pass soon: a task waits for such a worker before it returns to one that failed it. */
export const PASSING: ReadonlySet<Reason> = new Set(['not responding', 'drained', 'shutting down', 'busy'])

/** Placed earlier in this pass. `leavesOne`: the client has a task running, and leaves the last permit to others. */
export type Taken = { readonly permits: number; readonly probe: boolean; readonly leavesOne: boolean }
/** From this many permits of an engine on, the last one is for a client that has no task running there. */
const SHARED_PERMITS = 3
/** Permits that a client with a running task leaves to others. */
export const leftPermits = (permits: number): number => (permits >= SHARED_PERMITS ? 1 : 0)

const speaksLanguage = ({ languages }: Ability, code: string): boolean =>
  code === '' || languages?.has('*') === true || languages?.has(code) === true

/** Objection to `worker` for this need now, or null when it may run it. */
export function objection(worker: WorkerView, need: Need, taken: Taken): Omit<Objection, 'workerId'> | null {
  const no = (reason: Reason, forGood = true) => ({ reason, forGood })
  if (need.target !== 'auto' && need.target !== worker.id) return no('not the chosen machine')
  if (need.staysHere && worker.id !== LOCAL) return no('its recording stays on this machine')
  if (need.machines?.includes(worker.id) === false) return no('not among the machines of this person')
  if (worker.revoked) return no('removed')
  if (worker.quarantined) return no(COPIED)
  if (!worker.enabled) return no('disabled')
  if (!worker.consented) return no('not approved')
  if (need.excluded.includes(worker.id)) return no('cannot run it')
  if (worker.session === null) return no('offline', worker.awayMs > AWAY_PATIENCE_MS)
  const ability = abilityOf(worker, need)
  if (!ability) return no('cannot run it')
  if (need.modelDigest !== undefined && ability.modelDigest !== need.modelDigest) return no('has another version of the model')
  if (need.speaks?.voices.some((voice) => !ability.voices?.has(voice))) return no('does not have the voice')
  if (need.speaks && !speaksLanguage(ability, need.speaks.language)) return no('does not speak the language')
  if (worker.session === 'stale') return no('not responding', false)
  if (worker.drained) return no('drained', false)
  if (worker.draining) return no('shutting down', false)
  const admits = worker.breakers.get(modelKey(need))
  if (admits === 'none' || (admits === 'one' && taken.probe)) return no('paused after repeated failures', false)
  const disk = shortOf('disk space', MIN_DISK_BYTES, worker.freeDiskBytes)
  if (disk) return { ...no('not enough disk space', false), shortfall: disk }
  const memory = ability.resident ? null : shortOf('memory', ability.memoryBytes, worker.freeMemoryBytes)
  if (memory) return { ...no('not enough memory', false), shortfall: memory }
  const usable = ability.permits - (taken.leavesOne ? leftPermits(ability.permits) : 0)
  if (worker.cooling || (worker.held.get(need.engine) ?? 0) + taken.permits >= usable) return no('busy', false)
  return null
}
