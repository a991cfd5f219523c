// The machine that speaks a take, as followers of its job see it. Pure.
import { bestOf, localOffers, type Offer } from '#control-plane/inference/offers.ts'
import type { TaskRecord } from '#control-plane/tasks/record.ts'
import type { TakeMachine } from '../stream/take-events.schema.ts'

/** Consequence of a machine that does not return: this machine finishes the take, another machine generates it again, or the take fails. */
export type Next = NonNullable<TakeMachine['next']>
export type Whereabouts =
  | { readonly state: 'waiting' }
  | { readonly state: 'running'; readonly workerId: string }
  /** The machine stopped answering. */
  | { readonly state: 'lost'; readonly workerId: string }

/** `before`: the last state, null at first. A task that lost its machine stays lost until a machine has it again. */
export function whereaboutsOf({ task }: TaskRecord, before: Whereabouts | null): Whereabouts {
  if (task.phase === 'unknown') return { state: 'lost', workerId: task.workerId! }
  if (task.workerId !== null) return { state: 'running', workerId: task.workerId }
  return before?.state === 'lost' ? before : { state: 'waiting' }
}

export const isSamePlace = (left: Whereabouts | null, right: Whereabouts): boolean => JSON.stringify(left) === JSON.stringify(right)

type Voice = 'same' | 'other' | 'none'
/** Voice of this machine for the rest of a take. `spoken`: the offer that has spoken so far, if any. `voices`: that it must have. */
export function voiceHere(
  offers: readonly Offer[],
  engine: string,
  spoken: Offer | undefined,
  { isCloning, voices }: { readonly isCloning: boolean; readonly voices: readonly string[] },
): Voice {
  const own = bestOf(localOffers(offers, 'tts'), engine, 'tts')
  if (!own || (isCloning && !own.cloning) || voices.some((id) => !own.voices.some((one) => one.id === id))) return 'none'
  return own.implementation === spoken?.implementation && own.sample_rate === spoken.sample_rate ? 'same' : 'other'
}
/** The finished parts and the rest must have one voice, and two tasks cannot meet a total duration. */
export const canFinishHere = (voice: Voice, finished: number, hasDuration: boolean): boolean =>
  finished === 0 ? voice !== 'none' : voice === 'same' && !hasDuration

type Facts = {
  readonly name: string
  readonly isLocal: boolean
  readonly isPinned: boolean
  /** True if this machine speaks with the same voice. */
  readonly canFinishHere: boolean
  /** Finished parts of `total`. */
  readonly kept: number
  readonly total: number
}
const nextOf = ({ isPinned, canFinishHere }: Facts): Next => (!isPinned ? 'elsewhere' : canFinishHere ? 'here' : 'fail')

export const machineFrame = ({ state }: Exclude<Whereabouts, { readonly state: 'waiting' }>, facts: Facts): TakeMachine => ({
  type: 'machine',
  state,
  name: facts.name,
  local: facts.isLocal,
  ...(state === 'lost' && {
    next: nextOf(facts),
    can_finish_here: facts.canFinishHere,
    parts_kept: facts.kept,
    parts: facts.total,
  }),
})
