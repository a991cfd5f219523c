// What a machine wrote into its log, for the owner of the studio.
import { z } from 'zod'
import { bytes, type Route, route } from '../../http/route.ts'
import type { WorkerLogs } from './logs.service.ts'
import { WorkerPath } from './workers.schema.ts'

export type LogsParts = { readonly logs: WorkerLogs }

const LogLineView = z
  .object({ at: z.number(), level: z.string(), message: z.string(), fields: z.record(z.string(), z.unknown()) })
  .meta({ id: 'LogLine' })
export type LogLineView = z.output<typeof LogLineView>
const last = (smallest: number, otherwise: number) =>
  z.strictObject({ last: z.coerce.number().int().min(smallest).max(1000).default(otherwise) })

export const logsRoutes = ({ logs }: LogsParts): Route[] => [
  route({
    id: 'workers.readLogs',
    method: 'GET',
    path: '/workers/{worker_id}/logs',
    access: 'admin',
    summary: 'Ours: the newest lines of the log of a connected machine, oldest first, without secrets and without any text of a task.',
    params: WorkerPath,
    query: last(1, 100),
    reply: z.array(LogLineView),
    run: ({ params, query }) => logs.last(params.worker_id, query.last),
  }),
  bytes({
    id: 'workers.followLogs',
    method: 'GET',
    path: '/workers/{worker_id}/logs/stream',
    access: 'admin',
    summary: 'Ours: the same as lines of JSON, empty ones between them, and then every new one until the caller hangs up.',
    params: WorkerPath,
    query: last(0, 10),
    media: ['application/x-ndjson'],
    run: async ({ params, query, signal }) => ({
      headers: { 'content-type': 'application/x-ndjson', 'cache-control': 'no-cache' },
      body: await logs.follow(params.worker_id, query.last, signal),
    }),
  }),
]
