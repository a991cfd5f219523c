// The metrics of GET /metrics. Counters follow the changes of the ledger as they are decided; gauges are read at the moment of a scrape.
// Labels come from closed sets: never the id of a task, never a path.
import Counter from 'prom-client/lib/counter.js'
import Gauge from 'prom-client/lib/gauge.js'
import Histogram from 'prom-client/lib/histogram.js'
import Registry from 'prom-client/lib/registry.js'
import type { Ledger } from '#control-plane/tasks/ledger.ts'
import type { Change } from '#control-plane/tasks/record.ts'
import type { Failure } from '#shared/protocol/failure.ts'
import { PHASES, type TaskEvent, TERMINAL } from '#shared/protocol/task.ts'
import type { Clock } from '#shared/runtime/clock.ts'
import { endOf } from './ends.ts'

/** The parts of a live session that metrics read. */
type Session = {
  readonly workerId: string
  readonly isReady: () => boolean
  readonly isDraining: () => boolean
  readonly latencyMs: () => number
}
/** Read at a scrape. */
export type Scraped = {
  readonly waiting: (priority: 0 | 1) => number
  readonly sessions: () => Iterable<Session>
  readonly breakers: () => Iterable<'open' | 'half_open'>
}
export type Metrics = ReturnType<typeof createMetrics>
const METHODS = ['GET', 'POST', 'PUT', 'PATCH', 'DELETE']

const FAST = [0.0005, 0.001, 0.002, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 1]
const HTTP = [0.002, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10, 30, 120]
const WORK = [0.005, 0.025, 0.1, 0.25, 0.5, 1, 2.5, 5, 10, 30, 60, 300, 1800]

export function createMetrics({ clock, ledger }: { readonly clock: Clock; readonly ledger: Pick<Ledger, 'live'> }) {
  const registers = [new Registry()]
  const [registry] = registers as [Registry]
  const counter = <L extends string>(name: string, help: string, ...labelNames: L[]) => new Counter({ name, help, labelNames, registers })
  const histogram = <L extends string>(name: string, help: string, buckets: number[], ...labelNames: L[]) =>
    new Histogram({ name, help, buckets, labelNames, registers })
  let scraped: Scraped = { waiting: () => 0, sessions: () => [], breakers: () => [] }

  const submitted = counter('studio_tasks_submitted_total', 'Tasks admitted, with those that a full disk undid.', 'operation')
  const ended = counter('studio_tasks_ended_total', 'Tasks ended, by how they ended.', 'operation', 'end')
  const attempts = counter('studio_attempts_ended_total', 'Attempts ended; code OK: its result was committed.', 'worker', 'code')
  const offers = counter('studio_offers_total', 'Offers made.', 'worker')
  const declined = counter('studio_offers_declined_total', 'Offers a worker refused before any work.', 'worker', 'code')
  const expired = counter('studio_leases_expired_total', 'Leases that ran out.', 'code')
  const refused = counter('studio_facts_refused_total', 'Facts of workers that came too late or were not allowed.', 'kind', 'reason')
  const wrongKeys = counter('studio_wrong_api_keys_total', 'Requests with a wrong API key.')
  const committed = counter('studio_artifact_bytes_total', 'Bytes of committed results.', 'operation')
  const opened = counter('studio_links_opened_total', 'Links to workers that were opened.', 'worker')
  const closed = counter('studio_links_closed_total', 'Links to workers that ended, by reason.', 'worker', 'code')

  const queueTime = histogram('studio_task_queue_seconds', 'From admission to the first offer.', WORK, 'operation')
  const taskTime = histogram('studio_task_duration_seconds', 'From admission to the end.', WORK, 'operation', 'end')
  const attemptTime = histogram('studio_attempt_duration_seconds', 'From the offer to the end of an attempt.', WORK, 'worker')
  const batchTime = histogram(
    'studio_commit_turn_seconds',
    'Deciding the changes of one turn, and writing them unless they wait for the next.',
    FAST,
  )
  const syncTime = histogram('studio_wal_sync_seconds', 'One sync of the log of the database.', FAST)
  const httpTime = histogram('studio_http_request_duration_seconds', 'Until the answer has left.', HTTP, 'route', 'method', 'status')
  const firstByte = histogram('studio_http_first_byte_seconds', 'Until the first byte of an answer made while it is sent.', HTTP, 'route')

  new Gauge({
    name: 'studio_tasks',
    help: 'Tasks that have not ended, by phase.',
    labelNames: ['phase'],
    registers,
    collect() {
      for (const phase of PHASES) if (!TERMINAL.has(phase)) this.set({ phase }, 0)
      for (const { task } of ledger.live()) if (!TERMINAL.has(task.phase)) this.inc({ phase: task.phase })
    },
  })
  new Gauge({
    name: 'studio_queue_tasks',
    help: 'Tasks that wait for a place.',
    labelNames: ['priority'],
    registers,
    collect() {
      this.set({ priority: 'interactive' }, scraped.waiting(0))
      this.set({ priority: 'batch' }, scraped.waiting(1))
    },
  })
  new Gauge({
    name: 'studio_workers',
    help: 'Workers with a link, by state.',
    labelNames: ['state'],
    registers,
    collect() {
      for (const state of ['opening', 'ready', 'draining']) this.set({ state }, 0)
      for (const each of scraped.sessions()) this.inc({ state: !each.isReady() ? 'opening' : each.isDraining() ? 'draining' : 'ready' })
    },
  })
  new Gauge({
    name: 'studio_breakers',
    help: 'Pairs of a worker and a model that are paused (open) or get one task to try (half_open).',
    labelNames: ['state'],
    registers,
    collect() {
      for (const state of ['open', 'half_open']) this.set({ state }, 0)
      for (const state of scraped.breakers()) this.inc({ state })
    },
  })
  new Gauge({
    name: 'studio_link_round_trip_seconds',
    help: 'Median of the last five round trips.',
    labelNames: ['worker'],
    registers,
    collect() {
      this.reset()
      for (const { workerId, latencyMs } of scraped.sessions()) this.set({ worker: workerId }, latencyMs() / 1000)
    },
  })

  const offeredAt = new Map<string, number>() // attempt -> when it was offered
  let batchFrom = 0

  function follow({ record, before, event }: Change): void {
    const { spec, task } = record
    const { operation } = spec
    if (before === null) submitted.inc({ operation })
    const worker = before?.workerId ?? ''
    if (event?.kind === 'offer') {
      offers.inc({ worker: task.workerId! })
      offeredAt.set(task.attemptId!, clock.mono())
      if (task.epoch === 1) queueTime.observe({ operation }, Math.max(0, clock.now() - record.createdAt) / 1000)
    }
    if (event?.kind === 'decline') declined.inc({ worker, code: event.code })
    if (event?.kind === 'lease-expired') expired.inc({ code: event.code })
    if (event && before?.attemptId && task.attemptId !== before.attemptId) {
      attempts.inc({ worker, code: endOf(before, task, event) })
      const from = offeredAt.get(before.attemptId)
      offeredAt.delete(before.attemptId)
      if (from !== undefined) attemptTime.observe({ worker }, (clock.mono() - from) / 1000)
    }
    if (!TERMINAL.has(task.phase)) return
    ended.inc({ operation, end: task.phase })
    taskTime.observe({ operation, end: task.phase }, Math.max(0, (record.finishedAt ?? clock.now()) - record.createdAt) / 1000)
    if (record.result) committed.inc({ operation }, record.result.size)
  }

  return {
    registry,
    /** Sets the sources of the gauges, which are created later than the metrics. */
    scrape(from: Scraped): void {
      scraped = from
    },
    wrongKey: (): void => wrongKeys.inc(),
    beginBatch(): void {
      batchFrom = clock.mono()
    },
    /** Follows the decided changes. Must be the first of the listeners, so that the batch is timed alone. */
    follow(changes: readonly Change[]): void {
      batchTime.observe((clock.mono() - batchFrom) / 1000)
      for (const change of changes) follow(change)
    },
    /** Decided changes that were not written. What was counted stays counted. */
    undone(changes: readonly Change[]): void {
      for (const { record } of changes) if (record.task.attemptId !== null) offeredAt.delete(record.task.attemptId)
    },
    refused({ kind, ...event }: TaskEvent, reason: string): void {
      if ('epoch' in event) refused.inc({ kind, reason })
    },
    /** Wraps the sync with a timer. */
    timed: (sync: (done: (error: Error | null) => void) => void) => (done: (error: Error | null) => void) => {
      const from = clock.mono()
      sync((error) => {
        syncTime.observe((clock.mono() - from) / 1000)
        done(error)
      })
    },
    link(worker: string, end: Promise<Failure>): void {
      opened.inc({ worker })
      void end.then(({ code }) => closed.inc({ worker, code }))
    },
    request(route: string, method: string, status: number, seconds: number): void {
      httpTime.observe({ route, method: METHODS.includes(method) ? method : 'other', status: `${Math.trunc(status / 100)}xx` }, seconds)
    },
    firstByte: (route: string, seconds: number): void => firstByte.observe({ route }, seconds),
  }
}
