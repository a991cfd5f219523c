// Ends the work of a dub.
import { Failure } from '#shared/protocol/failure.ts'
import type { Jobs } from '../../../jobs/jobs.ts'

export type AbortDub = ReturnType<typeof createAbort>
const MOST_JOBS = 500

/** Ids of the jobs of a dub: `prep_<dub>`, and `asr_` or `dub_` with the dub and a time. */
export const isJobOf = (dubId: string, jobId: string): boolean =>
  jobId === `prep_${dubId}` ||
  ['asr', 'dub'].some((kind) => jobId.startsWith(`${kind}_${dubId}_`) && /^\d+$/.test(jobId.slice(kind.length + dubId.length + 2)))

/** Jobs of this type have the id of the dub that they make. */
export const BATCH_TYPE = 'batch'

type Deps = {
  readonly jobs: Pick<Jobs, 'page' | 'cancel'>
  /** Ends the exports of a dub. Returns whether there were any. */
  readonly stopExports: (dubId: string) => boolean
}

export function createAbort({ jobs, stopExports }: Deps) {
  const activeOf = async (dubId: string): Promise<string[]> => {
    const query = { status: 'active', type: null, projectId: null, text: null, before: null, limit: MOST_JOBS }
    return (await jobs.page(query))
      .filter(({ record: { job, type } }) => isJobOf(dubId, job.id) || (type === BATCH_TYPE && job.id === dubId))
      .map(({ record }) => record.job.id)
  }
  return {
    activeOf,
    /** Throws CONFLICT while a batch makes the dub: a second writer would mix its lines and tracks with those of the batch. */
    async requireNoBatch(dubId: string): Promise<void> {
      if ((await activeOf(dubId)).includes(dubId))
        throw new Failure('CONFLICT', 'A batch makes this dub now. Wait until it has ended, or cancel it.')
    },
    /** Cancels every job and export of the dub. Resolves with whether there was one. Never throws for an unknown dub. */
    async abort(dubId: string): Promise<boolean> {
      const ids = await activeOf(dubId)
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
