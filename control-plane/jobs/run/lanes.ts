// Decides which jobs run: one queue per type, with the concurrency of the type. A job that can do nothing until a machine or space on the disk
// is there does not count.
import { Failure } from '#shared/protocol/failure.ts'
import type { LiveJob } from './live-job.ts'

type Lane = {
  readonly waiting: LiveJob[]
  /** Jobs that have left their place and need one again. They began before all that wait. */
  readonly returning: Away[]
  running: number
  away: number
}
type Away = { readonly job: LiveJob; readonly place: PromiseWithResolvers<void> }
type Deps = {
  /** Never rejects. */
  readonly run: (job: LiveJob) => Promise<void>
  /** Aborts when the studio stops. */
  readonly over: AbortSignal
}
export type Lanes = ReturnType<typeof createLanes>

const WAITING = 1_000
/** Jobs of one type that are away: each looks for its machine from time to time. Further ones keep their place. */
const MOST_AWAY = 32

export function createLanes({ run, over }: Deps) {
  const lanes = new Map<string, Lane>()
  const running = new Map<string, Promise<void>>()
  /** Null: it does not need a place yet. */
  const away = new Map<string, Away | null>()

  function laneOf(type: string): Lane {
    const lane = lanes.get(type) ?? { waiting: [], returning: [], running: 0, away: 0 }
    lanes.set(type, lane)
    return lane
  }

  function pump(lane: Lane, concurrency: number): void {
    while (!over.aborted && lane.running < concurrency) {
      const back = lane.returning.shift()
      if (back) {
        lane.running++
        lane.away--
        away.delete(back.job.id)
        back.place.resolve()
      } else if (lane.waiting[0]) begin(lane, lane.waiting.shift()!)
      else return
    }
  }

  function begin(lane: Lane, job: LiveJob): void {
    lane.running++
    const done = run(job).then(() => {
      running.delete(job.id)
      const left = away.get(job.id)
      if (left === undefined) lane.running--
      else lane.away--
      away.delete(job.id)
      if (left) lane.returning.splice(lane.returning.indexOf(left), 1)
      pump(lane, job.type.concurrency)
    })
    running.set(job.id, done)
  }

  return {
    add(job: LiveJob): void {
      const lane = laneOf(job.type.type)
      lane.waiting.push(job)
      pump(lane, job.type.concurrency)
    },
    /** Removes a waiting job from its queue. */
    remove(job: LiveJob): void {
      const { waiting } = laneOf(job.type.type)
      const index = waiting.indexOf(job)
      if (index >= 0) waiting.splice(index, 1)
    },
    /** A running job that can do nothing now gives its place to the next one. */
    leave(job: LiveJob): void {
      const lane = laneOf(job.type.type)
      if (!running.has(job.id) || away.has(job.id) || lane.away >= MOST_AWAY) return
      away.set(job.id, null)
      lane.running--
      lane.away++
      pump(lane, job.type.concurrency)
    },
    /** Resolves when the job has a place again. A job that ends meanwhile needs none, so this may never settle. */
    async comeBack(job: LiveJob): Promise<void> {
      const left = away.get(job.id)
      if (left === undefined) return
      if (left) return left.place.promise
      const lane = laneOf(job.type.type)
      const back: Away = { job, place: Promise.withResolvers() }
      away.set(job.id, back)
      lane.returning.push(back)
      pump(lane, job.type.concurrency)
      return back.place.promise
    },
    isRunning: (id: string): boolean => running.has(id),
    /** Throws QUEUE_FULL when too many jobs of this type wait. */
    requireRoom(type: string): void {
      if (laneOf(type).waiting.length >= WAITING) throw new Failure('QUEUE_FULL', `${WAITING} jobs of this kind are waiting already.`)
    },
    /** Resolves when every running job has ended or paused. */
    settled: async (): Promise<void> => void (await Promise.all(running.values())),
  }
}
