// Removes old ended jobs and step results that have been unused for long.
import { Failure } from '#shared/protocol/failure.ts'
import { type Clock, createSteadyNow } from '#shared/runtime/clock.ts'
import type { Log } from '#shared/runtime/log.ts'
import { loop, type Service } from '#shared/runtime/service.ts'
import type { JobLists } from './store/list.store.ts'

const EVERY_MS = 3_600_000
const DAY_MS = 24 * EVERY_MS
const JOBS_KEPT_MS = 30 * DAY_MS
const RESULTS_KEPT_MS = 7 * DAY_MS

type Deps = { readonly lists: Pick<JobLists, 'purge'>; readonly clock: Clock; readonly log: Log }

export function createJobSweep({ lists, clock, log }: Deps): Service {
  const steadyNow = createSteadyNow(clock)
  return loop(
    'job-sweep',
    async (signal) => {
      await clock.sleep(EVERY_MS, signal)
      const now = steadyNow()
      await lists
        .purge(now - JOBS_KEPT_MS, now - RESULTS_KEPT_MS)
        .catch((error: unknown) =>
          log.warn({ err: Failure.from(error).message }, 'old jobs could not be removed; the next sweep tries again'),
        )
    },
    (error) => {
      throw error
    },
  )
}
