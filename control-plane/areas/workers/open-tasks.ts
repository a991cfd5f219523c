// Puts the parts together that show tasks and machines at work, so that the root of the studio reads as a table of contents.
import { createEvents } from './events.service.ts'
import type { FleetService } from './fleet.service.ts'
import { createWorkerLogs } from './logs.service.ts'
import { createRemoteTasks } from './remote-task.service.ts'

type TaskDeps = Parameters<typeof createRemoteTasks>[0]
type EventDeps = Parameters<typeof createEvents>[0]
type Deps = TaskDeps & Pick<EventDeps, 'run' | 'running'> & Parameters<typeof createWorkerLogs>[0] & { readonly fleet: FleetService }

export function openTasks(deps: Deps) {
  const remoteTasks = createRemoteTasks(deps)
  const events = createEvents({ ...deps, fleet: deps.fleet.fleet, taskOf: remoteTasks.viewOf, taskById: deps.tasks.get })
  const logs = createWorkerLogs(deps)
  const end = () => {
    logs.end()
    events.end()
  }
  return { remoteTasks, events, logs, end }
}
