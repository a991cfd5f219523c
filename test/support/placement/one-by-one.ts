// Placement in the simplest way: every worker is judged for every task. The one that runs must choose the same.
import { type Objection, objection, PASSING } from '#control-plane/scheduler/objection.ts'
import type { TaskPlacement, Unplaced } from '#control-plane/scheduler/place.ts'
import { abilityOf, modelKey, type WorkerView } from '#control-plane/scheduler/worker-view.ts'
import type { Line, Need } from '#control-plane/tasks/queue.ts'

/** Predicted milliseconds until the task would be finished there. */
function finish(worker: WorkerView, need: Need, size: number, taken: number): number {
  const ability = abilityOf(worker, need)!
  const own = ability.msPerUnit * size
  return worker.backlogMs + (ability.resident ? 0 : ability.loadMs) + worker.transferMs + taken * own + own
}

/** At most as many placements as there are free permits. Of all lines, the most urgent first task is always placed next. */
export function placeOneByOne(
  lines: readonly Line[],
  workers: readonly WorkerView[],
): { placements: TaskPlacement[]; unplaced: Unplaced[] } {
  const placements: TaskPlacement[] = []
  const waiting: Line[] = []
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
      waiting.push(cursor.line)
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
  const unplaced = waiting.map((line): Unplaced => {
    const why = workers.map((worker): Objection => {
      const taken = { permits: takenOf(worker, line.need), probe: probes.has(probeOf(worker, line.need)) }
      return { workerId: worker.id, ...(objection(worker, line.need, taken) ?? { reason: 'failed it before', forGood: false }) }
    })
    return { line, why, hopeless: why.every(({ forGood }) => forGood) }
  })
  return { placements, unplaced }
}
