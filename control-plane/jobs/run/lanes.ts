// Decides which jobs run: one queue per type, with the concurrency of the type for each client, in fair turns. A job that can do nothing until a
// machine or space on the disk is there does not count.
import { createLine, type InLine } from '#control-plane/clients/line.ts'
import { type ClientPlaces, createPlaces } from '#control-plane/clients/places.ts'
import type { LiveJob } from './live-job.ts'

type Queued = InLine & { readonly job: LiveJob }
type Away = Queued & { readonly place: PromiseWithResolvers<void> }
type Lane = {
  readonly line: ReturnType<typeof createLine>
  readonly waiting: Map<LiveJob, Queued>
  /** Jobs that have left their place and need one again. They began before all that wait. */
  readonly returning: Set<Away>
  /** Jobs that are away. */
  readonly places: ClientPlaces
}
type Deps = {
  /** Never rejects. */
  readonly run: (job: LiveJob) => Promise<void>
  /** Aborts when the studio stops. */
  readonly over: AbortSignal
}
export type Lanes = ReturnType<typeof createLanes>

/** Jobs of one type and client that are away: each looks for its machine from time to time. Further ones keep their place. */
const AWAY_PER_CLIENT = 32

export function createLanes({ run, over }: Deps) {
  const lanes = new Map<string, Lane>()
  const running = new Map<string, Promise<void>>()
  /** `back`: null while it does not need a place yet. */
  const away = new Map<string, { back: Away | null; readonly giveBack: () => void }>()
  let arrivals = 0
  let isHeld = false
  const waitingForRest = new Set<() => void>()

  function laneOf({ type: { type, concurrency } }: LiveJob): Lane {
    const lane = lanes.get(type) ?? {
      line: createLine({ perClient: concurrency }),
      waiting: new Map(),
      returning: new Set(),
      places: createPlaces({ perClient: AWAY_PER_CLIENT, what: 'jobs that wait for a machine' }),
    }
    lanes.set(type, lane)
    return lane
  }
  const queued = (job: LiveJob): Queued => ({ job, client: job.client, arrival: ++arrivals })

  function pump(lane: Lane): void {
    while (!over.aborted) {
      const back = lane.line.next(lane.returning)
      const next = back ?? (isHeld ? undefined : lane.line.next(lane.waiting.values()))
      if (!next) return
      lane.line.begin(next.client)
      if (back) {
        lane.returning.delete(back)
        isBack(back.job)
        back.place.resolve()
      } else {
        lane.waiting.delete(next.job)
        begin(lane, next.job)
      }
    }
  }

  function isBack({ id }: LiveJob): void {
    away.get(id)?.giveBack()
    away.delete(id)
  }

  function begin(lane: Lane, job: LiveJob): void {
    const done = run(job).then(() => {
      running.delete(job.id)
      const left = away.get(job.id)
      if (!left) lane.line.end(job.client)
      else if (left.back) lane.returning.delete(left.back)
      isBack(job)
      pump(lane)
      rested()
    })
    running.set(job.id, done)
  }

  const isAtRest = () => [...running.keys()].every((id) => away.has(id))
  function rested(): void {
    if (!isAtRest()) return
    for (const resolve of waitingForRest) resolve()
    waitingForRest.clear()
  }

  return {
    /** Begins no waiting job from now on. */
    hold(): void {
      isHeld = true
    },
    /** Resolves when no job runs but those that can do nothing now. */
    rest: (): Promise<void> => (isAtRest() ? Promise.resolve() : new Promise((resolve) => void waitingForRest.add(resolve))),
    add(job: LiveJob): void {
      const lane = laneOf(job)
      lane.waiting.set(job, queued(job))
      pump(lane)
    },
    /** Removes a waiting job from its queue. */
    remove: (job: LiveJob): void => void laneOf(job).waiting.delete(job),
    /** A running job that can do nothing now gives its place to the next one. */
    leave(job: LiveJob): void {
      const lane = laneOf(job)
      if (!running.has(job.id) || away.has(job.id) || lane.places.refusal(job.client)) return
      away.set(job.id, { back: null, giveBack: lane.places.take(1, job.client) })
      lane.line.end(job.client)
      pump(lane)
      rested()
    },
    /** Resolves when the job has a place again. A job that ends meanwhile needs none, so this may never settle. */
    async comeBack(job: LiveJob): Promise<void> {
      const left = away.get(job.id)
      if (!left) return
      if (left.back) return left.back.place.promise
      const lane = laneOf(job)
      const back: Away = { ...queued(job), place: Promise.withResolvers() }
      left.back = back
      lane.returning.add(back)
      pump(lane)
      return back.place.promise
    },
    isRunning: (id: string): boolean => running.has(id),
    /** Resolves when every running job has ended or paused. */
    settled: async (): Promise<void> => void (await Promise.all(running.values())),
  }
}
