// Ends the work of a dub.
import { Failure } from '#shared/protocol/failure.ts'
import type { Jobs } from '../../../jobs/jobs.ts'

export type AbortDub = ReturnType<typeof createAbort>
const MOST_JOBS = 500

/** Ids of the jobs of a dub: `prep_<dub>`, and `asr_` or `dub_` with the dub and a time. */
export const isJobOf = (dubId: string, jobId: string): boolean =>
  jobId === `prep_${dubId}` ||
  ['asr', 'dub'].some((kind) => jobId.startsWith(`${kind}_${dubId}_`) && /^\d+$/.test(jobId.slice(kind.length + dubId.length + 2)))

export function createAbort({ jobs }: { readonly jobs: Pick<Jobs, 'page' | 'cancel'> }) {
  const activeOf = async (dubId: string): Promise<string[]> => {
    const query = { status: 'active', type: null, projectId: null, text: null, before: null, limit: MOST_JOBS }
    return (await jobs.page(query)).map(({ record }) => record.job.id).filter((id) => isJobOf(dubId, id))
  }
  return {
    activeOf,
    /** Cancels every job of the dub. Resolves with whether there was one. Never throws for an unknown dub. */
    async abort(dubId: string): Promise<boolean> {
      const ids = await activeOf(dubId)
      for (const id of ids)
        await jobs.cancel(id).catch((error: unknown) => {
          // It has ended meanwhile.
          if (Failure.from(error).code !== 'NOT_FOUND') throw error
        })
      return ids.length > 0
    },
  }
}
