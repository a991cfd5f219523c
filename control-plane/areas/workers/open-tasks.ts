// Puts the parts together that show tasks and machines at work, so that the root of the studio reads as a table of contents.

import type { Change } from '../../tasks/record.ts'
import { createActivity } from './activity.service.ts'
import { createEvents } from './events.service.ts'
import type { FleetService } from './fleet.service.ts'
import { createWorkerLogs } from './logs.service.ts'
import { createRemoteTasks } from './remote-task.service.ts'

type TaskDeps = Parameters<typeof createRemoteTasks>[0]
type EventDeps = Parameters<typeof createEvents>[0]
type Deps = TaskDeps & Pick<EventDeps, 'run' | 'running'> & Parameters<typeof createWorkerLogs>[0] & { readonly fleet: FleetService }

export function openTasks(deps: Deps) {
  const remoteTasks = createRemoteTasks(deps)
  const events = createEvents({ ...deps, fleet: deps.fleet.fleet, taskOf: remoteTasks.viewOf, taskById: deps.tasks.find })
  const activity = createActivity({ clock: deps.clock, queued: deps.tasks.queued })
  const logs = createWorkerLogs(deps)
  const end = () => {
    logs.end()
    events.end()
  }
  const committed = (changes: readonly Change[]) => {
    events.committed(changes)
    activity.committed(changes)
  }
  return { remoteTasks, events, activity, logs, committed, end }
}
