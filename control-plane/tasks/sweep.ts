// The loop that repairs the table from the table: leases that ran out, deadlines that passed, and what is kept longer than anybody needs.
import { Failure } from '#shared/protocol/failure.ts'
import type { Clock } from '#shared/runtime/clock.ts'
import type { Log } from '#shared/runtime/log.ts'
import { loop, type Service } from '#shared/runtime/service.ts'
import type { Artifacts } from '../store/artifact.ts'
import type { Leases } from './leases.ts'
import type { Ledger } from './ledger.store.ts'
import type { Retention } from './retention.store.ts'

type Deps = {
  readonly ledger: Ledger
  readonly leases: Leases
  readonly retention: Retention
  readonly artifacts: Artifacts
  readonly clock: Clock
  readonly log: Log
}
const EVERY_MS = 500
const RETENTION_EVERY_MS = 10 * 60_000

export function createSweep({ ledger, leases, retention, artifacts, clock, log }: Deps): Service {
  let retainedAt = clock.mono()

  function expire(): void {
    for (const { taskId, epoch, code } of leases.expired((id) => ledger.get(id)?.task)) {
      const phase = ledger.get(taskId)?.task.phase
      const event = phase === 'unknown' ? ({ kind: 'lost' } as const) : ({ kind: 'lease-expired' } as const)
      log.info({ taskId, code }, 'a lease ran out')
      ledger.apply(taskId, { ...event, epoch, code, message: MESSAGES[code] ?? 'the machine did not answer in time' })
    }
    const now = clock.now()
    for (const { spec, task } of ledger.live())
      if (spec.deadlineAt <= now && task.phase !== 'cancelling') ledger.apply(task.id, { kind: 'deadline' })
  }

  async function retain(): Promise<void> {
    if (clock.mono() - retainedAt < RETENTION_EVERY_MS) return
    retainedAt = clock.mono()
    try {
      retention.purge(clock.now())
      const removed = await artifacts.sweep(retention.isNamed, clock.now() - 3600_000)
      if (removed > 0) log.info({ removed }, 'results nobody needs were removed')
    } catch (error) {
      log.warn({ err: Failure.from(error).message }, 'the retention sweep failed and is tried again')
    }
  }

  return loop(
    'sweep',
    async (signal) => {
      await clock.sleep(EVERY_MS, signal)
      expire()
      await retain()
    },
    (error) => {
      // A studio whose sweep has died would wait for ever for machines that never answer.
      throw error
    },
  )
}

const MESSAGES: Readonly<Record<string, string>> = {
  ACCEPT_TIMEOUT: 'the machine did not answer the offer',
  WORKER_DISCONNECTED: 'the machine did not come back in time',
  PROGRESS_LEASE_EXPIRED: 'the machine reported no progress',
  EXECUTION_TIMEOUT: 'the work took longer than its budget',
  MODEL_LOAD_TIMEOUT: 'loading the model took longer than its budget',
}
