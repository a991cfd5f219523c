// Chooses the next turn among those that wait for a shared resource. Pure.

/** `arrival` grows with every wait. */
export type WaitingTurn = { readonly arrival: number }
export type FairSharing<T> = {
  /** Sharers of the turn, from the outermost on, such as a source and one of its clients. */
  readonly sharersOf: (turn: T) => readonly string[]
  /** Number of running turns of the sharer. */
  readonly running: (sharer: string, depth: number) => number
  /** Grows with every turn that begins; 0 for a sharer that had none. Default: all are equal. */
  readonly lastTurn?: (sharer: string, depth: number) => number
}

/**
 * Negative if `one` goes before `other`: the sharer with the fewest running turns, of equal ones the one whose last turn began longest ago; then
 * the same among those within it; then the one that has waited longest.
 */
export function compareTurns<T extends WaitingTurn>(one: T, other: T, { sharersOf, running, lastTurn = () => 0 }: FairSharing<T>): number {
  const others = sharersOf(other)
  for (const [depth, sharer] of sharersOf(one).entries()) {
    const against = others[depth]
    if (against === undefined || against === sharer) continue
    const difference = running(sharer, depth) - running(against, depth) || lastTurn(sharer, depth) - lastTurn(against, depth)
    if (difference !== 0) return difference
  }
  return one.arrival - other.arrival
}

/** Null when none waits. */
export function fairestTurn<T extends WaitingTurn>(waiting: Iterable<T>, sharing: FairSharing<T>): T | null {
  let next: T | null = null
  for (const turn of waiting) if (next === null || compareTurns(turn, next, sharing) < 0) next = turn
  return next
}
