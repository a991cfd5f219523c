import { handle, type Route } from '#control-plane/http/contract/handle.ts'
import { defineArea } from '#control-plane/kernel/define.ts'
import { createActivity } from './activity.service.ts'
import { createActivityStore } from './activity.store.ts'
import { eventsRoutes } from './events.routes.ts'
import { createEvents } from './events.service.ts'
import { lostMachines } from './lost-machines.ts'
import { tasksContracts } from './tasks.contract.ts'
import { createTaskService, type TaskService } from './tasks.service.ts'

const tasksRoutes = (tasks: TaskService): Route[] => [
  handle(tasksContracts.list, ({ query }) => tasks.list({ ...query, always: query.always === 'true' })),
  handle(tasksContracts.submit, ({ body, signal, traceparent }) => tasks.submit(body, signal, traceparent)),
  handle(tasksContracts.cancel, ({ params, query }) => tasks.cancel(params.task_id, query.always === 'true')),
]

declare module '#control-plane/kernel/define.ts' {
  interface AreaApis {
    readonly tasks: null
  }
}

export const tasksArea = defineArea({
  name: 'tasks',
  needs: ['workers'],
  open: (platform, { workers }) => {
    const {
      settings,
      clock,
      random,
      log,
      library: { db },
      tasks,
      marks,
      ledger,
      remoteAccess,
      why,
      expectedEnd,
      artifacts,
    } = platform
    const service = createTaskService({
      tasks,
      marks,
      clock,
      isRunning: remoteAccess.isOpen,
      isRemoteOperation: workers.isRemoteOperation,
      target: workers.targetOf,
      why,
      expected: expectedEnd,
      addressOf: artifacts.addressOf,
      development: settings.development,
    })
    const events = createEvents({
      clock,
      run: random.hex(6),
      taskOf: service.viewOf,
      taskById: tasks.find,
      running: ledger.live,
      marks,
      fleet: workers.fleet,
      bus: platform.bus,
    })
    const activity = createActivity({ clock, queued: tasks.queued, store: createActivityStore({ db }), log })
    return {
      routes: [...tasksRoutes(service), ...eventsRoutes({ events, activity })],
      api: null,
      services: [events],
      committed: (changes) => {
        for (const notice of lostMachines(changes)) platform.bus.publish(notice)
        events.committed(changes)
        activity.committed(changes)
      },
      beginStop() {
        activity.flush()
        events.end()
      },
    }
  },
})
