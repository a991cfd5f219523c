// Chooses a worker for each waiting task. A function of a snapshot that also tells, when it is asked, why the other workers were not chosen.
import type { Line, Need, Waiting } from '../tasks/queue.ts'
import { LOCAL } from '../workers/worker.store.ts'
import { type Candidates, type Columns, NEVER, RUNS, TESTED } from './candidates.ts'
import { type Objection, objection, PASSING } from './objection.ts'
import { isBest, type Shortlist, shortlistOf } from './shortlist.ts'
import { modelKey } from './worker-view.ts'

export type TaskPlacement = { readonly taskId: string; readonly workerId: string }
/**
 * The tasks of `line` that were not placed. `why`: the reason of each worker; `hopeless`: every reason is for good. Both are found when they
 * are read, as of the pass, and may be read until the next one.
 */
export type Unplaced = { readonly line: Line; readonly why: readonly Objection[]; readonly hopeless: boolean }

type Cursor = { readonly line: Line; readonly rest: Iterator<Waiting>; first: Waiting }
/** The slots that a line may use. `barred`: null when there are none. */
type Range = { readonly from: number; readonly to: number; readonly barred: ReadonlySet<number> | null }

type Choice = { readonly slot: number; readonly endMs: number }
/** What this pass has given away: permits by slot, slots that have their test; and slots that the task may not have. */
type Given = {
  readonly taken: Int32Array | undefined
  readonly probed: ReadonlySet<number> | undefined
  readonly barred: ReadonlySet<number> | null
}
/** Below this many slots a list saves nothing. */
const FEW = 128

/** At most as many placements as there are free permits. Of all lines, the most urgent first task is always placed next. */
export function place(lines: readonly Line[], fleet: Candidates): { placements: TaskPlacement[]; unplaced: Unplaced[] } {
  const placements: TaskPlacement[] = []
  const unplaced: Unplaced[] = []
  const pass = createPass(fleet)
  const cursors = lines.map((line): Cursor => {
    const rest = line.waiting.values()
    return { line, rest, first: rest.next().value! }
  })
  cursors.sort(byUrgency)

  while (cursors.length > 0) {
    const cursor = cursors[0]!
    const { need } = cursor.line
    const slot = pass.choose(need, cursor.first.size)
    if (slot === null) {
      unplaced.push(pass.refused(cursor.line))
      cursors.shift()
      continue
    }
    placements.push({ taskId: cursor.first.id, workerId: fleet.viewAt(slot).id })
    pass.take(slot, need)
    const next = cursor.rest.next()
    if (next.done) cursors.shift()
    else {
      cursor.first = next.value
      sink(cursors)
    }
  }
  return { placements, unplaced }
}

const byUrgency = (a: Cursor, b: Cursor): number => a.line.priority - b.line.priority || a.first.seq - b.first.seq

/** Puts the first, which may be less urgent than before, in its place. */
function sink(cursors: Cursor[]): void {
  for (let at = 0; at + 1 < cursors.length && byUrgency(cursors[at]!, cursors[at + 1]!) > 0; at++)
    [cursors[at], cursors[at + 1]] = [cursors[at + 1]!, cursors[at]!]
}

/** What has been given away in one pass, and the choice of the next worker. */
function createPass(fleet: Candidates) {
  const permits = new Map<string, Int32Array>() // engine -> taken, by slot
  const probes = new Map<string, Set<number>>() // engine:model -> slots that have their test
  const shortlists = new Map<Columns, Shortlist>()
  const takenAt = (slot: number, need: Need) => ({
    permits: permits.get(need.engine)?.[slot] ?? 0,
    probe: probes.get(modelKey(need))?.has(slot) ?? false,
  })

  /** The slot where it would be finished first, of equal ones that of the highest priority; null when none is free. */
  function best(need: Need, size: number, range: Range): number | null {
    const columns = fleet.columns(need)
    const choice = soonest(columns, need, size, range)
    if (choice === null) return null
    fleet.reread(choice.slot)
    return isFree(columns, choice.slot, takenAt(choice.slot, need)) ? choice.slot : best(need, size, range)
  }

  function soonest(columns: Columns, need: Need, size: number, range: Range): Choice | null {
    const taken = permits.get(need.engine)
    const among = (slots: Int32Array | null, from: number, to: number) =>
      fastest(columns, size, { taken, probed: probes.get(modelKey(need)), barred: range.barred }, slots, from, to)
    if (range.to - range.from < FEW) return among(null, range.from, range.to)
    for (let tries = 0; tries < 2; tries++) {
      const list = shortlists.get(columns) ?? shortlistOf(columns, fleet.size, taken)
      shortlists.set(columns, list)
      const choice = among(list.slots, 0, list.slots.length)
      if (list.nextStartMs === Number.POSITIVE_INFINITY || (choice && isBest(list, columns, choice.slot, choice.endMs, size))) return choice
      shortlists.delete(columns) // its best workers are used up
    }
    return among(null, range.from, range.to)
  }

  /** Null: no worker may run it now. */
  function choose(need: Need, size: number): number | null {
    const all = rangeOf(need, fleet, need.excluded)
    if (need.target !== 'auto' || need.avoided.length === 0) return best(need, size, all)
    // A worker that failed the task gets it again only when no other connected worker could ever run it; one that is away may never return.
    const fresh = best(need, size, rangeOf(need, fleet, [...need.excluded, ...need.avoided]))
    if (fresh !== null) return fresh
    const othersMay = fleet.views().some((view) => {
      const no = need.avoided.includes(view.id) ? null : objection(view, need, takenAt(fleet.slotOf(view.id)!, need))
      return no !== null && PASSING.has(no.reason)
    })
    return othersMay ? null : best(need, size, all)
  }

  function why(need: Need): Objection[] {
    return fleet.views().map((view) => ({
      workerId: view.id,
      ...(objection(view, need, takenAt(fleet.slotOf(view.id)!, need)) ?? { reason: 'failed it before', forGood: false }),
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
    refused(line: Line): Unplaced {
      let reasons: readonly Objection[] | null = null
      return {
        line,
        get why() {
          reasons ??= why(line.need)
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
  const { state, room, startMs, msPerUnit, priority } = columns
  const { taken, probed, barred } = given
  let found = -1
  let endMs = 0
  for (let at = from; at < to; at++) {
    const slot = slots === null ? at : slots[at]!
    const used = taken === undefined ? 0 : taken[slot]!
    if (state[slot]! < RUNS || room[slot]! <= used || barred?.has(slot) || (state[slot] === TESTED && probed?.has(slot))) continue
    const own = msPerUnit[slot]! * size
    const end = startMs[slot]! + used * own + own
    if (found >= 0 && !isBetter(end, priority[slot]!, slot, endMs, priority[found]!, found)) continue
    found = slot
    endMs = end
  }
  return found < 0 ? null : { slot: found, endMs }
}

/** Of equal ends the higher priority, then the lower slot. */
const isBetter = (end: number, priority: number, slot: number, thanEnd: number, thanPriority: number, thanSlot: number): boolean =>
  end < thanEnd || (end === thanEnd && (priority > thanPriority || (priority === thanPriority && slot < thanSlot)))

const isFree = ({ state, room }: Columns, slot: number, taken: { readonly permits: number; readonly probe: boolean }): boolean =>
  state[slot]! >= RUNS && room[slot]! > taken.permits && !(state[slot] === TESTED && taken.probe)

const NO_SLOTS: Range = { from: 0, to: 0, barred: null }
function rangeOf(need: Need, fleet: Candidates, workerIds: readonly string[]): Range {
  const only = need.staysHere ? LOCAL : need.target
  if (need.staysHere && need.target !== 'auto' && need.target !== LOCAL) return NO_SLOTS
  const barred = workerIds.length === 0 ? null : new Set(workerIds.map((id) => fleet.slotOf(id) ?? -1))
  if (only === 'auto') return { from: 0, to: fleet.size, barred }
  const slot = fleet.slotOf(only)
  return slot === undefined ? NO_SLOTS : { from: slot, to: slot + 1, barred }
}

function isHopeless(need: Need, fleet: Candidates): boolean {
  const { from, to, barred } = rangeOf(need, fleet, need.excluded)
  const { state } = fleet.columns(need)
  for (let slot = from; slot < to; slot++) if (state[slot] !== NEVER && !barred?.has(slot)) return false
  return true
}
