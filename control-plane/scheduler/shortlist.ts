// The free workers that could begin soonest, found in one pass over all. Most tasks of a pass get one of them without another look at the
// rest: a worker that begins later finishes later for any size of the task, unless it works faster.
import { type Columns, RUNS } from './candidates.ts'

export type Shortlist = {
  readonly slots: Int32Array
  /** No worker beyond the list could begin before this; infinite when there is none. */
  readonly nextStartMs: number
}
const LENGTH = 64

/**
 * `taken`: permits given away in this pass, by slot. `leavesOne`: for a client that leaves the last permit to others. By start, of equal ones the
 * highest priority first, then the lowest slot.
 */
export function shortlistOf(
  { state, room, left, startMs, priority }: Columns,
  size: number,
  taken: Int32Array | undefined,
  leavesOne: boolean,
): Shortlist {
  const slots = new Int32Array(LENGTH)
  let count = 0
  let nextStartMs = Number.POSITIVE_INFINITY
  const isSooner = (a: number, b: number) => startMs[a]! < startMs[b]! || (startMs[a] === startMs[b] && priority[a]! > priority[b]!)
  for (let slot = 0; slot < size; slot++) {
    if (state[slot]! < RUNS || room[slot]! - (leavesOne ? left[slot]! : 0) <= (taken === undefined ? 0 : taken[slot]!)) continue
    if (count === LENGTH) {
      const last = slots[LENGTH - 1]!
      if (!isSooner(slot, last)) {
        if (startMs[slot]! < nextStartMs) nextStartMs = startMs[slot]!
        continue
      }
      if (startMs[last]! < nextStartMs) nextStartMs = startMs[last]!
    } else count++
    let at = count - 1
    for (; at > 0 && isSooner(slot, slots[at - 1]!); at--) slots[at] = slots[at - 1]!
    slots[at] = slot
  }
  return { slots: slots.subarray(0, count), nextStartMs }
}

/** True if no worker beyond the list can be a better choice than `found`, whose task ends at `endMs`. */
export function isBest({ nextStartMs }: Shortlist, { startMs, least }: Columns, found: number, endMs: number, size: number): boolean {
  const bound = nextStartMs + least.msPerUnit * size
  return endMs < bound || (endMs === bound && startMs[found] === nextStartMs)
}
