// Every task of a person comes through here. A task is checked and reserved in the turn in which it is staged, so that parallel
// requests cannot exceed a limit together. Reservations are those of the live tasks: one that ends, is undone or is lost in a crash returns
// its own. What a task took is written in the batch of its end.
import { type Client, payerOf } from '#control-plane/clients/client.ts'
import type { GroupCommit } from '#control-plane/store/group-commit.ts'
import type { Writes } from '#control-plane/store/journal.ts'
import type { UsageDelta } from '#control-plane/store/rows.ts'
import type { AttemptMarks } from '#control-plane/tasks/attempts.ts'
import type { Ledger } from '#control-plane/tasks/ledger.ts'
import type { Admission, TaskRecord, TaskSpec } from '#control-plane/tasks/record.ts'
import { NO_LIMITS, type PersonLimits } from '#shared/protocol/access/person.ts'
import { Failure } from '#shared/protocol/failure.ts'
import { type Task, TERMINAL } from '#shared/protocol/task.ts'
import type { Clock } from '#shared/runtime/clock.ts'
import { giveBack, inPeriod, limitRefusal, newAccount, type PersonAccount, reserve, withBytes, withSpent } from './account.ts'
import { createCalendar, zoneOfStudio } from './calendar.ts'
import { mostBytes, mostSoundMs, slower, soundMsOf, workMsOf } from './estimate.ts'
import type { Spent, TaskEstimate } from './limits.ts'
import type { PersonUsage } from './person-usage.store.ts'
import { quotaExceeded } from './refusal.ts'

/** Use of the limits now. `bytes`: null where nothing limits them. */
export type UseNow = Spent & { readonly tasks: number; readonly bytes: number | null }
export type PeopleLimits = ReturnType<typeof createPeopleLimits>
type Deps = {
  readonly ledger: Pick<Ledger, 'onStaged' | 'onUndone' | 'live'>
  readonly marks: Pick<AttemptMarks, 'get'>
  readonly commits: Pick<GroupCommit, 'stage'>
  readonly usage: Pick<PersonUsage, 'spentOn'>
  /** The limits of a person, as they are now; null for one that has none. */
  readonly limitsOf: (personId: string) => PersonLimits | null
  /** Bytes that the person has on the disk. */
  readonly bytesOf: (personId: string) => number
  readonly clock: Pick<Clock, 'now' | 'mono' | 'after'>
  readonly zone?: () => string
}
/** Devices of the machines, which are connected later than tasks are read. */
export type Devices = {
  /** Those of the machines that offer it. Empty: it is unknown. */
  readonly offering: (engine: string, operation: string) => readonly string[]
  /** That of one machine; null: it is unknown. */
  readonly at: (workerId: string, engine: string, operation: string) => string | null
  /** Milliseconds of sound that the engine has sent for a task so far. */
  readonly sentMs: (taskId: string, engine: string) => number
}
type Held = { readonly estimate: TaskEstimate; readonly spec: TaskSpec; startedAt: number | null; isOnGpu: boolean }
type State = {
  account: PersonAccount
  readonly tasks: Map<string, Held>
  readonly waiting: Set<() => void>
  uploading: number
  counted: { readonly at: number; readonly bytes: number }
}

const NOT_COUNTED = { at: Number.NEGATIVE_INFINITY, bytes: 0 }
/** The pieces of an upload share one count of what the person has. */
const COUNTED_MS = 1_000
const UNKNOWN: Devices = { offering: () => [], at: () => null, sentMs: () => 0 }

// Long factory: the check of a task, its reservation and its settlement share the account of its person.
export function createPeopleLimits({ ledger, marks, commits, usage, limitsOf, bytesOf, clock, zone = zoneOfStudio }: Deps) {
  const people = new Map<string, State>()
  /** Milliseconds on a GPU for a millisecond of work, by engine and operation. */
  const speeds = new Map<string, number>()
  let devices = UNKNOWN
  // Made for the first person: a studio without people has no calendar.
  let made: ReturnType<typeof createCalendar> | null = null
  const calendar = () => (made ??= createCalendar(zone()))
  const periodNow = () => calendar().periodOf(clock.now())

  function stateOf(personId: string): State {
    const period = periodNow()
    const known = people.get(personId)
    const read = () => newAccount(period, usage.spentOn(personId, period.day))
    if (!known) {
      const state = { account: read(), tasks: new Map(), waiting: new Set<() => void>(), uploading: 0, counted: NOT_COUNTED }
      people.set(personId, state)
      return state
    }
    // The clock was put back: what was settled on that day is in the table.
    if (period.day < known.account.day) known.account = { ...known.account, ...period, settled: usage.spentOn(personId, period.day) }
    known.account = inPeriod(known.account, period)
    return known
  }

  const speedKey = ({ engine, operation }: TaskSpec) => `${engine} ${operation}`
  function estimateOf(spec: TaskSpec): TaskEstimate {
    const soundMs = mostSoundMs(spec)
    const offering = devices.offering(spec.engine, spec.operation)
    const mayUseGpu = offering.length === 0 || offering.some((device) => device !== 'cpu')
    return {
      soundMs,
      gpuMs: mayUseGpu ? Math.ceil(workMsOf(spec) * (speeds.get(speedKey(spec)) ?? 1)) : 0,
      bytes: mostBytes(spec, soundMs),
    }
  }

  function hold(personId: string, { spec, task }: TaskRecord): void {
    const state = stateOf(personId)
    const held: Held = state.tasks.get(task.id) ?? { estimate: estimateOf(spec), spec, startedAt: null, isOnGpu: true }
    state.tasks.set(task.id, held)
    state.account = reserve(state.account, held.estimate)
    if (task.phase === 'running' || task.phase === 'delivering') started(held, task)
  }

  function started(held: Held, { workerId }: Task): void {
    const { engine, operation } = held.spec
    held.startedAt ??= clock.mono()
    held.isOnGpu = workerId === null || devices.at(workerId, engine, operation) !== 'cpu'
  }

  /**
   * Sound of a task that did not end well: of speech what its caller may have heard before it left, and of a recording what was recognised. Speech
   * that a fault of an engine has cut costs nothing.
   */
  function partMs({ spec, estimate }: Held, { id, phase }: Task, before: Task): number {
    const isLeft = phase === 'cancelled' || phase === 'timed_out'
    if (spec.operation === 'tts') return isLeft ? Math.min(estimate.soundMs, Math.ceil(devices.sentMs(id, spec.engine))) : 0
    const share = before.attemptId === null ? 0 : (marks.get(before.attemptId)?.progress ?? 0)
    return Math.ceil(estimate.soundMs * Math.min(1, Math.max(0, share)))
  }

  function end(personId: string, { spec, task, result }: TaskRecord, before: Task): void {
    const state = stateOf(personId)
    const held = state.tasks.get(task.id)
    if (!held) return
    state.tasks.delete(task.id)
    const isDone = task.phase === 'succeeded'
    const gpuMs = held.startedAt === null || !held.isOnGpu ? 0 : Math.ceil(clock.mono() - held.startedAt)
    const spent: Spent = { soundMs: isDone && result ? soundMsOf(spec, result.result) : partMs(held, task, before), gpuMs }
    const work = workMsOf(spec)
    if (isDone && gpuMs > 0 && work > 0) speeds.set(speedKey(spec), slower(speeds.get(speedKey(spec)), gpuMs / work))
    const { day } = state.account
    state.account = withSpent(giveBack(state.account, held.estimate), day, spent)
    const failed = task.phase === 'failed' || task.phase === 'timed_out' ? 1 : 0
    const row = { person_id: personId, day, engine: spec.engine, tasks: 1, failed, sound_ms: spent.soundMs, gpu_ms: spent.gpuMs }
    commits.stage({
      write: (writes) => addUsage(writes, row),
      // The end of a task never waits for another batch, and neither does this.
      canWait: () => false,
      undo() {
        state.account = withSpent(state.account, day, { soundMs: -spent.soundMs, gpuMs: -spent.gpuMs })
      },
    })
    wake(state)
  }

  /** Wakes what waits for the limits of the person. */
  function wake({ waiting }: Pick<State, 'waiting'>): void {
    const woken = [...waiting]
    waiting.clear()
    for (const one of woken) one()
  }

  function follow(record: TaskRecord, before: Task | null): void {
    const personId = personOf(record.spec.client)
    if (personId === null) return
    const { task } = record
    if (before === null) return hold(personId, record)
    if (TERMINAL.has(task.phase)) return end(personId, record, before)
    const held = people.get(personId)?.tasks.get(task.id)
    if (!held) return
    if (task.attemptId === null) held.startedAt = null
    else if (task.phase === 'running') started(held, task)
  }

  /** Reservations are those of the live tasks; what was settled stays. */
  function rebuild(): void {
    for (const state of people.values()) state.account = withBytes(newAccount(state.account, state.account.settled), state.uploading)
    const live = new Set<string>()
    for (const record of ledger.live()) {
      const personId = personOf(record.spec.client)
      // One whose end is staged and not durable yet has been settled.
      if (personId === null || TERMINAL.has(record.task.phase)) continue
      live.add(record.task.id)
      hold(personId, record)
    }
    for (const { tasks } of people.values()) for (const id of tasks.keys()) if (!live.has(id)) tasks.delete(id)
  }

  ledger.onStaged(follow)
  ledger.onUndone(rebuild)
  rebuild()

  const admission: Pick<Admission, 'check' | 'untilFree'> = {
    check(client, spec) {
      const personId = personOf(client)
      if (personId === null) return
      const limits = limitsOf(personId)
      // Work that was on its way when its person ended. The owner may go on with what the person has made.
      if (limits === null) throw new Failure('FORBIDDEN', 'The access of the person who asked for this has ended.')
      const bytes = limits.disk_bytes === null ? null : bytesOf(personId)
      const refusal = limitRefusal(limits, stateOf(personId).account, estimateOf(spec), periodNow(), bytes)
      if (refusal) throw quotaExceeded(refusal, clock.now(), calendar())
    },
    async untilFree(client, ms, signal) {
      const personId = personOf(client)
      signal.throwIfAborted()
      const { promise, resolve } = Promise.withResolvers<void>()
      const forget = clock.after(ms, resolve)
      const waiting = personId === null ? null : stateOf(personId).waiting
      waiting?.add(resolve)
      signal.addEventListener('abort', () => resolve(), { once: true })
      await promise
      forget()
      waiting?.delete(resolve)
      signal.throwIfAborted()
    },
  }

  /** Uploads count while they arrive, and afterwards as what they have become. */
  const uploads = {
    refuse(client: Client, bytes: number): void {
      const personId = personOf(client)
      const disk_bytes = personId === null ? null : (limitsOf(personId)?.disk_bytes ?? null)
      if (personId === null || disk_bytes === null) return
      const needed = { soundMs: 0, gpuMs: 0, bytes }
      const state = stateOf(personId)
      if (clock.mono() - state.counted.at > COUNTED_MS) state.counted = { at: clock.mono(), bytes: bytesOf(personId) }
      const refusal = limitRefusal({ ...NO_LIMITS, disk_bytes }, state.account, needed, periodNow(), state.counted.bytes)
      if (refusal) throw quotaExceeded(refusal, clock.now(), calendar())
    },
    /** `bytes`: negative to give back. */
    take(client: Client, bytes: number): void {
      const personId = personOf(client)
      if (personId === null || bytes === 0) return
      const state = stateOf(personId)
      state.uploading += bytes
      state.account = withBytes(state.account, bytes)
    },
  }

  return {
    admission,
    connect: (known: Devices): void => {
      devices = known
    },
    /** The limits of the person have changed. */
    changed: (personId: string): void => void (people.has(personId) && wake(people.get(personId)!)),
    uploads,
    /** Ids of the live tasks that the person asked for itself. */
    tasksOf: (personId: string): string[] => [...(people.get(personId)?.tasks.keys() ?? [])],
    /** Ids of the live tasks of people that have ended: a kill may have come before they were cancelled. */
    tasksOfEnded: (): string[] => [...people].flatMap(([id, { tasks }]) => (limitsOf(id) === null ? [...tasks.keys()] : [])),
    useOf(personId: string): UseNow {
      const { account, tasks } = stateOf(personId)
      return { ...account.settled, tasks: tasks.size, bytes: bytesOf(personId) }
    },
  }
}

const personOf = (client: Pick<Client, 'source'> | undefined): string | null => (client ? payerOf(client) : null)

function addUsage({ usage }: Writes, row: UsageDelta): void {
  const key = `${row.person_id} ${row.day} ${row.engine}`
  const known = usage.get(key)
  usage.set(
    key,
    known
      ? {
          ...row,
          tasks: known.tasks + row.tasks,
          failed: known.failed + row.failed,
          sound_ms: known.sound_ms + row.sound_ms,
          gpu_ms: known.gpu_ms + row.gpu_ms,
        }
      : row,
  )
}
