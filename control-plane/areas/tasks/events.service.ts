// What changes in tasks and machines, told to whoever looks at the panel. A follower names the last event it has seen and gets what it
// missed, or the word that it must read everything anew: events are a hint about the routes, never a second truth.
import { Failure } from '#shared/protocol/failure.ts'
import { createBroadcast } from '#shared/runtime/broadcast.ts'
import type { Clock } from '#shared/runtime/clock.ts'
import { loop, type Service } from '#shared/runtime/service.ts'
import type { Bus } from '../../events/bus.ts'
import type { AttemptMarks } from '../../tasks/attempts.ts'
import type { Change, TaskRecord } from '../../tasks/record.ts'
import type { Fleet } from '../workers/workers.schema.ts'
import type { WorkerTask } from './tasks.schema.ts'

type Deps = {
  readonly clock: Clock
  /** Names this run of the studio: numbers of another run mean nothing. */
  readonly run: string
  readonly taskOf: (record: TaskRecord) => Promise<WorkerTask>
  readonly taskById: (id: string) => Promise<TaskRecord | null>
  /** Every task that has not ended. The progress of those that run moves without a change of the ledger. */
  readonly running: () => Iterable<TaskRecord>
  readonly marks: AttemptMarks
  readonly fleet: () => Fleet
  /** Gets a hint for each machine that changed. Its readers may not see machines, so the hint carries an id and nothing else. */
  readonly bus: Pick<Bus, 'publish' | 'readers'>
}
export type Events = ReturnType<typeof createEvents>
type Seen = { readonly rest: string; readonly latencyMs: number }
type Told = { readonly seq: number; readonly text: string }

const CLIENTS = 64
const LINES = 1024
const KEPT = 2048
/** More tasks than this between two ticks are not told one by one: nobody can look at so many, and the list is read faster. */
const MANY = 200
const KEEPALIVE_MS = 15_000
const TICK_MS = 250
/** Machines are compared as a whole; that costs more than a task. */
const FLEET_EVERY = 4
/** A latency is told when it has doubled or halved, and by more than this. */
const LATENCY_MS = 20
/** A page that reloads is back within seconds. Without a follower for this long nothing is kept. */
const LINGER_TICKS = 240

export function createEvents({ clock, run, taskOf, taskById, running, marks, fleet, bus }: Deps) {
  let seq = 0
  let kept: Told[] = []
  let lonely = LINGER_TICKS
  let ticks = 0
  const dirty = new Set<string>()
  const progress = new Map<string, string>()
  const machines = new Map<string, Seen>()
  let rest = ''

  const line = (kind: string, id: number, body: unknown) => `event: ${kind}\nid: ${run}-${id}\ndata: ${JSON.stringify(body)}\n\n`
  const reset = () => line('reset', seq, { run, seq })
  const told = createBroadcast<null>({ clock, lines: LINES, keepaliveMs: KEEPALIVE_MS, overflow: reset })

  function tell(kind: string, body: unknown): void {
    seq++
    const text = line(kind, seq, body)
    kept.push({ seq, text })
    if (kept.length > KEPT) kept = kept.slice(-KEPT / 2)
    told.publish(null, text)
  }

  async function tellTasks(): Promise<void> {
    for (const { task } of running()) {
      const mark = task.attemptId === null ? undefined : marks.get(task.attemptId)
      if (!mark) continue
      const now = `${mark.progress} ${mark.stage}`
      if (progress.get(task.id) !== now) dirty.add(task.id)
      progress.set(task.id, now)
    }
    const ids = [...dirty]
    dirty.clear()
    if (ids.length > MANY) tell('tasks', { changed: ids.length })
    for (const id of ids) {
      const record = await taskById(id)
      if (record && ids.length <= MANY) tell('task', await taskOf(record))
      if (record?.finishedAt !== null) progress.delete(id)
    }
  }

  function tellFleet(): void {
    const { workers, ...summary } = fleet()
    const gone = new Set(machines.keys())
    for (const worker of workers) {
      gone.delete(worker.id)
      const seen = seenOf(worker)
      if (!isNews(machines.get(worker.id), seen)) continue
      machines.set(worker.id, seen)
      tell('worker', worker)
      bus.publish({ kind: 'worker', action: 'updated', id: worker.id })
    }
    for (const id of gone) {
      machines.delete(id)
      tell('worker-gone', { id })
      bus.publish({ kind: 'worker', action: 'removed', id })
    }
    const now = JSON.stringify(summary)
    if (now !== rest) tell('fleet', summary)
    rest = now
  }

  /** What a follower who comes after a time without any reads by itself; from here on changes are told. */
  function begin(): void {
    const { workers, ...summary } = fleet()
    machines.clear()
    for (const worker of workers) machines.set(worker.id, seenOf(worker))
    rest = JSON.stringify(summary)
  }

  function forget(): void {
    kept = []
    seq++ // so that nobody resumes across what was not kept
    dirty.clear()
    progress.clear()
  }

  const ticking: Service = loop(
    'panel-events',
    async (signal) => {
      await clock.sleep(lonely >= LINGER_TICKS ? TICK_MS * 4 : TICK_MS, signal)
      if (lonely >= LINGER_TICKS && bus.readers() > 0) begin()
      if (told.listeners() + bus.readers() > 0) lonely = 0
      else if (lonely < LINGER_TICKS && ++lonely === LINGER_TICKS) forget()
      if (lonely >= LINGER_TICKS) return dirty.clear()
      await tellTasks()
      if (ticks++ % FLEET_EVERY === 0) tellFleet()
    },
    (error) => {
      throw error
    },
  )

  /** What came after the number that a follower names; null when that is not known any more. */
  function after(last: string): Told[] | null {
    const [, of, number] = /^([0-9a-f]+)-(\d{1,15})$/.exec(last) ?? []
    const from = Number(number)
    if (of !== run || from > seq || (from < seq && (kept[0]?.seq ?? Number.POSITIVE_INFINITY) > from + 1)) return null
    return kept.filter((event) => event.seq > from)
  }

  return {
    committed(changes: readonly Change[]): void {
      if (lonely < LINGER_TICKS) for (const { record } of changes) dirty.add(record.task.id)
    },
    /** `last`: the id of the last event seen, '' for none. Throws QUEUE_FULL when too many listen. */
    follow(last: string, signal: AbortSignal): AsyncGenerator<string> {
      if (told.listeners() >= CLIENTS)
        throw new Failure('QUEUE_FULL', `${CLIENTS} clients follow the events already; one of them must hang up first`)
      if (lonely >= LINGER_TICKS) begin()
      lonely = 0
      const missed = last === '' ? null : after(last)
      const first = missed ? missed.map(({ text }) => text) : [reset()]
      return told.subscribe(first, () => true, signal)
    },
    /** The studio stops: whoever follows is done. */
    end: told.end,
    ...ticking,
  }
}

const seenOf = (worker: Fleet['workers'][number]): Seen => ({
  latencyMs: worker.latency_ms ?? 0,
  rest: JSON.stringify({ ...worker, last_seen_at: 0, latency_ms: 0 }),
})

// When it was last heard, and by how little its answers vary, is no news: a thousand machines would never be silent.
const isNews = (before: Seen | undefined, { rest, latencyMs }: Seen): boolean =>
  before?.rest !== rest ||
  (Math.abs(before.latencyMs - latencyMs) > LATENCY_MS && Math.max(before.latencyMs, latencyMs) > 2 * Math.min(before.latencyMs, latencyMs))
