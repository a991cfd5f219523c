// A worker as placement sees it: one immutable value for one decision.
import type { Need } from '#control-plane/tasks/queue.ts'
import type { Admits } from '#control-plane/workers/breaker.ts'

/** One operation of one model on one worker. */
export type Ability = {
  readonly permits: number
  readonly resident: boolean
  /** Measured, or the prior before the first measurement. */
  readonly loadMs: number
  readonly msPerUnit: number
  /** Memory to load the model; 0 when unknown. */
  readonly memoryBytes: number
  /** True if it can imitate the recording of a voice. */
  readonly cloning?: boolean
  /** SHA-256 of the files of the model; '' or absent when unknown. */
  readonly modelDigest?: string
  /** Ids of its voices, and codes of its languages ('*' for any); absent where it lists none. */
  readonly voices?: ReadonlySet<string>
  readonly languages?: ReadonlySet<string>
}
export type WorkerView = {
  readonly id: string
  readonly enabled: boolean
  readonly revoked: boolean
  readonly quarantined: boolean
  readonly consented: boolean
  /** True if this studio sends it no new tasks until its owner ends that. */
  readonly drained: boolean
  /** True if the machine accepts no new tasks. */
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
export const abilityKey = (engine: string, model: string, operation: string): string => `${engine}|${model}|${operation}`
export function abilityOf({ abilities, withheld }: WorkerView, { engine, model, operation, cloning = false }: Need): Ability | undefined {
  const key = abilityKey(engine, model, operation)
  const ability = abilities.get(key) ?? (withheld?.has(key) ? undefined : abilities.get(abilityKey(engine, '', operation)))
  return cloning && !ability?.cloning ? undefined : ability
}

export const modelKey = ({ engine, model }: Pick<Need, 'engine' | 'model'>): string => `${engine}:${model}`
