// Runs the attempts of tenants as tasks of the pool, which places, retries and fences them like its own.
import { readFile } from 'node:fs/promises'
import type { GivenInput } from '#agent/engine/host/messages.ts'
import type { EnginePool, PoolEvent, PoolRequest } from '#agent/engine/host/pool.ts'
import { createEventQueue, type EventQueue } from '#agent/engine/seam/event-queue.ts'
import type { Offer } from '#control-plane/inference/offers.ts'
import type { TaskInput, TaskRecord } from '#control-plane/tasks/record.ts'
import { type Tasks, taskFailureOf } from '#control-plane/tasks/tasks.ts'
import { Failure } from '#shared/protocol/failure.ts'
import type { Wire } from '#shared/protocol/generated/wire.ts'
import type { Log } from '#shared/runtime/log.ts'
import { engineSlots, type MachineRow, requireOffer, unionOf } from './offered.ts'
import type { Recordings } from './recordings.ts'
import { asAgentFailure, isUsable, keysOf, type Relayed, specOf, workDigest } from './relayed-task.ts'
import type { RelayedTasks } from './relayed-tasks.ts'

export type RelayPool = Pick<EnginePool, 'run' | 'check' | 'freePermits' | 'forgetVoices' | 'resident' | 'unloadIdle'> & {
  readonly capabilities: () => Wire<'Capability'>[]
}
type Deps = {
  readonly tasks: Pick<Tasks, 'admit' | 'follow' | 'outcome' | 'cancel' | 'keepInput' | 'now'>
  readonly relayed: RelayedTasks
  readonly recordings: Recordings
  readonly offers: () => readonly Offer[]
  /** False while the pool stops: what that interrupts goes on, because its studio asks for it again. */
  readonly isOpen: () => boolean
  /** Capabilities of each connected machine that may get work. */
  readonly described: () => readonly (readonly MachineRow[])[]
  /** `engine:model` of what the machines have loaded. */
  readonly resident: () => string[]
  readonly log: Log
}
/** Part of the permits that may wait in the queue of the pool, so that a machine that becomes free has work at once. */
const AHEAD = 0.25

// Long factory: permits and runs are counted together.
export function createRelayPool({ tasks, relayed, recordings, offers, isOpen, described, resident, log }: Deps): RelayPool {
  const running = new Map<string, number>()
  const count = (engine: string, change: number) => void running.set(engine, (running.get(engine) ?? 0) + change)

  async function keptInputs(inputs: readonly GivenInput[]): Promise<TaskInput[]> {
    const kept: TaskInput[] = []
    for (const { name, bytes, file } of inputs) kept.push(await tasks.keepInput(name, bytes ?? (await readFile(file!))))
    return kept
  }

  /** The task of an earlier attempt that can answer this one, or a new one. */
  async function taskFor(work: Relayed, inputs: readonly TaskInput[]): Promise<TaskRecord> {
    const digest = workDigest(work, inputs)
    for (const key of keysOf(work)) {
      const earlier = await relayed.byKey(key)
      if (earlier?.digest === digest && isUsable(earlier)) return earlier
    }
    return tasks.admit(specOf(work, inputs, { at: tasks.now(), preferred: relayed.preferredFor(work), offers: offers() }), digest)
  }

  async function relay(request: PoolRequest, queue: EventQueue<PoolEvent>): Promise<void> {
    const { signal, owner: tenant = '', inputs = [], attempt } = request
    if (!attempt) throw new Failure('WORKER_FAILED', 'A pool runs attempts only.')
    const work = { ...request, tenant, attempt }
    signal.throwIfAborted()
    const kept = await keptInputs(inputs)
    signal.throwIfAborted()
    const record = await taskFor(work, kept)
    const { id } = record.task
    const claim = relayed.claim(work, record, {
      running: (machine) => queue.push({ kind: 'running', machine }),
      waiting: () => queue.push({ kind: 'loading', detail: 'waiting for a free engine' }),
    })
    const cancel = () => {
      if (!isOpen()) return
      tasks.cancel(id).catch((error: unknown) => log.error({ taskId: id, err: String(error) }, 'a task was not cancelled'))
    }
    signal.addEventListener('abort', cancel, { once: true })
    if (signal.aborted) cancel()
    try {
      recordings.used(tenant, kept)
      const ended = tasks.outcome(id, signal, (progress) => queue.push({ kind: 'progress', progress, stage: '' }))
      ended.catch(() => {}) // awaited below, after the output
      for await (const { part, bytes } of tasks.follow(id, signal)) {
        claim.begun()
        queue.push({ kind: 'audio', part, bytes })
      }
      const outcome = await ended
      const failure = taskFailureOf(outcome)
      if (failure) throw failure
      claim.begun()
      queue.push({ kind: 'result', result: JSON.parse(outcome.result!.result) })
    } finally {
      signal.removeEventListener('abort', cancel)
      claim.end()
    }
  }

  const freePermits = (engine: string): number => {
    const permits = engineSlots(described(), engine)
    return Math.max(0, permits + Math.ceil(permits * AHEAD) - (running.get(engine) ?? 0))
  }
  const capabilities = () => unionOf(described())
  const check: RelayPool['check'] = (choice) => requireOffer(capabilities(), choice)

  return {
    capabilities,
    check,
    freePermits,
    resident,
    run(request) {
      check(request)
      const { engine, onEnd } = request
      if (freePermits(engine) === 0) throw new Failure('WORKER_AT_CAPACITY', `All machines of the pool with ${engine} are busy.`)
      const left = new AbortController()
      const queue = createEventQueue<PoolEvent>(
        () => {},
        () => left.abort(new Failure('CANCELLED', 'The reader of the attempt left.')),
      )
      count(engine, 1)
      const signal = AbortSignal.any([request.signal, left.signal])
      relay({ ...request, signal }, queue)
        .then(queue.end, (error: unknown) => {
          const { reason } = signal
          queue.fail(asAgentFailure(Failure.from(signal.aborted && reason instanceof Failure ? reason : error, 'WORKER_FAILED')))
        })
        .finally(() => {
          count(engine, -1)
          onEnd?.()
        })
      return queue.events
    },
    forgetVoices: (tenant, digests) => recordings.forget(tenant, digests),
    unloadIdle: async () => {
      throw new Failure('OPERATION_UNSUPPORTED', 'The operator of the pool decides when its machines unload engines.')
    },
  }
}
