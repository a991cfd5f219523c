// Reactions to a change of the ledger, in order. Hooks of one kind run in the order of this file; tasks.ts and registry.ts register theirs
// between the two lists, when they are created.
import type { Metrics } from '#control-plane/observe/metrics.ts'
import type { TaskSpans } from '#control-plane/observe/task-spans.ts'
import type { Estimates } from '#control-plane/scheduler/estimate.ts'
import type { LiveCandidates } from '#control-plane/scheduler/live-candidates.ts'
import { reportOutcomes, withdrawOffers } from '#control-plane/scheduler/outcome.ts'
import type { Scheduler } from '#control-plane/scheduler/scheduler.ts'
import type { Registry } from '#control-plane/sessions/registry.ts'
import type { Leases } from '#control-plane/tasks/leases.ts'
import type { Ledger } from '#control-plane/tasks/ledger.ts'
import type { Change } from '#control-plane/tasks/record.ts'
import type { Tasks } from '#control-plane/tasks/tasks.ts'
import type { Breakers } from '#control-plane/workers/breaker.ts'
import type { Rejections } from '#control-plane/workers/rejections.ts'

type Parts = {
  readonly ledger: Ledger
  readonly tasks: Tasks
  readonly leases: Leases
  readonly registry: Registry
  readonly scheduler: Scheduler
  readonly candidates: Pick<LiveCandidates, 'follow'>
  readonly estimates: Estimates
  readonly breakers: Breakers
  readonly rejections: Rejections
  readonly areas: { readonly committed: (changes: readonly Change[]) => void }
}

/** Connected before all other hooks. */
export function observeLedger(ledger: Ledger, metrics: Metrics, spans: TaskSpans): void {
  // A batch is timed from its beginning.
  ledger.beforeCommit(metrics.beginBatch)
  // Counts every change, including those that later hooks make.
  ledger.onDecided(metrics.follow)
  // An offer carries the trace of its attempt, so the span begins before the offer is sent.
  ledger.onDecided(spans.follow)
  ledger.onUndone((_failure, _ids, decided) => {
    metrics.undone(decided)
    spans.undone(decided)
  })
  // Counts events that the task table refuses.
  ledger.onRefused(metrics.refused)
}

/** Connected after tasks.ts and registry.ts have registered theirs. */
export function connectHooks({
  ledger,
  tasks,
  leases,
  registry,
  scheduler,
  candidates,
  estimates,
  breakers,
  rejections,
  areas,
}: Parts): void {
  // Placements become durable together with the change that made them possible.
  ledger.beforeCommit(scheduler.pass)
  // Starts and ends the time budgets of a phase once the phase is durable.
  ledger.onCommitted(leases.follow)
  // The next placement already uses the measured speed; a measurement that is undone does no harm.
  ledger.onDecided(estimates.follow)
  // A tripped breaker must stop the next offer, which may leave before the disk has the change.
  ledger.onDecided((changes) => reportOutcomes(breakers, rejections, changes))
  // A breaker must not wait for the end of an attempt that never was.
  ledger.onUndone((_failure, _ids, decided) => withdrawOffers(breakers, decided))
  // The next placement reads the machines whose speed or breakers have just changed.
  ledger.onDecided(candidates.follow)
  // Sends the offer to the machine that the task was placed on.
  tasks.on('offer', (record) => registry.get(record.task.workerId!)?.offer(record))
  // Stops a cancelled task on its machine.
  tasks.on('stop', (record) => registry.get(record.task.workerId!)?.stop(record))
  // Pages show durable changes only.
  ledger.onCommitted(areas.committed)
}
