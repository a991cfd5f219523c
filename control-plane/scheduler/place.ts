// Chooses a worker for each waiting task. A function of a snapshot that also tells, when it is asked, why the other workers were not chosen.
import { createPassTurns, type Head, type HeldBefore, NOTHING_HELD } from '#control-plane/clients/pass-turns.ts'
import type { Line, Need, Waiting } from '#control-plane/tasks/queue.ts'
import { LOCAL } from '#control-plane/workers/worker.store.ts'
import { type Candidates, type Columns, NEVER, RUNS, TESTED } from './candidates.ts'
import { type Objection, objection, PASSING, type Taken } from './objection.ts'
import { isBest, type Shortlist, shortlistOf } from './shortlist.ts'
import { modelKey } from './worker-view.ts'

export type TaskPlacement = { readonly taskId: string; readonly workerId: string }
/**
 * The tasks of `line` that were not placed. `why`: the reason of each worker; `hopeless`: every reason is permanent. Both are found when
 * they are read, as of the pass, and may be read until the next one.
 */
export type Unplaced = { readonly line: Line; readonly why: readonly Objection[]; readonly hopeless: boolean }

type Cursor = { readonly line: Line; readonly rest: Iterator<Waiting>; first: Waiting; head: Head }
/** Slots that a task may not have. */
type Barred = Pick<ReadonlySet<number>, 'has'>
/** The slots that a line may use. `barred`: null when there are none. */
type Range = { readonly from: number; readonly to: number; readonly barred: Barred | null }

type Choice = { readonly slot: number; readonly endMs: number }
/** Tasks of one line. `leavesOne`: its client leaves the last permit of a machine to others. */
type Request = { readonly need: Need; readonly size: number; readonly leavesOne: boolean }
/** Permits that this pass has given away, by slot; slots that have their test; and slots that the task may not have. */
type Given = {
  readonly taken: Int32Array | undefined
  readonly probed: ReadonlySet<number> | undefined
  readonly barred: Barred | null
  readonly leavesOne: boolean
}
/** Below this many slots a list saves nothing. */
const FEW = 128

/** At most as many placements as there are free permits. Of the first tasks of all lines, the one whose turn it is is always placed next. */
export function place(
  lines: readonly Line[],
  fleet: Candidates,
  before: HeldBefore = NOTHING_HELD,
): { placements: TaskPlacement[]; unplaced: Unplaced[] } {
  const placements: TaskPlacement[] = []
  const unplaced: Unplaced[] = []
  const pass = createPass(fleet)
  const turns = createPassTurns(before)
  /** Needs that found no machine find none later in this pass either. */
  const refused = new Set<string>()
  const cursors = new Set(
    lines.map((line): Cursor => {
      const rest = line.waiting.values()
      const first = rest.next().value!
      return { line, rest, first, head: headOf(line, first) }
    }),
  )

  while (cursors.size > 0) {
    const cursor = nextOf(cursors, turns.compare)
    const { line } = cursor
    const leavesOne = turns.leavesOne(cursor.head)
    const key = `${leavesOne} ${line.needKey}`
    const slot = refused.has(key) ? null : pass.choose({ need: line.need, size: cursor.first.size, leavesOne })
    if (slot === null) {
      refused.add(key)
      unplaced.push(pass.refused(line, leavesOne))
      cursors.delete(cursor)
      continue
    }
    placements.push({ taskId: cursor.first.id, workerId: fleet.viewAt(slot).id })
    pass.take(slot, line.need)
    turns.took(cursor.head)
    const next = cursor.rest.next()
    if (next.done) {
      cursors.delete(cursor)
      continue
    }
    cursor.first = next.value
    cursor.head = headOf(line, next.value)
  }
  return { placements, unplaced }
}

const headOf = ({ client, need, priority }: Line, { seq }: Waiting): Head => ({ client, engine: need.engine, priority, arrival: seq })

function nextOf(cursors: Iterable<Cursor>, compare: (one: Head, other: Head) => number): Cursor {
  const [first, ...others] = cursors
  return others.reduce((next, cursor) => (compare(cursor.head, next.head) < 0 ? cursor : next), first!)
}

/** Permits that one pass has given away, and the choice of the next worker. */
function createPass(fleet: Candidates) {
  const permits = new Map<string, Int32Array>() // engine -> taken, by slot
  const probes = new Map<string, Set<number>>() // engine:model -> slots that have their test
  const shortlists = [new Map<Columns, Shortlist>(), new Map<Columns, Shortlist>()] as const // the second one for clients that leave one
  const takenAt = (slot: number, need: Need, leavesOne: boolean): Taken => ({
    permits: permits.get(need.engine)?.[slot] ?? 0,
    probe: probes.get(modelKey(need))?.has(slot) ?? false,
    leavesOne,
  })

  /** The slot where it would be finished first, of equal ones that of the highest priority; null when none is free. */
  function best(request: Request, range: Range): number | null {
    const { need, leavesOne } = request
    const columns = fleet.columns(need)
    const choice = soonest(columns, request, range)
    if (choice === null) return null
    fleet.reread(choice.slot)
    return isFree(columns, choice.slot, takenAt(choice.slot, need, leavesOne)) ? choice.slot : best(request, range)
  }

  function soonest(columns: Columns, { need, size, leavesOne }: Request, range: Range): Choice | null {
    const taken = permits.get(need.engine)
    const given = { taken, probed: probes.get(modelKey(need)), barred: range.barred, leavesOne }
    const among = (slots: Int32Array | null, from: number, to: number) => fastest(columns, size, given, slots, from, to)
    if (range.to - range.from < FEW) return among(null, range.from, range.to)
    const lists = shortlists[leavesOne ? 1 : 0]
    for (let tries = 0; tries < 2; tries++) {
      const list = lists.get(columns) ?? shortlistOf(columns, fleet.size, taken, leavesOne)
      lists.set(columns, list)
      const choice = among(list.slots, 0, list.slots.length)
      if (list.nextStartMs === Number.POSITIVE_INFINITY || (choice && isBest(list, columns, choice.slot, choice.endMs, size))) return choice
      lists.delete(columns) // its best workers are used up
    }
    return among(null, range.from, range.to)
  }

  /** Null: no worker may run it now. */
  function choose(request: Request): number | null {
    const { need, leavesOne } = request
    const all = rangeOf(need, fleet, need.excluded)
    const preferred = need.preferred === undefined || need.avoided.includes(need.preferred) ? undefined : fleet.slotOf(need.preferred)
    if (preferred !== undefined && preferred >= all.from && preferred < all.to) {
      const slot = best(request, { ...all, from: preferred, to: preferred + 1 })
      if (slot !== null) return slot
    }
    if (need.target !== 'auto' || need.avoided.length === 0) return best(request, all)
    // A worker that failed the task gets it again only when no other connected worker could ever run it; one that is away may never return.
    const fresh = best(request, rangeOf(need, fleet, [...need.excluded, ...need.avoided]))
    if (fresh !== null) return fresh
    const othersMay = fleet.views().some((view) => {
      const no = need.avoided.includes(view.id) ? null : objection(view, need, takenAt(fleet.slotOf(view.id)!, need, leavesOne))
      return no !== null && PASSING.has(no.reason)
    })
    return othersMay ? null : best(request, all)
  }

  function why(need: Need, leavesOne: boolean): Objection[] {
    return fleet.views().map((view) => ({
      workerId: view.id,
      ...(objection(view, need, takenAt(fleet.slotOf(view.id)!, need, leavesOne)) ?? { reason: 'failed it before', forGood: false }),
    }))
  }

  return {
    choose,
    take(slot: number, { engine, model }: Need): void {
      const taken = permits.get(engine) ?? new Int32Array(fleet.size)
      permits.set(engine, taken)
      taken[slot]!++
      const key = modelKey({ engine, model })
      probes.set(key, (probes.get(key) ?? new Set()).add(slot))
    },
    refused(line: Line, leavesOne: boolean): Unplaced {
      let reasons: readonly Objection[] | null = null
      return {
        line,
        get why() {
          reasons ??= why(line.need, leavesOne)
          return reasons
        },
        get hopeless() {
          return isHopeless(line.need, fleet)
        },
      }
    },
  }
}

/** The free slot with the earliest end: of `slots`, or of the fleet when that is null, in the range of indexes. */
function fastest(columns: Columns, size: number, given: Given, slots: Int32Array | null, from: number, to: number): Choice | null {
  const { state, room, left, startMs, msPerUnit, priority } = columns
  const { taken, probed, barred, leavesOne } = given
  let found = -1
  let endMs = 0
  for (let at = from; at < to; at++) {
    const slot = slots === null ? at : slots[at]!
    const used = taken === undefined ? 0 : taken[slot]!
    if (
      state[slot]! < RUNS ||
      room[slot]! - (leavesOne ? left[slot]! : 0) <= used ||
      barred?.has(slot) ||
      (state[slot] === TESTED && probed?.has(slot))
    )
      continue
    const own = msPerUnit[slot]! * size
    const end = startMs[slot]! + used * own + own
    if (found >= 0 && !isBetter(end, priority[slot]!, slot, endMs, priority[found]!, found)) continue
    found = slot
    endMs = end
  }
  return found < 0 ? null : { slot: found, endMs }
}

/** True if an end is earlier; of equal ends the higher priority is better, then the lower slot. */
const isBetter = (end: number, priority: number, slot: number, thanEnd: number, thanPriority: number, thanSlot: number): boolean =>
  end < thanEnd || (end === thanEnd && (priority > thanPriority || (priority === thanPriority && slot < thanSlot)))

const isFree = ({ state, room, left }: Columns, slot: number, { permits, probe, leavesOne }: Taken): boolean =>
  state[slot]! >= RUNS && room[slot]! - (leavesOne ? left[slot]! : 0) > permits && !(state[slot] === TESTED && probe)

const NO_SLOTS: Range = { from: 0, to: 0, barred: null }
function rangeOf(need: Need, fleet: Candidates, workerIds: readonly string[]): Range {
  const only = need.staysHere ? LOCAL : need.target
  if (need.staysHere && need.target !== 'auto' && need.target !== LOCAL) return NO_SLOTS
  const barred = barredFrom(need, fleet, workerIds)
  if (only === 'auto') return { from: 0, to: fleet.size, barred }
  const slot = fleet.slotOf(only)
  return slot === undefined ? NO_SLOTS : { from: slot, to: slot + 1, barred }
}

function barredFrom({ machines }: Need, fleet: Candidates, workerIds: readonly string[]): Barred | null {
  const slotsOf = (ids: readonly string[]) => new Set(ids.map((id) => fleet.slotOf(id) ?? -1))
  const barred = workerIds.length === 0 ? null : slotsOf(workerIds)
  if (machines === undefined) return barred
  const allowed = slotsOf(machines)
  return { has: (slot) => !allowed.has(slot) || barred?.has(slot) === true }
}

function isHopeless(need: Need, fleet: Candidates): boolean {
  const { from, to, barred } = rangeOf(need, fleet, need.excluded)
  const { state } = fleet.columns(need)
  for (let slot = from; slot < to; slot++) if (state[slot] !== NEVER && !barred?.has(slot)) return false
  return true
}
