// The logs of the machines.
import { z } from 'zod'
import { contract } from '#control-plane/http/contract/contract.ts'
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
    summary: 'Returns the newest log lines of a connected machine, oldest first. Secrets and texts of tasks are never logged.',
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
    summary: 'Streams log lines of a connected machine as JSON lines with empty lines in between, until the client disconnects.',
    extension: true,
    params: WorkerPath,
    query: last(0, 10),
    events: LogLineView,
    media: ['application/x-ndjson'],
  }),
}
