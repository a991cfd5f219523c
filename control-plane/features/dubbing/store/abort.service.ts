// Ends the work of a dub.

import type { Jobs } from '#control-plane/jobs/jobs.ts'
import { Failure } from '#shared/protocol/failure.ts'

export type AbortDub = ReturnType<typeof createAbort>

/** Ids of the jobs of a dub: `prep_<dub>`, and `asr_` or `dub_` with the dub and a time. */
export const isJobOf = (dubId: string, jobId: string): boolean =>
  jobId === `prep_${dubId}` ||
  ['asr', 'dub'].some((kind) => jobId.startsWith(`${kind}_${dubId}_`) && /^\d+$/.test(jobId.slice(kind.length + dubId.length + 2)))

/** Jobs of this type have the id of the dub that they make. */
export const BATCH_TYPE = 'batch'
export const REPAIR_TYPE = 'dub_repair'

type Deps = {
  readonly jobs: Pick<Jobs, 'active' | 'cancel'>
  /** Ends the exports of a dub. Returns whether there were any. */
  readonly stopExports: (dubId: string) => boolean
}

export function createAbort({ jobs, stopExports }: Deps) {
  /** The last start of work of each dub. */
  const starts = new Map<string, Promise<unknown>>()
  const workOf = (dubId: string) => jobs.active().filter(({ id, type }) => isJobOf(dubId, id) || (type === BATCH_TYPE && id === dubId))
  const activeOf = (dubId: string): string[] => workOf(dubId).map(({ id }) => id)
  /** Throws CONFLICT while a batch makes the dub: a second writer would mix its lines and tracks with those of the batch. */
  function requireNoBatch(dubId: string): void {
    if (activeOf(dubId).includes(dubId)) throw new Failure('CONFLICT', 'A batch makes this dub now. Wait until it has ended, or cancel it.')
  }
  return {
    activeOf,
    requireNoBatch,
    /** Throws CONFLICT while a batch or a repair makes voice tracks of the dub. */
    requireNoOtherTracks(dubId: string): void {
      requireNoBatch(dubId)
      if (workOf(dubId).some(({ type }) => type === REPAIR_TYPE))
        throw new Failure('CONFLICT', 'Lines of this dub are being repaired now. Wait until that has ended, or cancel it.')
    },
    /** Runs what requires that nothing else works on the dub and then starts a job: no other start of this dub comes between. */
    async startAlone<T>(dubId: string, start: () => Promise<T>): Promise<T> {
      const before = starts.get(dubId) ?? Promise.resolve()
      const mine = before.catch(() => {}).then(start)
      starts.set(dubId, mine)
      try {
        return await mine
      } finally {
        if (starts.get(dubId) === mine) starts.delete(dubId)
      }
    },
    /** Cancels every job and export of the dub. Resolves with whether there was one. Never throws for an unknown dub. */
    async abort(dubId: string): Promise<boolean> {
      const ids = activeOf(dubId)
      for (const id of ids)
        await jobs.cancel(id).catch((error: unknown) => {
          // It has ended meanwhile.
          if (Failure.from(error).code !== 'NOT_FOUND') throw error
        })
      // After the jobs: one that waits for an export then ends because of its own cancel.
      return stopExports(dubId) || ids.length > 0
    },
  }
}
