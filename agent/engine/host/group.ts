// One engine group: at most one host process, started on demand, and the runs on it. Decides when to kill a host, when to restart it, and
// when an idle host is ended to free the device.

import { createEventQueue, type EventQueue } from '#agent/engine/seam/event-queue.ts'
import { backoff } from '#shared/protocol/backoff.ts'
import { Failure } from '#shared/protocol/failure.ts'
import type { Clock } from '#shared/runtime/clock.ts'
import type { Log } from '#shared/runtime/log.ts'
import type { Random } from '#shared/runtime/random.ts'
import { afterGrace } from './grace.ts'
import { type HostProcess, startHostProcess } from './host-process.ts'
import { CREDIT_BYTES, type EngineMeasurement, eventCost, type FromHost, type GivenInput, type HostEvent } from './messages.ts'

const RESTART_BASE_MS = 500
const RESTART_CAP_MS = 30_000

export type GroupLimits = {
  /** Time for a run to stop after a cancellation before its host is killed; see grace.ts. */
  readonly cancelGraceMs: number
  /** Time for a host to exit on request before it is killed. */
  readonly endGraceMs: number
  readonly idleSeconds: number
  readonly maxSilenceSeconds: number
  /** Limit before the first heartbeat, which comes late on a busy machine. */
  readonly maxStartSeconds: number
}
export type RunRequest = {
  readonly engine: string
  readonly model: string
  readonly operation: string
  readonly params: unknown
  readonly signal: AbortSignal
  /** Owner of the task. Default ''. */
  readonly owner?: string
  readonly inputs?: readonly GivenInput[]
}
export type EngineGroup = ReturnType<typeof createEngineGroup>

type Run = {
  readonly request: RunRequest
  readonly queue: EventQueue<HostEvent>
  /** Called once, when the run no longer uses the host. */
  readonly onEnd: () => void
  /** The host that runs it; null while it waits. */
  on: HostProcess | null
  isCancelled: boolean
  forgetAbort: () => void
}
type Deps = {
  group: string
  maxBlockSeconds: number
  limits: GroupLimits
  hostPath: string
  development: boolean
  inspect: boolean
  modelsFolder: string
  environment: Readonly<Record<string, string>>
  sidecars?: string
  /** `auto` or the family that the owner chose. */
  deviceFamily?: string
  clock: Clock
  random: Random
  log: Log
  onMeasured?: (engine: string, model: string, measured: EngineMeasurement) => void
}

export function createEngineGroup(deps: Deps) {
  const { clock, random, log, limits, group } = deps
  const runs = new Map<number, Run>()
  const resident = new Set<string>()
  let lastKey = 0
  let host: HostProcess | null = null
  let isPreparing = false
  /** Resolves when the previous host has exited: two hosts of one group would need twice the device memory. */
  let gone: Promise<void> = Promise.resolve()
  let deathsInRow = 0
  let restartAt = 0
  let forgetIdle = () => {}

  function run(request: RunRequest, onEnd: () => void): AsyncIterableIterator<HostEvent> {
    const key = ++lastKey
    let taken = 0
    const onTaken = (event: HostEvent) => {
      taken += eventCost(event)
      if (taken < CREDIT_BYTES / 8) return
      runs.get(key)?.on?.send({ type: 'credit', key, amount: taken })
      taken = 0
    }
    const cancel = () => cancelRun(key)
    const queue = createEventQueue<HostEvent>(onTaken, cancel)
    const forgetAbort = () => request.signal.removeEventListener('abort', cancel)
    const added: Run = { request, queue, onEnd, on: null, isCancelled: false, forgetAbort }
    forgetIdle()
    runs.set(key, added)
    request.signal.addEventListener('abort', cancel, { once: true })
    if (request.signal.aborted) cancel()
    else if (host) dispatch(key, added, host)
    else {
      queue.push({ kind: 'loading', detail: 'Starting the engine process.' })
      if (!isPreparing) void prepare()
    }
    return queue.events
  }

  async function prepare(): Promise<void> {
    isPreparing = true
    await gone
    const waitMs = restartAt - clock.mono()
    if (waitMs > 0) await new Promise<void>((resolve) => void clock.after(waitMs, resolve))
    isPreparing = false
    if (runs.size === 0) return // all runs were cancelled meanwhile
    host = startHost()
    for (const [key, waiting] of runs) dispatch(key, waiting, host)
  }

  function dispatch(key: number, added: Run, to: HostProcess): void {
    const { engine, model, operation, params, owner = '', inputs = [] } = added.request
    added.on = to
    to.send({ type: 'run', key, engine, model, operation, params, owner, credit: CREDIT_BYTES, inputs })
  }

  function cancelRun(key: number): void {
    const cancelled = runs.get(key)
    if (!cancelled || cancelled.isCancelled) return
    cancelled.isCancelled = true
    const { on } = cancelled
    if (!on) {
      finish(key, null)
      return
    }
    on.send({ type: 'cancel', key })
    const giveUp = () => {
      if (runs.has(key)) on.kill(new Failure('ENGINE_CRASHED', 'The engine process was killed because another task on it did not stop.'))
    }
    // In the next turn: after a pause of this process, timers run before the messages that have arrived meanwhile.
    afterGrace(clock, on.pid, limits.cancelGraceMs, () => void setImmediate(giveUp))
  }

  function finish(key: number, failure: Failure | null): void {
    const ended = runs.get(key)
    if (!ended) return
    runs.delete(key)
    ended.forgetAbort()
    ended.onEnd()
    if (ended.isCancelled) ended.queue.fail(new Failure('CANCELLED', 'The task was cancelled.', { cause: ended.request.signal.reason }))
    else if (failure) ended.queue.fail(failure)
    else {
      deathsInRow = 0
      ended.queue.end()
    }
    if (runs.size === 0 && host) forgetIdle = clock.after(limits.idleSeconds * 1_000, () => void end())
  }

  function onMessage(message: Exclude<FromHost, { type: 'programs' }>): void {
    if (message.type === 'measured') {
      deps.onMeasured?.(message.engine, message.model, message.measured)
      return
    }
    const known = runs.get(message.key)
    if (!known) return
    if (message.type === 'ended') {
      const { failure } = message
      finish(message.key, failure && new Failure(failure.code, failure.message, { detail: failure.detail }))
    } else if (!known.isCancelled) {
      if (message.event.kind === 'running') settle(known.request)
      known.queue.push(message.event)
    }
  }

  /** An engine holds only the model that it ran last. */
  function settle({ engine, model }: RunRequest): void {
    for (const name of [...resident]) if (name.startsWith(`${engine}:`)) resident.delete(name)
    resident.add(`${engine}:${model}`)
  }

  function startHost(): HostProcess {
    const started = startHostProcess({ ...deps, ...limits, path: deps.hostPath, onMessage })
    log.info({ group, pid: started.pid }, 'engine host started')
    gone = started.exited.then((failure) => {
      log[failure ? 'warn' : 'info']({ group, pid: started.pid, reason: failure?.message }, 'engine host ended')
      if (host === started) leave()
      if (!failure) return
      // The first restart is immediate; repeated crashes are delayed with a backoff.
      restartAt = deathsInRow === 0 ? 0 : clock.mono() + backoff(deathsInRow - 1, random.unit(), RESTART_BASE_MS, RESTART_CAP_MS)
      deathsInRow++
      for (const [key, { on }] of [...runs]) if (on === started) finish(key, failure)
    })
    return started
  }

  function leave(): void {
    host = null
    resident.clear()
    forgetIdle()
  }

  /** Frees the device and resolves when the process has exited. Remaining runs end with `reason`. */
  async function end(reason: Failure | null = null): Promise<void> {
    const leaving = host
    leave()
    for (const key of [...runs.keys()]) finish(key, reason)
    await leaving?.end(limits.endGraceMs)
    await gone
  }

  /** A host that is not running has forgotten everything. */
  const forgetVoices = (owner: string, digests: readonly string[] | null) => host?.send({ type: 'forget', owner, digests })

  return { run, end, forgetVoices, isBusy: () => runs.size > 0, hasHost: () => host !== null, resident: (): string[] => [...resident] }
}
