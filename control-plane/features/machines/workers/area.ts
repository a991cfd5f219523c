import { handle, type Route } from '#control-plane/http/contract/handle.ts'
import { jsonLines } from '#control-plane/http/contract/respond.ts'
import { definePoolArea } from '#control-plane/kernel/define.ts'
import { createFleet } from './fleet.service.ts'
import { logsContracts } from './logs.contract.ts'
import { createWorkerLogs, type WorkerLogs } from './logs.service.ts'
import { createTarget } from './target.service.ts'
import { REMOTE_OPERATIONS } from './work.rules.ts'
import { workersRoutes } from './workers.routes.ts'

type LogsParts = { readonly logs: WorkerLogs }

const logsRoutes = ({ logs }: LogsParts): Route[] => [
  handle(logsContracts.readLogs, ({ params, query }) => logs.last(params.worker_id, query.last)),
  handle(logsContracts.followLogs, async ({ params, query, signal }) => jsonLines(await logs.follow(params.worker_id, query.last, signal))),
]

export const workersArea = definePoolArea({
  name: 'workers',
  needs: [],
  open: (platform) => {
    const { choices, clock, workers, machines, peopleLimits, remoteAccess, tasks, view, rotation, endpoints } = platform
    const target = createTarget({
      settings: choices,
      workers,
      view,
      latencyMs: (id) => machines.get(id)?.latencyMs() ?? 0,
      isRunning: remoteAccess.isOpen,
      hasAgent: platform.settings.pool === null,
    })
    const fleet = createFleet({
      workers,
      tokens: platform.tokens,
      settings: choices,
      audit: platform.audit,
      view,
      machines,
      remoteAccess,
      queueDepth: tasks.queued,
      identity: platform.identity,
      endpoints,
      breakers: platform.breakers,
      bus: platform.bus,
    })
    const logs = createWorkerLogs({ workers, live: machines.get, clock })
    return {
      routes: [...workersRoutes({ fleet, target, rotation, endpoints }), ...logsRoutes({ logs })],
      api: {
        // A person whose machines the choice of the owner is not among gets one of its own.
        targetOf(operation) {
          const chosen = target.forTask(operation)
          return chosen === 'auto' || peopleLimits.mayUse(chosen) ? chosen : 'auto'
        },
        fallbackOf: target.fallbackOf,
        isUsable: target.isUsable,
        labelOf: target.labelOf,
        isRemoteOperation: (operation) => REMOTE_OPERATIONS.includes(operation),
        isRemoteEnabled: fleet.isEnabled,
        fleet: fleet.fleet,
        remove: fleet.remove,
      },
      beginStop: logs.end,
    }
  },
})
