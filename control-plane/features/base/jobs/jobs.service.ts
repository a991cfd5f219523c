// Jobs in the shapes of the API.

import { type FollowedEvent, PAUSED_FRAME } from '#control-plane/jobs/events.ts'
import { isSetAside } from '#control-plane/jobs/job.ts'
import type { Jobs } from '#control-plane/jobs/jobs.ts'
import type { JobCounts } from '#control-plane/jobs/store/list.store.ts'
import type { JobView } from '#control-plane/jobs/view.ts'
import type { ClientId } from '#shared/protocol/access/client.ts'
import { Failure } from '#shared/protocol/failure.ts'
import type { JobRow } from './jobs.contract.ts'

export type JobsService = ReturnType<typeof createJobsService>
type Filter = { readonly project_id: string | null; readonly type: string | null; readonly q: string | null }
type Query = Filter & { readonly status: string | null; readonly before: string | null; readonly limit: number }

export function createJobsService({ jobs }: { readonly jobs: Jobs }) {
  /** Throws NOT_FOUND. */
  async function view(id: string): Promise<JobView> {
    const found = await jobs.get(id)
    if (found) return found
    throw new Failure('NOT_FOUND', 'There is no such job. It may have been removed after 30 days.')
  }
  const filterOf = ({ project_id, type, q }: Filter, viewer: ClientId | null) => ({ viewer, projectId: project_id, type, text: q })

  return {
    /** `viewer`: only jobs that this client made; null for all. */
    async list({ status, before, limit, ...filter }: Query, viewer: ClientId | null): Promise<JobRow[]> {
      return (await jobs.page({ ...filterOf(filter, viewer), status, before, limit })).map(rowOf)
    },
    count: (filter: Filter, viewer: ClientId | null): Promise<JobCounts> => jobs.counts(filterOf(filter, viewer)),
    read: async (id: string): Promise<JobRow> => rowOf(await view(id)),
    async events(id: string, after: number, limit: number) {
      const job = rowOf(await view(id))
      const events = await jobs.events(id, after, limit)
      return { job, events: events.map(({ seq, createdAt, payload }) => ({ seq, created_at: createdAt / 1000, payload })) }
    },
    /** Server-sent frames. Throws NOT_FOUND, QUEUE_FULL. */
    async follow(id: string, after: number, withIds: boolean, signal: AbortSignal): Promise<AsyncIterable<string>> {
      return framed(await jobs.follow(id, after, signal), withIds, jobs.isStopping)
    },
    cancel: jobs.cancel,
    retry: async (id: string): Promise<JobRow> => rowOf(await jobs.retry(id)),
  }
}

async function* framed(events: AsyncIterable<FollowedEvent>, withIds: boolean, isStopping: () => boolean): AsyncGenerator<string> {
  for await (const { seq, payload } of events) {
    const frame = payload.startsWith('data: ') ? payload : `data: ${payload}\n\n`
    yield withIds ? `id: ${seq}\n${frame}` : frame
  }
  if (isStopping()) yield PAUSED_FRAME
}

export const rowOf = ({ record, progress, secondsLeft, heldBy }: JobView): JobRow => ({
  id: record.job.id,
  type: record.type,
  project_id: record.projectId,
  status: record.job.status,
  created_at: record.createdAt / 1000,
  updated_at: record.updatedAt / 1000,
  finished_at: record.finishedAt === null ? null : record.finishedAt / 1000,
  error: record.job.failure?.message ?? null,
  meta_json: record.meta,
  step: record.step,
  progress: progress === null ? null : Math.round(progress * 1000) / 1000,
  seconds_left: secondsLeft,
  set_aside: isSetAside(record.job),
  ...(heldBy && { held_by: heldBy.message, ...(heldBy.values && { held_values: heldBy.values }) }),
  ...(record.job.failure && { code: record.job.failure.code }),
  ...(record.job.failure?.needs && { needs: record.job.failure.needs }),
})
