import { createKey } from '#shared/pki/key.ts'
import { defineArea } from '../define.ts'
import { createActivity } from './activity.service.ts'
import { eventsRoutes } from './events.routes.ts'
import { createEvents } from './events.service.ts'
import { createFleet } from './fleet.service.ts'
import { lendingRoutes } from './lending.routes.ts'
import { createLending } from './lending.service.ts'
import { logsRoutes } from './logs.routes.ts'
import { createWorkerLogs } from './logs.service.ts'
import { createRemoteTasks } from './remote-task.service.ts'
import { createTarget } from './target.service.ts'
import { workersRoutes } from './workers.routes.ts'

export const workersArea = defineArea({
  name: 'workers',
  needs: [],
  open: (platform) => {
    const { settings, choices, clock, random, workers, machines, remoteAccess, tasks, marks, view, rotation } = platform
    const { isOpen: isRunning } = remoteAccess
    const target = createTarget({
      settings: choices,
      workers,
      view,
      latencyMs: (id) => machines.get(id)?.latencyMs() ?? 0,
      isRunning,
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
      endpointHost: settings.workerEndpointHost,
      settle: platform.ledger.flush,
      breakers: platform.breakers,
    })
    const lending = createLending({
      agent: platform.agent,
      connections: platform.connections,
      dialler: platform.dialler,
      isRunning,
      isReady: (workerId) => machines.get(workerId)?.isReady() === true,
      removeWorker: fleet.remove,
      createKey,
    })
    const remoteTasks = createRemoteTasks({
      tasks,
      marks,
      clock,
      isRunning,
      target: target.forTask,
      why: platform.why,
      expected: platform.expectedEnd,
      artifactPath: platform.artifacts.pathOf,
      development: settings.development,
    })
    const events = createEvents({
      clock,
      run: random.hex(6),
      taskOf: remoteTasks.viewOf,
      taskById: tasks.get,
      running: platform.ledger.live,
      marks,
      fleet: fleet.fleet,
      bus: platform.bus,
    })
    const activity = createActivity({ clock, queued: tasks.queued })
    const logs = createWorkerLogs({ workers, live: machines.get, clock })
    return {
      routes: [
        ...workersRoutes({ fleet, target, remoteTasks, rotation }),
        ...lendingRoutes(lending),
        ...logsRoutes({ logs }),
        ...eventsRoutes({ events, activity }),
      ],
      api: { targetOf: target.forTask, isRemoteEnabled: fleet.isEnabled },
      services: [events],
      committed: (changes) => {
        events.committed(changes)
        activity.committed(changes)
      },
      beginStop: () => {
        logs.end()
        events.end()
      },
    }
  },
})
