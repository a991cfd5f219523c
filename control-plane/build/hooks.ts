// What happens at a change of the ledger, in order. Hooks of one kind run in the order of this file; tasks.ts and registry.ts register
// theirs between the two lists, when they are created.
import type { Metrics } from '../observe/metrics.ts'
import type { TaskSpans } from '../observe/task-spans.ts'
import { tellOutcomes } from '../scheduler/outcome.ts'
import type { Ledger } from '../tasks/ledger.store.ts'
import type { Opened } from './areas.ts'
import type { Fleet } from './fleet.ts'
import type { Base } from './platform.ts'

/** Before all other hooks. */
export function observeLedger(ledger: Ledger, metrics: Metrics, spans: TaskSpans): void {
  // A batch is timed from its beginning.
  ledger.beforeCommit(metrics.beginTurn)
  // Counts every change, whoever caused it.
  ledger.written(metrics.follow)
  // An offer carries the trace of its attempt, so the span begins before the offer is sent.
  ledger.written(spans.follow)
  // Counts events that the task table refuses.
  ledger.refused(metrics.refused)
}

/** After tasks and sessions have registered theirs. */
export function connectHooks({ ledger, tasks }: Base, { scheduler, leases, estimates, breakers, registry }: Fleet, areas: Opened): void {
  // Places waiting tasks in the same batch that made a machine or a task available.
  ledger.beforeCommit(scheduler.pass)
  // A lease is extended only for a phase that is durable.
  ledger.committed(leases.follow)
  // The next placement uses the measured speed, whether or not the disk has the change yet.
  ledger.written(estimates.follow)
  // A breaker that trips must stop the next offer of the same batch.
  ledger.written((changes) => tellOutcomes(breakers, changes))
  // Offers are sent to the machine that the task was placed on.
  tasks.on('offer', (record) => registry.get(record.task.workerId!)?.offer(record))
  // A cancelled task is stopped where it runs.
  tasks.on('stop', (record) => registry.get(record.task.workerId!)?.stop(record))
  // Pages show durable changes only.
  ledger.committed(areas.committed)
}
