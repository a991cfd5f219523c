// What a machine wrote into its log, for the owner of the studio.
import { z } from 'zod'
import { contract } from '../../http/contract.ts'
import { WorkerPath } from './workers.schema.ts'

const LogLineView = z
  .object({ at: z.number(), level: z.string(), message: z.string(), fields: z.record(z.string(), z.unknown()) })
  .meta({ id: 'LogLine' })
export type LogLineView = z.output<typeof LogLineView>
const last = (smallest: number, otherwise: number) =>
  z.strictObject({ last: z.coerce.number().int().min(smallest).max(1000).default(otherwise) })

export const logsContracts = {
  readLogs: contract({
    id: 'workers.readLogs',
    method: 'GET',
    path: '/workers/{worker_id}/logs',
    access: 'admin',
    summary: 'The newest lines of the log of a connected machine, oldest first, without secrets and without any text of a task.',
    extension: true,
    params: WorkerPath,
    query: last(1, 100),
    reply: z.array(LogLineView),
  }),
  followLogs: contract({
    id: 'workers.followLogs',
    method: 'GET',
    path: '/workers/{worker_id}/logs/stream',
    access: 'admin',
    summary: 'The same as lines of JSON, empty ones between them, and then every new one until the caller hangs up.',
    extension: true,
    params: WorkerPath,
    query: last(0, 10),
    media: ['application/x-ndjson'],
  }),
}
