// The tasks of tenants: which attempt reads each of them, on which machine they run, and which of them no attempt reads after a restart.
import type { Change, TaskRecord } from '#control-plane/tasks/record.ts'
import type { Wire } from '#shared/protocol/generated/wire.ts'
import { RESTART_GRACE_MS } from '#shared/protocol/lease.ts'
import { TERMINAL } from '#shared/protocol/task.ts'
import type { Clock } from '#shared/runtime/clock.ts'
import type { Log } from '#shared/runtime/log.ts'
import { type Relayed, tenantOf } from './relayed-task.ts'

export type RelayedTasks = ReturnType<typeof createRelayedTasks>
type Reports = {
  /** `machine`: its name. */
  readonly running: (machine: string) => void
  /** No machine has the task. */
  readonly waiting: () => void
}
/** `at`: when the attempt arrived; null once it has run. */
type Claim = { readonly tenant: string; readonly taskId: string; readonly reports: Reports; said: string | null; at: number | null }
type Deps = {
  readonly ledger: {
    readonly byKey: (key: string) => Promise<TaskRecord | null>
    readonly peek: (id: string) => TaskRecord | null
    readonly live: () => Iterable<TaskRecord>
  }
  readonly nameOf: (workerId: string) => string
  readonly cancel: (taskId: string) => void
  readonly clock: Clock
  readonly log: Log
}
/** A machine keeps the state of a recording that goes on for about this long. */
const STICKS_MS = 60_000
/** Attempts whose wait is remembered for each tenant. */
const WAITS = 20

export function createRelayedTasks({ ledger, nameOf, cancel, clock, log }: Deps) {
  const claims = new Set<Claim>()
  const readers = new Map<string, Set<Claim>>() // by task id
  const sticking = new Map<string, { readonly workerId: string; readonly at: number }>()
  const waits = new Map<string, number[]>()

  const stickyKey = ({ tenant, engine, model }: Pick<Relayed, 'tenant' | 'engine' | 'model'>) => [tenant, engine, model].join('\n')
  const goesOn = (params: unknown): boolean => typeof params === 'object' && params !== null && Reflect.get(params, 'partial') === true

  function tell(claim: Claim): void {
    const { workerId, phase } = ledger.peek(claim.taskId)?.task ?? {}
    if (workerId && ['running', 'delivering', 'succeeded'].includes(phase!)) return say(claim, nameOf(workerId))
    if (phase === 'queued' && claim.said === null) {
      claim.said = ''
      claim.reports.waiting()
    }
  }
  function say(claim: Claim, machine: string): void {
    if (claim.at !== null) {
      const all = waits.get(claim.tenant) ?? []
      waits.set(claim.tenant, [...all, clock.mono() - claim.at].slice(-WAITS))
      claim.at = null
    }
    if (claim.said === machine && machine !== '') return
    claim.said = machine
    claim.reports.running(machine)
  }

  return {
    byKey: ledger.byKey,
    /** Called with each decided change of the ledger. */
    follow(changes: readonly Change[]): void {
      for (const { record } of changes) {
        const { id, workerId, phase } = record.task
        for (const claim of readers.get(id) ?? []) tell(claim)
        if (workerId && phase === 'running' && goesOnIn(record)) {
          const tenant = tenantOf(record.spec)
          if (tenant !== null) sticking.set(stickyKey({ tenant, ...record.spec }), { workerId, at: clock.mono() })
        }
      }
    },
    /** An attempt reads the task from now on. */
    claim({ tenant }: Relayed, { task: { id } }: TaskRecord, reports: Reports) {
      const claim: Claim = { tenant, taskId: id, reports, said: null, at: clock.mono() }
      claims.add(claim)
      const all = readers.get(id) ?? new Set()
      readers.set(id, all.add(claim))
      tell(claim)
      return {
        /** Output has arrived, so a machine runs it. */
        begun(): void {
          const workerId = ledger.peek(id)?.task.workerId
          if (claim.said === null || claim.said === '') say(claim, workerId ? nameOf(workerId) : 'unknown')
        },
        end(): void {
          claims.delete(claim)
          all.delete(claim)
          if (all.size === 0) readers.delete(id)
        },
      }
    },
    /** The machine that has the state of the tenant's recording; null for any. */
    preferredFor(work: Relayed): string | null {
      if (!goesOn(work.params)) return null
      const stuck = sticking.get(stickyKey(work))
      return stuck && clock.mono() - stuck.at < STICKS_MS ? stuck.workerId : null
    },
    /** Tasks of the last run whose tenant does not come back for them are cancelled. */
    cancelOrphans(): () => void {
      const orphans = [...ledger.live()].filter(({ spec }) => tenantOf(spec) !== null).map(({ task }) => task.id)
      if (orphans.length === 0) return () => {}
      return clock.after(RESTART_GRACE_MS, () => {
        const left = orphans.filter((id) => !readers.has(id) && ledger.peek(id) !== null && !TERMINAL.has(ledger.peek(id)!.task.phase))
        if (left.length > 0) log.info({ tasks: left.length }, 'tasks whose studios did not come back are cancelled')
        for (const id of left) cancel(id)
      })
    },
    /** `free`: permits without work. */
    useBy(tenant: string, free: number): Wire<'PoolUse'> {
      const running = [...claims].filter(({ said }) => said !== null && said !== '')
      const own = running.filter((claim) => claim.tenant === tenant).length
      const sorted = (waits.get(tenant) ?? []).toSorted((one, other) => one - other)
      return {
        own,
        others: running.length - own,
        free,
        studios: new Set(running.map((claim) => claim.tenant)).size,
        wait_ms: Math.round(sorted[Math.floor(sorted.length / 2)] ?? 0),
      }
    },
  }

  function goesOnIn({ spec: { params, operation } }: TaskRecord): boolean {
    // Most tasks are no recognition, and their parameters are long.
    return operation === 'asr' && params.includes('"partial":true')
  }
}
