// The operations on tasks for the rest of the studio: submit, follow, wait, cancel. Reports of workers arrive through `apply` as events
// with their epoch.
import { createHash } from 'node:crypto'
import { type Client, currentClient } from '#control-plane/clients/client.ts'
import { refusalOf } from '#control-plane/clients/places.ts'
import type { Artifacts } from '#control-plane/store/artifact.ts'
import { personIn } from '#shared/protocol/access/client.ts'
import { Failure } from '#shared/protocol/failure.ts'
import { createTaskIds } from '#shared/protocol/id.ts'
import { INPUT_LIMITS } from '#shared/protocol/run-messages.ts'
import { type Effect, ON_ENTER, type TaskEvent, TERMINAL } from '#shared/protocol/task.ts'
import type { Clock } from '#shared/runtime/clock.ts'
import { type ByteLog, createMemoryBudget } from '#shared/runtime/memory/byte-log.ts'
import type { Random } from '#shared/runtime/random.ts'
import { createHeldInputs } from './held-inputs.ts'
import { isFirstOffer, type Ledger, type StepResult } from './ledger.ts'
import { createOutput, type Output, type OutputPiece } from './output.ts'
import type { Queue } from './queue.ts'
import type { Admission, Change, Result, TaskInput, TaskRecord, TaskSpec } from './record.ts'

export type Tasks = ReturnType<typeof createTasks>
type Deps = {
  readonly ledger: Ledger
  readonly queue: Queue
  readonly artifacts: Artifacts
  readonly clock: Clock
  readonly random: Random
  /** Folder for output that outgrows memory. */
  readonly workDir: string
  /** Tasks of one client that wait. */
  readonly waitingPerClient: { readonly interactive: number; readonly batch: number }
  /** Limits of clients. Default: none. */
  readonly admission?: Admission
}

type Waiter = {
  readonly resolve: (record: TaskRecord) => void
  readonly reject: (reason: unknown) => void
  readonly onProgress: ((share: number) => void) | undefined
}

/** Clients without limits. */
const UNLIMITED: Admission = { ready: () => null, check: () => {}, machinesOf: () => null, untilFree: async () => {} }
/** Limit of the output of all tasks together in memory; the rest goes to files. */
const HELD_BYTES = 128 * 1024 * 1024
const HASHED_BYTES = 2 * 1024 * 1024
const INLINE_BYTES = 32 * 1024

// Long factory: the outputs, the waiting callers and the ledger of one task have one lifetime.
export function createTasks({ ledger, queue, artifacts, clock, random, workDir, waitingPerClient, admission = UNLIMITED }: Deps) {
  const memory = createMemoryBudget(HELD_BYTES)
  const heldInputs = createHeldInputs(artifacts)
  const outputs = new Map<string, Output>()
  const waiters = new Map<string, Waiter[]>()
  const effects: Partial<Record<Effect, (record: TaskRecord) => void>> = {}
  const nextId = createTaskIds(clock.now, random.unit())
  let stopped: Failure | null = null

  ledger.onStaged(queue.follow)
  ledger.onUndone((failure, ids) => {
    queue.rebuild(ledger.live())
    // The callers that wait for one of them get the failure; the task itself continues when the disk allows.
    for (const id of ids) {
      const waiting = waiters.get(id)
      waiters.delete(id)
      for (const { reject } of waiting ?? []) reject(failure)
      // One that was not admitted has no output either.
      if (!ledger.peek(id)) endOutput(id, failure, false)
    }
  })
  queue.rebuild(ledger.live())
  // The first offer of a task may leave before it is written or durable: what undoes the offer would undo the task as well, and its worker
  // would report an unknown attempt, which the session resolves. Everything else waits, and so does all of a journal that can be fenced.
  const mayLeaveEarly = ({ record, event }: Change) => ledger.allowsEarlyOffers && isFirstOffer(record, event)
  ledger.onDecided((changes) => {
    for (const change of changes) if (mayLeaveEarly(change)) act(change)
  })
  ledger.onCommitted((changes) => {
    for (const change of changes) {
      if (TERMINAL.has(change.record.task.phase)) settle(change.record)
      if (!mayLeaveEarly(change)) act(change)
    }
  })

  /** Runs the effect of a change, unless the task has moved on since. */
  function act({ record, before }: Change): void {
    const { id, phase, epoch } = record.task
    const effect = before?.phase === phase && before.epoch === epoch ? null : ON_ENTER[phase]
    if (!effect) return
    const now = ledger.stateOf(id)
    if (now?.phase === phase && now.epoch === epoch) effects[effect]?.(record)
  }

  function settle(record: TaskRecord): void {
    const { id } = record.task
    const waiting = waiters.get(id)
    waiters.delete(id)
    for (const { resolve } of waiting ?? []) resolve(record)
    // The file of a success has become its artifact; the file of any other end is removed.
    endOutput(id, taskFailureOf(record), record.task.phase === 'succeeded' && !record.spec.ephemeral)
  }

  function endOutput(id: string, failure: Failure | null, keepFile: boolean): void {
    const output = outputs.get(id)
    outputs.delete(id)
    output?.end(failure)
    output?.close(keepFile)
  }

  function outputOf(id: string): Output {
    let output = outputs.get(id)
    if (!output) {
      output = createOutput(`${workDir}/${id}.out`, memory)
      outputs.set(id, output)
    }
    return output
  }

  /** The task that was admitted with this idempotency key. Throws IDEMPOTENCY_CONFLICT when its request was another one. */
  async function admitted(key: string, digest: string): Promise<TaskRecord | null> {
    let record = await ledger.byKey(key)
    // Another request with this key may have been admitted while the journal was asked.
    while (!record && ledger.hasKey(key)) record = await ledger.byKey(key)
    if (record && record.digest !== digest)
      throw new Failure('IDEMPOTENCY_CONFLICT', `The idempotency key was already used for task ${record.task.id} with another body.`)
    return record
  }

  async function admit(request: TaskSpec, digest: string, lastCheck?: () => void): Promise<TaskRecord> {
    const client = request.client ?? currentClient()
    const opening = admission.ready(client)
    if (opening) await opening
    const machines = admission.machinesOf(client)
    const idempotencyKey = keyOfClient(request.idempotencyKey, client)
    const spec = { ...request, idempotencyKey, client, ...(machines && { machines }) }
    const earlier = spec.idempotencyKey === null ? null : await admitted(spec.idempotencyKey, digest)
    if (earlier) return earlier
    if ((spec.inputs?.length ?? 0) > INPUT_LIMITS.count)
      throw new Failure('BAD_REQUEST', `A task takes at most ${INPUT_LIMITS.count} inputs.`)
    const perClient = spec.priority === 0 ? waitingPerClient.interactive : waitingPerClient.batch
    const full = refusalOf(client, queue.waitingOf(client, spec.priority), { perClient, what: 'waiting tasks' })
    if (full) throw full
    admission.check(client, spec)
    lastCheck?.()
    return ledger.submit(nextId(), spec, digest)
  }

  const follow = (record: TaskRecord, signal: AbortSignal, isWhole: boolean): AsyncGenerator<OutputPiece> =>
    ledger.isDurablyEnded(record) ? kept(record) : outputOf(record.task.id).read(signal, isWhole)

  return {
    /**
     * Resolves when the task is durable. The same key with the same digest is the same task, for ever; QUEUE_FULL, IDEMPOTENCY_CONFLICT,
     * STORAGE_FULL. `lastCheck` runs right before a new task is live, and may throw.
     */
    async submit(spec: TaskSpec, digest = '', lastCheck?: () => void): Promise<TaskRecord> {
      const record = await admit(spec, digest, lastCheck)
      await ledger.settled()
      return record
    },
    /**
     * Same as `submit`, for a caller that only waits for `outcome`: resolves before the task is durable, so its id must not leave the
     * studio earlier. When it cannot be written, `outcome` rejects with STORAGE_FULL.
     */
    admit,
    /**
     * Same as `submit`, and follows from the first byte, which is the only way to read the output of an ephemeral task. `isWhole`: as in
     * `Output.read`.
     */
    async open(
      spec: TaskSpec,
      digest: string,
      signal: AbortSignal,
      lastCheck?: () => void,
      isWhole = false,
    ): Promise<{ record: TaskRecord; pieces: AsyncGenerator<OutputPiece> }> {
      const record = await admit(spec, digest, lastCheck)
      const pieces = follow(record, signal, isWhole)
      try {
        await ledger.settled()
      } catch (error) {
        await pieces.return(undefined)
        throw error
      }
      return { record, pieces }
    },

    /** Durable when it resolves, for a task that is admitted within the hour. Throws BAD_REQUEST for too much, STORAGE_FULL, STORAGE_UNAVAILABLE. */
    async keepInput(name: string, bytes: Uint8Array): Promise<TaskInput> {
      if (bytes.length > INPUT_LIMITS.bytes) throw new Failure('BAD_REQUEST', `${name} is larger than 64 MiB.`)
      const sha256 = await digestOf(bytes)
      if (await artifacts.renew(sha256, bytes.length)) return { name, size: bytes.length, sha256 }
      try {
        await artifacts.keep(sha256, { chunks: [bytes] })
      } catch (cause) {
        if (cause instanceof Failure) throw cause
        throw new Failure('STORAGE_FULL', `${name} could not be written: ${(cause as Error).message}.`, { cause })
      }
      return { name, size: bytes.length, sha256 }
    },

    /** An input in memory only, for a task that a restart of the studio may end. */
    holdInput: heldInputs.hold,
    readInput: heldInputs.read,

    /** Renews the time for which inputs are kept, for a task that is admitted later. */
    async renewInputs(inputs: readonly TaskInput[]): Promise<void> {
      for (const { sha256, size } of inputs) await artifacts.renew(sha256, size)
    },
    /** Same as in `Admission`, for the current client. */
    untilFree: (ms: number, signal: AbortSignal): Promise<void> => admission.untilFree(currentClient(), ms, signal),

    /** An engine reports how far it is, from 0 to 1. */
    progressed(id: string, share: number): void {
      for (const { onProgress } of waiters.get(id) ?? []) onProgress?.(share)
    },

    apply: (id: string, event: TaskEvent, result: Result | null = null): StepResult => ledger.apply(id, event, result),

    /** Idempotent: a task that has ended stays as it ended. A live task is cancelled at once. Rejects with NOT_FOUND for an unknown id. */
    async cancel(id: string): Promise<StepResult> {
      const result = ledger.apply(id, { kind: 'cancel' })
      if (result.ok || result.reason !== 'unknown-task') return result
      if (await ledger.find(id)) return { ok: false, reason: 'not-allowed' }
      throw new Failure('NOT_FOUND', `There is no task ${id}.`)
    },

    peek: ledger.peek,
    find: ledger.find,
    list: ledger.list,
    attemptsOf: ledger.attemptsOf,
    queued: () => queue.count,

    /**
     * The task as it ended. Rejects with the signal's reason when the caller stops waiting; the task goes on. `onProgress`: as the engine
     * reports it, from 0 to 1; another attempt starts at 0 again.
     */
    async outcome(id: string, signal?: AbortSignal, onProgress?: (share: number) => void): Promise<TaskRecord> {
      if (!ledger.peek(id)) {
        const record = await ledger.find(id)
        if (record) return record
        throw new Failure('NOT_FOUND', `There is no task ${id}.`)
      }
      if (stopped) throw stopped
      return new Promise((resolve, reject) => {
        const list = waiters.get(id) ?? []
        waiters.set(id, list)
        // A caller of many tasks has one signal for all of them, which must not keep those that have ended.
        const leave = () => reject(signal?.reason)
        const settled = (settle: () => void) => {
          signal?.removeEventListener('abort', leave)
          settle()
        }
        list.push({
          resolve: (record) => settled(() => resolve(record)),
          reject: (reason) => settled(() => reject(reason)),
          onProgress,
        })
        signal?.addEventListener('abort', leave, { once: true })
      })
    },

    /**
     * The studio stops: callers that wait for an outcome get NOT_READY. A task whose output only such a caller can use is cancelled, unless the
     * caller can come back with its key; any other continues, or waits for the next start.
     */
    stopWaiting(): void {
      stopped = new Failure('NOT_READY', 'The studio is stopping, so this request was not finished.')
      for (const [id, waiting] of waiters) {
        const { ephemeral, idempotencyKey } = ledger.peek(id)?.spec ?? {}
        if (ephemeral && idempotencyKey === null) ledger.apply(id, { kind: 'cancel' })
        for (const { reject } of waiting) reject(stopped)
      }
      waiters.clear()
    },

    /** The bytes of a task from the first on, while they are made or afterwards. Throws the failure of the task, or NOT_FOUND. */
    follow: (id: string, signal: AbortSignal): AsyncGenerator<OutputPiece> => (ledger.peek(id) ? outputOf(id).read(signal) : keptById(id)),

    /** Bytes of output of a live task so far. */
    sentBytes: (id: string): number => outputs.get(id)?.log.size ?? 0,
    /** The output that the session appends to. */
    outputOf,
    /** The output of a task, when it is small enough for its row. */
    inlineOf(id: string): Buffer | null {
      const { log } = outputOf(id)
      return log.size <= INLINE_BYTES ? Buffer.concat([...piecesOf(log)]) : null
    },
    /** Makes the output of a task durable under its digest. Rejects with the error of the disk. */
    keep(id: string, digest: string): Promise<void> {
      const { log } = outputOf(id)
      return artifacts.keep(digest, log.file ? { file: log.file } : { chunks: piecesOf(log) })
    },

    /** One subscriber for each effect; called after the commit. */
    on(effect: Effect, run: (record: TaskRecord) => void): void {
      effects[effect] = run
    },
    now: clock.now,
  }

  async function* keptById(id: string): AsyncGenerator<OutputPiece> {
    const record = await ledger.find(id)
    if (!record) throw new Failure('NOT_FOUND', `There is no task ${id}.`)
    yield* kept(record)
  }

  async function* kept(record: TaskRecord): AsyncGenerator<OutputPiece> {
    const failure = taskFailureOf(record)
    if (failure) throw failure
    const { result } = record
    if (!result || result.size === 0) return
    if (record.spec.ephemeral) throw new Failure('INPUT_UNAVAILABLE', 'The audio was produced for one answer and was not kept.')
    if (result.bytes) yield { part: 0, bytes: result.bytes }
    else
      try {
        for await (const bytes of artifacts.read(result.digest)) yield { part: 0, bytes }
      } catch (error) {
        if (error instanceof Failure) throw error
        throw new Failure('INPUT_UNAVAILABLE', 'The result was kept for a week and has been removed.', { cause: error })
      }
  }
}

/** Two people may choose the same key. A key has no space, so that of one person is no key of another client. */
function keyOfClient(key: string | null, { id }: Pick<Client, 'id'>): string | null {
  const person = personIn(id)
  return key === null || person === null ? key : `person ${person} ${key}`
}

/** End of a task as the failure that its caller sees; null for a success. */
export function taskFailureOf({ task }: TaskRecord): Failure | null {
  if (task.phase === 'cancelled') return new Failure('CANCELLED', 'The task was cancelled.')
  return task.failure ? new Failure(task.failure.code, task.failure.message) : null
}

/** In pieces, so that the event loop is not blocked. */
async function digestOf(bytes: Uint8Array): Promise<string> {
  const hash = createHash('sha256')
  for (let at = 0; at < bytes.length; at += HASHED_BYTES) {
    hash.update(bytes.subarray(at, at + HASHED_BYTES))
    await new Promise((resolve) => setImmediate(resolve))
  }
  return hash.digest('hex')
}

function* piecesOf(log: ByteLog): Generator<Buffer> {
  for (let at = 0; at < log.size; ) {
    const bytes = log.read(at, log.size)
    at += bytes.length
    yield bytes
  }
}
