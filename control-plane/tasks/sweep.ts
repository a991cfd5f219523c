// The loop that acts on time: expired leases, passed deadlines, and tasks and files that nothing needs.

import type { Artifacts } from '#control-plane/store/artifact.ts'
import { createWallWindow } from '#control-plane/store/files/wall-window.ts'
import { Failure } from '#shared/protocol/failure.ts'
import { type Clock, createSteadyNow } from '#shared/runtime/clock.ts'
import type { Log } from '#shared/runtime/log.ts'
import { loop, type Service } from '#shared/runtime/service.ts'
import type { Leases } from './leases.ts'
import type { Ledger } from './ledger.ts'
import type { Retention } from './retention.ts'

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
/** Younger files stay: a file is stored before the row that names it, which waits for the admission of its task. */
const HOUR_MS = 3600_000

export function createSweep({ ledger, leases, retention, artifacts, clock, log }: Deps): Service {
  let retainedAt = clock.mono()
  const steadyNow = createSteadyNow(clock)
  const lastHour = createWallWindow(clock, HOUR_MS)

  function expire(): void {
    for (const { taskId, epoch, code } of leases.expired((id) => ledger.peek(id)?.task)) {
      const phase = ledger.peek(taskId)?.task.phase
      const event = phase === 'unknown' ? ({ kind: 'lost' } as const) : ({ kind: 'lease-expired' } as const)
      log.info({ taskId, code }, 'a lease expired')
      ledger.apply(taskId, { ...event, epoch, code, message: MESSAGES[code] ?? 'The machine did not answer in time.' })
    }
    for (const record of ledger.live()) {
      const { task } = record
      if (ledger.msLeft(record) <= 0 && task.phase !== 'cancelling') ledger.apply(task.id, { kind: 'deadline' })
    }
  }

  async function retain(): Promise<void> {
    if (clock.mono() - retainedAt < RETENTION_EVERY_MS) return
    retainedAt = clock.mono()
    try {
      await retention.purge(steadyNow())
      const { from, to } = lastHour()
      const removed = await artifacts.sweep(from, to)
      if (removed > 0) log.info({ removed }, 'files that nothing needs were removed')
    } catch (error) {
      log.warn({ err: Failure.from(error).message }, 'the retention sweep failed and is tried again')
    }
  }

  return loop(
    'sweep',
    async (signal) => {
      await clock.sleep(EVERY_MS, signal)
      lastHour()
      expire()
      await retain()
    },
    (error) => {
      // Without the sweep the studio would wait for ever for machines that never answer.
      throw error
    },
  )
}

const MESSAGES: Readonly<Record<string, string>> = {
  ACCEPT_TIMEOUT: 'The machine did not answer the offer.',
  WORKER_DISCONNECTED: 'The machine did not reconnect in time.',
  PROGRESS_LEASE_EXPIRED: 'The machine reported no progress.',
  EXECUTION_TIMEOUT: 'The work took longer than its budget.',
  MODEL_LOAD_TIMEOUT: 'Loading the model took longer than its budget.',
}
