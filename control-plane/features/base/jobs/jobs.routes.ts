import { currentViewer } from '#control-plane/clients/client.ts'
import { handle, type Route } from '#control-plane/http/contract/handle.ts'
import { eventStream } from '#control-plane/http/contract/respond.ts'
import { type FollowContract, jobsContracts } from './jobs.contract.ts'
import type { JobsService } from './jobs.service.ts'

export const jobsRoutes = (jobs: JobsService, follow: FollowContract): Route[] => [
  handle(jobsContracts.list, async ({ query }) => jobs.list(query, currentViewer())),
  handle(jobsContracts.count, async ({ query }) => jobs.count(query, currentViewer())),
  handle(jobsContracts.read, ({ params }) => jobs.read(params.job_id)),
  handle(jobsContracts.listEvents, ({ params, query }) => jobs.events(params.job_id, query.after_seq, query.limit)),
  handle(follow, async ({ params, query, headers, signal }) => {
    // A browser that reconnects sends the id of the last frame.
    const last = query.ids ? Number(headers['last-event-id']) : Number.NaN
    const after = Number.isSafeInteger(last) ? Math.max(last, query.after_seq) : query.after_seq
    return eventStream(await jobs.follow(params.task_id, after, query.ids, signal))
  }),
  handle(jobsContracts.cancel, async ({ params }) => {
    await jobs.cancel(params.task_id)
    return { cancelled: true as const, task_id: params.task_id }
  }),
  handle(jobsContracts.retry, ({ params }) => jobs.retry(params.job_id)),
]
