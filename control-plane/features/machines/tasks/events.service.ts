// Events about changes of tasks and machines, for web pages. A client sends the id of its last event and receives the missed ones, or a
// `reset` that makes it reload. Events are hints to read the routes again, not a second source of truth.

import { createPlaces } from '#control-plane/clients/places.ts'
import type { Bus } from '#control-plane/events/bus.ts'
import type { Fleet } from '#control-plane/features/machines/workers/workers.schema.ts'
import type { AttemptMarks } from '#control-plane/tasks/attempts.ts'
import type { Change, TaskRecord } from '#control-plane/tasks/record.ts'
import { createBroadcast } from '#shared/runtime/broadcast.ts'
import type { Clock } from '#shared/runtime/clock.ts'
import { loop, type Service } from '#shared/runtime/service.ts'
import type { FleetEvents } from './events.contract.ts'
import type { WorkerTask } from './tasks.schema.ts'

type Deps = {
  readonly clock: Clock
  /** Id of this run of the studio: event numbers of another run are not comparable. */
  readonly run: string
  readonly taskOf: (record: TaskRecord) => Promise<WorkerTask>
  readonly taskById: (id: string) => Promise<TaskRecord | null>
  /** Every task that has not ended. Progress changes without a change of the ledger. */
  readonly running: () => Iterable<TaskRecord>
  readonly marks: AttemptMarks
  readonly fleet: () => Fleet
  /** Receives a hint for each changed machine. Its readers may lack access to machines, so the hint contains only the id. */
  readonly bus: Pick<Bus, 'publish' | 'readers'>
}
export type Events = ReturnType<typeof createEvents>
type Snapshot = { readonly rest: string; readonly latencyMs: number }
type KeptEvent = { readonly seq: number; readonly text: string }

const CONNECTIONS_PER_CLIENT = 64
const LINES = 1024
const KEPT = 2048
/** More changed tasks than this between two ticks become one event: reading the list is cheaper than one event for each. */
const MANY = 200
const KEEPALIVE_MS = 15_000
const TICK_MS = 250
/** In ticks. Machines are compared field by field, which costs more than a task. */
const FLEET_EVERY = 4
/** A change of latency is an event when it doubled or halved, and by more than this. */
const LATENCY_MS = 20
/** A page that reloads reconnects within seconds. Without a client for this long, events are dropped. */
const LINGER_TICKS = 240

export function createEvents({ clock, run, taskOf, taskById, running, marks, fleet, bus }: Deps) {
  let seq = 0
  let recent: KeptEvent[] = []
  let lonely = LINGER_TICKS
  let ticks = 0
  const dirty = new Set<string>()
  const progress = new Map<string, string>()
  const machines = new Map<string, Snapshot>()
  let rest = ''

  const line = <Kind extends keyof FleetEvents>(kind: Kind, id: number, body: FleetEvents[Kind]) =>
    `event: ${kind}\nid: ${run}-${id}\ndata: ${JSON.stringify(body)}\n\n`
  const reset = () => line('reset', seq, { run, seq })
  const places = createPlaces({ perClient: CONNECTIONS_PER_CLIENT, what: 'connections that follow tasks' })
  const broadcast = createBroadcast<null>({ clock, lines: LINES, keepaliveMs: KEEPALIVE_MS, overflow: reset })

  function send<Kind extends keyof FleetEvents>(kind: Kind, body: FleetEvents[Kind]): void {
    seq++
    const text = line(kind, seq, body)
    recent.push({ seq, text })
    if (recent.length > KEPT) recent = recent.slice(-KEPT / 2)
    broadcast.publish(null, text)
  }

  async function sendTasks(): Promise<void> {
    for (const { task } of running()) {
      const mark = task.attemptId === null ? undefined : marks.get(task.attemptId)
      if (!mark) continue
      const now = `${mark.progress} ${mark.stage}`
      if (progress.get(task.id) !== now) dirty.add(task.id)
      progress.set(task.id, now)
    }
    const ids = [...dirty]
    dirty.clear()
    if (ids.length > MANY) send('tasks', { changed: ids.length })
    for (const id of ids) {
      const record = await taskById(id)
      if (record && ids.length <= MANY) send('task', await taskOf(record))
      if (record?.finishedAt !== null) progress.delete(id)
    }
  }

  function sendFleet(): void {
    const { workers, ...summary } = fleet()
    const gone = new Set(machines.keys())
    for (const worker of workers) {
      gone.delete(worker.id)
      const snapshot = snapshotOf(worker)
      if (!isNews(machines.get(worker.id), snapshot)) continue
      machines.set(worker.id, snapshot)
      send('worker', worker)
      bus.publish({ kind: 'worker', action: 'updated', id: worker.id })
    }
    for (const id of gone) {
      machines.delete(id)
      send('worker-gone', { id })
      bus.publish({ kind: 'worker', action: 'removed', id })
    }
    const now = JSON.stringify(summary)
    if (now !== rest) send('fleet', summary)
    rest = now
  }

  /** A new client reads the current state from the routes; later changes are events. */
  function begin(): void {
    const { workers, ...summary } = fleet()
    machines.clear()
    for (const worker of workers) machines.set(worker.id, snapshotOf(worker))
    rest = JSON.stringify(summary)
  }

  function forget(): void {
    recent = []
    seq++ // no client can resume across dropped events
    dirty.clear()
    progress.clear()
  }

  const ticking: Service = loop(
    'panel-events',
    async (signal) => {
      await clock.sleep(lonely >= LINGER_TICKS ? TICK_MS * 4 : TICK_MS, signal)
      if (lonely >= LINGER_TICKS && bus.readers() > 0) begin()
      if (broadcast.listeners() + bus.readers() > 0) lonely = 0
      else if (lonely < LINGER_TICKS && ++lonely === LINGER_TICKS) forget()
      if (lonely >= LINGER_TICKS) return dirty.clear()
      await sendTasks()
      if (ticks++ % FLEET_EVERY === 0) sendFleet()
    },
    (error) => {
      throw error
    },
  )

  /** The events after the given id; null if they were dropped. */
  function after(last: string): KeptEvent[] | null {
    const [, of, number] = /^([0-9a-f]+)-(\d{1,15})$/.exec(last) ?? []
    const from = Number(number)
    if (of !== run || from > seq || (from < seq && (recent[0]?.seq ?? Number.POSITIVE_INFINITY) > from + 1)) return null
    return recent.filter((event) => event.seq > from)
  }

  return {
    committed(changes: readonly Change[]): void {
      if (lonely < LINGER_TICKS) for (const { record } of changes) dirty.add(record.task.id)
    },
    /** `last`: the id of the last event that the client received, '' for none. Throws QUEUE_FULL for too many clients. */
    follow(last: string, signal: AbortSignal): AsyncGenerator<string> {
      return places.during(signal, () => {
        if (lonely >= LINGER_TICKS) begin()
        lonely = 0
        const missed = last === '' ? null : after(last)
        const first = missed ? missed.map(({ text }) => text) : [reset()]
        return broadcast.subscribe(first, () => true, signal)
      })
    },
    /** Ends every stream when the studio stops. */
    end: broadcast.end,
    ...ticking,
  }
}

const snapshotOf = (worker: Fleet['workers'][number]): Snapshot => ({
  latencyMs: worker.latency_ms ?? 0,
  rest: JSON.stringify({ ...worker, last_seen_at: 0, latency_ms: 0 }),
})

// Without last contact and small changes of latency, which would keep the stream busy with a thousand machines.
const isNews = (before: Snapshot | undefined, { rest, latencyMs }: Snapshot): boolean =>
  before?.rest !== rest ||
  (Math.abs(before.latencyMs - latencyMs) > LATENCY_MS && Math.max(before.latencyMs, latencyMs) > 2 * Math.min(before.latencyMs, latencyMs))
