// The workers in columns, so that a decision reads numbers in order instead of ten thousand objects. A column set belongs to one ability and
// is kept: a worker that changed rewrites its own row in each. `objection()` stays the only place that knows the rules.
import type { Need } from '#control-plane/tasks/queue.ts'
import { leftPermits, objection } from './objection.ts'
import { abilityOf, modelKey, type WorkerView } from './worker-view.ts'

/** State of a worker for one ability. `NEVER`: not without an action of the owner. `TESTED`: it may get a single task, as its test. */
export const NEVER = 0
export const LATER = 1
export const RUNS = 2
export const TESTED = 3

/** By slot. Times in ms. */
export type Columns = {
  readonly state: Uint8Array
  /** Free permits. */
  readonly room: Int32Array
  /** Free permits that a client with a running task leaves to others. */
  readonly left: Uint8Array
  /** Until a task could begin: the work it holds, loading, transfer. */
  readonly startMs: Float64Array
  readonly msPerUnit: Float64Array
  readonly priority: Float64Array
  /** No worker works faster. It may be lower than that of the fastest. */
  readonly least: { msPerUnit: number }
}
export type Candidates = {
  /** Slots, with empty ones. */
  readonly size: number
  readonly slotOf: (workerId: string) => number | undefined
  /** In the order of the slots. */
  readonly views: () => readonly WorkerView[]
  readonly viewAt: (slot: number) => WorkerView
  readonly columns: (need: Need) => Columns
  /** Reads the worker again, just before it gets a task. */
  readonly reread: (slot: number) => void
}
type AbilityNeed = Pick<Need, 'operation' | 'engine' | 'model' | 'modelDigest' | 'speaks' | 'cloning'>
type Kept = { readonly need: Need; readonly columns: Columns }

/** Rows of all columns that are kept, 30 bytes each; at least MIN_COLUMNS of them. */
const MAX_ROWS = 2 ** 20
const MIN_COLUMNS = 64
const FIRST_CAPACITY = 16
const NOTHING_TAKEN = { permits: 0, probe: false, leavesOne: false }

export function createCandidates(reread: (slot: number, id: string) => void = () => {}) {
  const slots = new Map<string, number>()
  const workers: (WorkerView | null)[] = []
  const empty: number[] = []
  const kept = new Map<string, Kept>()
  let capacity = FIRST_CAPACITY

  function put(view: WorkerView): void {
    const slot = slots.get(view.id) ?? empty.pop() ?? workers.length
    slots.set(view.id, slot)
    workers[slot] = view
    if (slot < capacity) for (const one of kept.values()) write(one, slot, view)
    else {
      capacity *= 2
      kept.clear()
    }
  }

  function remove(id: string): void {
    const slot = slots.get(id)
    if (slot === undefined) return
    slots.delete(id)
    workers[slot] = null
    empty.push(slot)
    for (const { columns } of kept.values()) columns.state[slot] = NEVER
  }

  function columns(need: Need): Columns {
    const spoken = need.speaks ? JSON.stringify(need.speaks) : ''
    const key = [need.operation, need.engine, need.model, need.modelDigest ?? '', need.cloning === true, spoken].join('|')
    const known = kept.get(key)
    if (known) return known.columns
    // The oldest: needs come and go with the models and voices in use, and reading a whole fleet takes milliseconds.
    if (kept.size >= Math.max(MIN_COLUMNS, MAX_ROWS / capacity)) kept.delete(kept.keys().next().value!)
    const made: Kept = { need: plainNeed(need), columns: emptyColumns(capacity) }
    for (const [slot, view] of workers.entries()) if (view) write(made, slot, view)
    kept.set(key, made)
    return made.columns
  }

  const candidates: Candidates = {
    get size() {
      return workers.length
    },
    slotOf: (id) => slots.get(id),
    views: () => workers.filter((view) => view !== null),
    viewAt: (slot) => workers[slot]!,
    columns,
    reread: (slot) => reread(slot, workers[slot]!.id),
  }
  return { ...candidates, candidates, put, remove }
}

/** Needs of every task with this ability; the rest of a need is checked for each line. */
const plainNeed = ({ operation, engine, model, modelDigest, speaks, cloning }: AbilityNeed): Need => ({
  operation,
  engine,
  model,
  target: 'auto',
  excluded: [],
  avoided: [],
  ...(modelDigest !== undefined && { modelDigest }),
  ...(speaks !== undefined && { speaks }),
  ...(cloning !== undefined && { cloning }),
})

const emptyColumns = (size: number): Columns => ({
  state: new Uint8Array(size),
  room: new Int32Array(size),
  left: new Uint8Array(size),
  startMs: new Float64Array(size),
  msPerUnit: new Float64Array(size),
  priority: new Float64Array(size),
  least: { msPerUnit: Number.POSITIVE_INFINITY },
})

function write({ need, columns }: Kept, slot: number, view: WorkerView): void {
  const no = objection(view, need, NOTHING_TAKEN)
  if (no) {
    columns.state[slot] = no.forGood ? NEVER : LATER
    return
  }
  const ability = abilityOf(view, need)!
  columns.state[slot] = view.breakers.get(modelKey(need)) === 'one' ? TESTED : RUNS
  columns.room[slot] = ability.permits - (view.held.get(need.engine) ?? 0)
  columns.left[slot] = leftPermits(ability.permits)
  columns.startMs[slot] = view.backlogMs + (ability.resident ? 0 : ability.loadMs) + view.transferMs
  columns.msPerUnit[slot] = ability.msPerUnit
  columns.least.msPerUnit = Math.min(columns.least.msPerUnit, ability.msPerUnit)
  columns.priority[slot] = view.priority
}
