import { handle, type Route } from '#control-plane/http/contract/handle.ts'
import { eventStream } from '#control-plane/http/contract/respond.ts'
import { systemLogsContracts } from './system-logs.contract.ts'
import { type SystemLogs, tailCount } from './system-logs.service.ts'

export const systemLogsRoutes = (logs: SystemLogs): Route[] => [
  handle(systemLogsContracts.readLog, ({ query }) => logs.read(tailCount(query.tail))),
  handle(systemLogsContracts.readShellLog, ({ query }) => logs.readShell(tailCount(query.tail))),
  handle(systemLogsContracts.followLog, async ({ query, signal }) => eventStream(await logs.follow(query.source, query.interval, signal))),
  handle(systemLogsContracts.clearLog, () => logs.clear()),
  handle(systemLogsContracts.clearShellLog, () => logs.clearShell()),
]
