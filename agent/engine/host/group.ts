// One engine group: at most one host process, started when it is needed, and the runs on it. Decides when a host is killed, when it may be
// started again, and when it has been idle for long enough to give the device back.

import { backoff } from '#shared/protocol/backoff.ts'
import { Failure } from '#shared/protocol/failure.ts'
import type { Clock } from '#shared/runtime/clock.ts'
import type { Log } from '#shared/runtime/log.ts'
import type { Random } from '#shared/runtime/random.ts'
import { createEventQueue, type EventQueue } from './event-queue.ts'
import { type HostProcess, startHostProcess } from './host-process.ts'
import { CREDIT_BYTES, type EngineMeasurement, eventCost, type FromHost, type GivenInput, type HostEvent } from './messages.ts'

const RESTART_BASE_MS = 500
const RESTART_CAP_MS = 30_000

export type GroupLimits = {
  /** How long a run may take to notice its cancellation before its host is killed. */
  readonly cancelGraceMs: number
  /** How long a host may take to leave when asked. */
  readonly endGraceMs: number
  readonly idleSeconds: number
  readonly maxSilenceSeconds: number
  /** The same before its first sign of life: it comes after everything else on a busy machine, and cannot be told from a dead one yet. */
  readonly maxStartSeconds: number
}
export type RunRequest = {
  readonly engine: string
  readonly model: string
  readonly operation: string
  readonly params: unknown
  readonly signal: AbortSignal
  /** Resolves when all of it is here; the run has its permit and waits. Whoever gives up aborts the signal. */
  readonly inputs?: Promise<readonly GivenInput[]>
}
export type EngineGroup = ReturnType<typeof createEngineGroup>

type Run = {
  readonly request: RunRequest
  readonly queue: EventQueue<HostEvent>
  /** Called once, when the run takes no room in a host any more. */
  readonly onEnd: () => void
  /** null while it is on its way here. */
  inputs: readonly GivenInput[] | null
  /** The host it was sent to; null while it waits for one. */
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
  modelsFolder: string
  environment: Readonly<Record<string, string>>
  sidecars?: string
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
  /** Resolves when the previous host is gone: two hosts of one group would ask the device for twice the memory. */
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
    const added: Run = { request, queue, onEnd, inputs: request.inputs ? null : [], on: null, isCancelled: false, forgetAbort }
    forgetIdle()
    runs.set(key, added)
    request.signal.addEventListener('abort', cancel, { once: true })
    request.inputs?.then(
      (inputs) => {
        added.inputs = inputs
        if (runs.get(key) === added && host) dispatch(key, added, host)
      },
      () => {}, // the signal says so
    )
    if (request.signal.aborted) cancel()
    else if (host) dispatch(key, added, host)
    else {
      queue.push({ kind: 'loading', detail: 'starting the engine process' })
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
    if (runs.size === 0) return // everybody left while it waited
    host = startHost()
    for (const [key, waiting] of runs) dispatch(key, waiting, host)
  }

  function dispatch(key: number, added: Run, to: HostProcess): void {
    const { inputs } = added
    if (!inputs) return
    const { engine, model, operation, params } = added.request
    added.on = to
    to.send({ type: 'run', key, engine, model, operation, params, credit: CREDIT_BYTES, inputs })
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
    clock.after(limits.cancelGraceMs, () => {
      if (runs.has(key)) on.kill(new Failure('ENGINE_CRASHED', 'the engine process was killed because another task on it did not stop'))
    })
  }

  function finish(key: number, failure: Failure | null): void {
    const ended = runs.get(key)
    if (!ended) return
    runs.delete(key)
    ended.forgetAbort()
    ended.onEnd()
    if (ended.isCancelled) ended.queue.fail(new Failure('CANCELLED', 'the task was cancelled', { cause: ended.request.signal.reason }))
    else if (failure) ended.queue.fail(failure)
    else {
      deathsInRow = 0
      ended.queue.end()
    }
    if (runs.size === 0 && host) forgetIdle = clock.after(limits.idleSeconds * 1_000, () => void end())
  }

  function onMessage(message: FromHost): void {
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

  /** An engine holds the model it ran last and no other. */
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
      // The first restart is immediate; an engine that dies again and again must not keep a core busy with dying.
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

  /** Gives the device back and resolves when the process is gone. Runs that are still there end with `reason`. */
  async function end(reason: Failure | null = null): Promise<void> {
    const leaving = host
    leave()
    for (const key of [...runs.keys()]) finish(key, reason)
    await leaving?.end(limits.endGraceMs)
    await gone
  }

  return { run, end, isBusy: () => runs.size > 0, hasHost: () => host !== null, resident: (): string[] => [...resident] }
}
