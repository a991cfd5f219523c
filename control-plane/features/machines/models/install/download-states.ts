// The installations of this machine and of others that failed or were cancelled, so that a page still shows the reason after a reload and a restart.
// The jobs keep them; this file has the newest of each model in memory.
import { z } from 'zod'
import type { Jobs } from '#control-plane/jobs/jobs.ts'
import type { Clock } from '#shared/runtime/clock.ts'
import type { Place } from './install-reports.ts'

/** `position`: how many installations of the machine come before it. `code`: of a failure. */
export type DownloadState = {
  readonly state: 'queued' | 'downloading' | 'failed'
  readonly error: string | null
  readonly code: string | null
  readonly position: number | null
}
/** `at`: on the monotonic clock; before the start of the studio it counts as long ago. */
type FailedDownload = { readonly message: string; readonly code: string; readonly at: number }
type Deps = { readonly jobs: Pick<Jobs, 'page'>; readonly clock: Clock }

const COOLDOWN_MS = 60_000
const READ = 500
const Meta = z.object({ repo_id: z.string(), target: z.string() })

export const placeKey = ({ where, repo_id }: Place): string => `${where} ${repo_id}`

export function createDownloadStates({ jobs, clock }: Deps) {
  const failures = new Map<string, FailedDownload>()
  const cancelled = new Set<string>()
  /** Places whose newest installation is known here. */
  const known = new Set<string>()
  let loading: Promise<void> | null = null

  async function load(): Promise<void> {
    const newest = await jobs.page({
      viewer: null,
      type: 'model_install',
      projectId: null,
      text: null,
      status: null,
      before: null,
      limit: READ,
    })
    for (const { record } of newest) {
      const meta = Meta.safeParse(JSON.parse(record.meta))
      if (!meta.success) continue
      const key = placeKey({ where: meta.data.target, repo_id: meta.data.repo_id })
      if (known.has(key)) continue
      known.add(key)
      const { failure, status } = record.job
      if (status === 'cancelled') cancelled.add(key)
      else if (failure) failures.set(key, { ...failure, at: Number.NEGATIVE_INFINITY })
    }
  }

  function loaded(): Promise<void> {
    loading ??= load().catch((error: unknown) => {
      loading = null // the next request tries again
      throw error
    })
    return loading
  }

  return {
    cancelled(place: Place): void {
      known.add(placeKey(place))
      failures.delete(placeKey(place))
      cancelled.add(placeKey(place))
    },
    /** True if the newest installation was cancelled. */
    async isCancelled(place: Place): Promise<boolean> {
      await loaded()
      return cancelled.has(placeKey(place))
    },
    /** A new installation begins: earlier ones do not count. */
    begun(place: Place): void {
      known.add(placeKey(place))
      failures.delete(placeKey(place))
      cancelled.delete(placeKey(place))
    },
    failed(place: Place, failure: Pick<FailedDownload, 'message' | 'code'>): void {
      known.add(placeKey(place))
      failures.set(placeKey(place), { ...failure, at: clock.mono() })
    },
    /** The failure no longer counts. */
    forgive(place: Place): void {
      known.add(placeKey(place))
      failures.delete(placeKey(place))
    },
    /** Every model may be tried again at once; the reasons of the failures stay. */
    forgiveAll(): void {
      for (const [key, failure] of failures) failures.set(key, { ...failure, at: Number.NEGATIVE_INFINITY })
    },
    /** Milliseconds until the next attempt is allowed after a failure; 0 or less if it is allowed now. */
    coolMs: (place: Place): number => COOLDOWN_MS - (clock.mono() - (failures.get(placeKey(place))?.at ?? Number.NEGATIVE_INFINITY)),
    async failureOf(place: Place): Promise<DownloadState | null> {
      await loaded()
      const failure = failures.get(placeKey(place))
      return failure ? { state: 'failed', error: failure.message, code: failure.code, position: null } : null
    },
  }
}
