import { handle, type Route } from '#control-plane/http/contract/handle.ts'
import { jsonLines } from '#control-plane/http/contract/respond.ts'
import { logsContracts } from './logs.contract.ts'
import type { WorkerLogs } from './logs.service.ts'

export type LogsParts = { readonly logs: WorkerLogs }

export const logsRoutes = ({ logs }: LogsParts): Route[] => [
  handle(logsContracts.readLogs, ({ params, query }) => logs.last(params.worker_id, query.last)),
  handle(logsContracts.followLogs, async ({ params, query, signal }) => jsonLines(await logs.follow(params.worker_id, query.last, signal))),
]
