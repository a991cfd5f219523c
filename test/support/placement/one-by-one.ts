// Placement in the simplest way: every worker is judged for every task, and every line is compared for every turn. The one that runs must choose
// the same.
import type { Client } from '#control-plane/clients/client.ts'
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

/** Nothing runs before the pass. */
export function placeOneByOne(
  lines: readonly Line[],
  workers: readonly WorkerView[],
): { placements: TaskPlacement[]; unplaced: Unplaced[] } {
  const placements: TaskPlacement[] = []
  const waiting: { readonly line: Line; readonly leavesOne: boolean }[] = []
  const taken = new Map<string, number>()
  const probes = new Set<string>()
  const takenOf = (worker: WorkerView, need: Need) => taken.get(`${worker.id}|${need.engine}`) ?? 0
  const probeOf = (worker: WorkerView, need: Need) => `${worker.id}|${modelKey(need)}`
  const cursors = lines.map((line) => {
    const rest = line.waiting.values()
    return { line, rest, first: rest.next().value! }
  })

  const turns: Line[] = []
  const turnsOf = (test: (client: Client) => boolean) => turns.filter(({ client }) => test(client)).length
  const lastOf = (test: (client: Client) => boolean) => turns.findLastIndex(({ client }) => test(client))
  const rankOf = ({ line, first }: (typeof cursors)[number]): number[] => {
    const ofSource = ({ source }: Client) => source === line.client.source
    const ofClient = ({ name }: Client) => name === line.client.name
    return [
      ...[line.priority, line.client.isOwner ? 0 : 1, turnsOf(ofSource), lastOf(ofSource)],
      ...[turnsOf(ofClient), lastOf(ofClient), first.seq],
    ]
  }
  const leavesOneOf = ({ client, need, priority }: Line): boolean =>
    turns.some((one) => one.client.source === client.source && one.need.engine === need.engine && one.priority <= priority)

  while (cursors.length > 0) {
    cursors.sort((a, b) => {
      const other = rankOf(b)
      const differences = rankOf(a).map((rank, at) => rank - other[at]!)
      return differences.find((difference) => difference !== 0) ?? 0
    })
    const cursor = cursors[0]!
    const { need } = cursor.line
    const leavesOne = leavesOneOf(cursor.line)
    const why: Objection[] = []
    const free: WorkerView[] = []
    for (const worker of workers) {
      const reason = objection(worker, need, { permits: takenOf(worker, need), probe: probes.has(probeOf(worker, need)), leavesOne })
      if (reason) why.push({ workerId: worker.id, ...reason })
      else free.push(worker)
    }
    const pinned = need.target !== 'auto'
    const fresh = pinned ? free : free.filter((worker) => !need.avoided.includes(worker.id))
    // A worker that failed the task gets it again only when no other connected worker could ever run it; one that is away may never return.
    const othersMay = why.some(({ reason, workerId }) => PASSING.has(reason) && !need.avoided.includes(workerId))
    const candidates = fresh.length > 0 ? fresh : othersMay ? [] : free
    if (candidates.length === 0) {
      waiting.push({ line: cursor.line, leavesOne })
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
    turns.push(cursor.line)
    const next = cursor.rest.next()
    if (next.done) cursors.shift()
    else cursor.first = next.value
  }
  const unplaced = waiting.map(({ line, leavesOne }): Unplaced => {
    const why = workers.map((worker): Objection => {
      const taken = { permits: takenOf(worker, line.need), probe: probes.has(probeOf(worker, line.need)), leavesOne }
      return { workerId: worker.id, ...(objection(worker, line.need, taken) ?? { reason: 'failed it before', forGood: false }) }
    })
    return { line, why, hopeless: why.every(({ forGood }) => forGood) }
  })
  return { placements, unplaced }
}
