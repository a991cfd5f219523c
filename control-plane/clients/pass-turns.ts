// Chooses the next turn on the machines, while permits are given away one after the other: a thousand tasks of one client delay the single
// task of another by one.
import { compareTurns, type WaitingTurn } from '#shared/runtime/fair-turn.ts'
import { sharersOf } from './client.ts'
import { createHeldPermits, type HeldPermits, type SharedWork } from './held-permits.ts'

/** The oldest task of those with equal needs. */
export type Head = SharedWork & WaitingTurn
/** Permits of clients before the pass. */
export type HeldBefore = Pick<HeldPermits, 'running' | 'lastTurn' | 'holds'>
export const NOTHING_HELD: HeldBefore = createHeldPermits()

export function createPassTurns(before: HeldBefore) {
  const given = createHeldPermits()
  const sharing = {
    sharersOf: ({ client }: Head) => sharersOf(client),
    running: (sharer: string, depth: number) => before.running(sharer, depth) + given.running(sharer, depth),
    lastTurn(sharer: string, depth: number): number {
      const inPass = given.lastTurn(sharer, depth)
      return inPass > 0 ? Number.MAX_SAFE_INTEGER / 2 + inPass : before.lastTurn(sharer, depth) // later than every turn before
    },
  }
  const rankOf = ({ priority, client }: Head): number => 2 * priority + (client.isOwner ? 0 : 1)

  return {
    /** Negative if `one` goes before `other`: interactive before batch, then the owner, then in fair turns. */
    compare: (one: Head, other: Head): number => rankOf(one) - rankOf(other) || compareTurns(one, other, sharing),
    /** True if the source of the task has such work already, so that it leaves the last permit of a machine to others. */
    leavesOne: (work: SharedWork): boolean => before.holds(work) || given.holds(work),
    took: given.begin,
  }
}
