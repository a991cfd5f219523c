import { handle, type Route } from '../../http/handle.ts'
import { eventStream } from '../../http/respond.ts'
import { jobsContracts } from './jobs.contract.ts'
import type { JobsService } from './jobs.service.ts'

export const jobsRoutes = (jobs: JobsService): Route[] => [
  handle(jobsContracts.list, ({ query }) => jobs.list(query)),
  handle(jobsContracts.count, ({ query }) => jobs.count(query)),
  handle(jobsContracts.read, ({ params }) => jobs.read(params.job_id)),
  handle(jobsContracts.listEvents, ({ params, query }) => jobs.events(params.job_id, query.after_seq, query.limit)),
  handle(jobsContracts.follow, async ({ params, query, signal }) =>
    eventStream(await jobs.follow(params.task_id, query.after_seq, query.ids, signal)),
  ),
  handle(jobsContracts.cancel, async ({ params }) => {
    await jobs.cancel(params.task_id)
    return { cancelled: true as const, task_id: params.task_id }
  }),
]
