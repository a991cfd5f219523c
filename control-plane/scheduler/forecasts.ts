// The forecast over the live state. Waiting tasks are evaluated at most once a second, for any number of requests.

import type { AttemptMarks } from '#control-plane/tasks/attempts.ts'
import type { Ledger } from '#control-plane/tasks/ledger.ts'
import type { TaskRecord } from '#control-plane/tasks/record.ts'
import type { Worker, WorkerStore } from '#control-plane/workers/worker.store.ts'
import type { Clock } from '#shared/runtime/clock.ts'
import type { Estimates } from './estimate.ts'
import { type ForecastLane, forecast, remaining } from './forecast.ts'
import type { Scheduler } from './scheduler.ts'
import { abilityOf, type WorkerView } from './worker-view.ts'

type Deps = {
  readonly clock: Clock
  readonly estimates: Estimates
  readonly marks: AttemptMarks
  readonly scheduler: Pick<Scheduler, 'unplaced'>
  readonly ledger: Pick<Ledger, 'held'>
  readonly workers: Pick<WorkerStore, 'get'>
  readonly view: (worker: Worker) => WorkerView
}
const FRESH_MS = 1_000

export function createForecasts({ clock, estimates, marks, scheduler, ledger, workers, view }: Deps) {
  let waiting: ReadonlyMap<string, number> = new Map()
  let at = Number.NEGATIVE_INFINITY

  function leftOf({ spec, task }: TaskRecord): number | null {
    const { attemptId, workerId, phase } = task
    if (!attemptId || !workerId) return null
    return remaining({
      phase,
      size: spec.size,
      progress: marks.get(attemptId)?.progress ?? 0,
      sinceMs: estimates.sinceMs(attemptId),
      pace: estimates.measured(workerId, spec.engine, spec.model, spec.operation),
    })
  }

  function walk(): ReadonlyMap<string, number> {
    const views = new Map<string, WorkerView | null>()
    const viewOf = (id: string) => {
      const worker = workers.get(id)
      if (!views.has(id)) views.set(id, worker ? view(worker) : null)
      return views.get(id) ?? null
    }
    return forecast(scheduler.unplaced(), (workerId, need): ForecastLane | null => {
      const pace = estimates.measured(workerId, need.engine, need.model, need.operation)
      const worker = pace && viewOf(workerId)
      const ability = worker && abilityOf(worker, need)
      if (!ability) return null
      const leftMs = ledger
        .held(workerId)
        .reduce((sum, record) => sum + (record.spec.engine === need.engine ? (leftOf(record) ?? 0) : 0), 0)
      return { permits: ability.permits, msPerUnit: pace.msPerUnit, leftMs }
    })
  }

  return {
    /** Epoch milliseconds; null when unknown. */
    endOf(record: TaskRecord): number | null {
      if (record.task.phase !== 'queued') {
        const leftMs = leftOf(record)
        return leftMs === null ? null : clock.now() + leftMs
      }
      const now = clock.mono()
      if (now - at > FRESH_MS) {
        waiting = walk()
        at = now
      }
      const leftMs = waiting.get(record.task.id)
      return leftMs === undefined ? null : clock.now() + Math.max(0, leftMs - (now - at))
    },
  }
}
