// Decides which jobs run: one queue per type, with the concurrency of the type.
import type { LiveJob } from './live-job.ts'

type Lane = { readonly waiting: LiveJob[]; running: number }
type Deps = {
  /** Never rejects. */
  readonly run: (job: LiveJob) => Promise<void>
  /** Aborts when the studio stops. */
  readonly over: AbortSignal
}

export function createLanes({ run, over }: Deps) {
  const lanes = new Map<string, Lane>()
  const running = new Map<string, Promise<void>>()

  function laneOf(type: string): Lane {
    const lane = lanes.get(type) ?? { waiting: [], running: 0 }
    lanes.set(type, lane)
    return lane
  }

  function pump(lane: Lane): void {
    while (!over.aborted && lane.waiting[0] && lane.running < lane.waiting[0].type.concurrency) begin(lane, lane.waiting.shift()!)
  }

  function begin(lane: Lane, job: LiveJob): void {
    lane.running++
    const done = run(job).then(() => {
      lane.running--
      running.delete(job.id)
      pump(lane)
    })
    running.set(job.id, done)
  }

  return {
    add(job: LiveJob): void {
      const lane = laneOf(job.type.type)
      lane.waiting.push(job)
      pump(lane)
    },
    /** Removes a waiting job from its queue. */
    remove(job: LiveJob): void {
      const { waiting } = laneOf(job.type.type)
      const index = waiting.indexOf(job)
      if (index >= 0) waiting.splice(index, 1)
    },
    isRunning: (id: string): boolean => running.has(id),
    waiting: (type: string): number => laneOf(type).waiting.length,
    /** Resolves when every running job has ended or paused. */
    settled: async (): Promise<void> => void (await Promise.all(running.values())),
  }
}
