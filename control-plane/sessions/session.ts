// One worker's live link. Opens it (describe, consent, watch), sends offers and cancels, and compares every snapshot of what the agent
// holds with what the ledger says it should hold: the table is the truth, the snapshot tells what to do about it.

import type { Link, RunCall } from '#shared/link/rpc.ts'
import { FAILURES, Failure, isFailureCode } from '#shared/protocol/failure.ts'
import { BEAT_MS, LOST_MS, PING_MS } from '#shared/protocol/lease.ts'
import { parseMessage } from '#shared/protocol/message-fields.ts'
import type { DrainRequest, Snapshot } from '#shared/protocol/messages.ts'
import { DescriptionMessage, INPUTS_FEATURE, PROTOCOL_VERSION, SnapshotMessage, UnloadedMessage } from '#shared/protocol/messages.ts'
import type { InputWant, RunEvent, RunHeader } from '#shared/protocol/run-messages.ts'
import type { Clock } from '#shared/runtime/clock.ts'
import type { Log } from '#shared/runtime/log.ts'
import type { Ledger } from '../tasks/ledger.store.ts'
import type { TaskRecord } from '../tasks/record.ts'
import type { AttemptReceiver, AttemptStream } from './attempt-receiver.ts'
import { type ReadInput, sendInputs } from './input-sender.ts'

export type Session = ReturnType<typeof createSession>
export type SessionDeps = {
  readonly ledger: Ledger
  readonly hearing: AttemptReceiver
  readonly clock: Clock
  readonly log: Log
  readonly studioVersion: string
  /** The worker's live consent, read at the moment of sending. */
  readonly consentOf: (workerId: string) => string | null
  /** What the owner wants: whether it takes new work, and how long it has for what it holds. null: nothing was said. */
  readonly drainOf: (workerId: string) => DrainRequest | null
  /** Trace context of the attempt that the task is in. */
  readonly traceparentOf: (record: Pick<TaskRecord, 'spec' | 'task'>) => string
  readonly readInput: ReadInput
  /** Attempts heard of so far, whichever link they came over. */
  readonly deliveries: Map<string, AttemptStream>
}

const STALE_MS = 10_000
const COOLING_MS = 500
const ROTATE_MS = 30_000
const UNLOAD_MS = 10_000
const PING_EVERY_BEATS = PING_MS / BEAT_MS

export function createSession(
  workerId: string,
  link: Link,
  { ledger, hearing, clock, log: parent, studioVersion, consentOf, drainOf, traceparentOf, readInput, deliveries }: SessionDeps,
) {
  const log = parent.child({ workerId })
  const abort = new AbortController()
  let description: DescriptionMessage | null = null
  let snapshot: SnapshotMessage | null = null
  let heardAt = clock.mono()
  let coolUntil = 0
  let asking: Promise<void> | null = null
  let roundTrips: number[] = []

  const round = async <T>(call: () => Promise<T>): Promise<T> => {
    const from = clock.mono()
    const answer = await call()
    roundTrips = [...roundTrips, clock.mono() - from].slice(-5)
    return answer
  }

  const headerOf = ({ spec, task }: TaskRecord, delivery: AttemptStream, consentId: string): RunHeader => ({
    task_id: task.id,
    attempt_id: delivery.attemptId,
    epoch: delivery.epoch,
    engine: spec.engine,
    model: spec.model,
    operation: spec.operation,
    model_digest: '',
    params_json: Buffer.from(spec.params),
    consent_id: consentId,
    deadline_ms_left: Math.max(1, Math.min(spec.deadlineAt - clock.now(), 24 * 3600_000)),
    from_seq: delivery.lastSeq,
    traceparent: traceparentOf({ spec, task }),
    inputs: (spec.inputs ?? []).map(({ name, size, sha256 }) => ({ name, size, sha256: Buffer.from(sha256, 'hex') })),
  })

  /** Sends the header; an agent that knows the attempt goes on from `lastSeq`, one that does not begins. Sending twice runs once. */
  function attach(record: TaskRecord): AttemptStream | null {
    const { task } = record
    const consentId = consentOf(workerId)
    if (!link.isOpen || !task.attemptId || consentId === null) return null
    const delivery = deliveries.get(task.attemptId) ?? {
      taskId: task.id,
      attemptId: task.attemptId,
      epoch: task.epoch,
      lastSeq: 0,
      call: null,
      spoken: false,
    }
    deliveries.set(task.attemptId, delivery)
    if (delivery.call) return delivery
    if (record.spec.inputs?.length && !description?.features.includes(INPUTS_FEATURE)) {
      refused(delivery, new Failure('INPUT_TRANSFER_UNSUPPORTED', 'the agent of that machine is too old to be given recordings'))
      return delivery
    }
    if (delivery.lastSeq === 0) hearing.restart(delivery)
    let wasAsked = false
    const call = link.run(headerOf(record, delivery, consentId), {
      output: (events) => {
        if (delivery.call !== call) return
        hearing.take(delivery, events)
        if (events.some(saysNoRoom)) coolUntil = clock.mono() + COOLING_MS
        if (delivery.spoken) return
        if (!hearing.isCurrent(delivery)) drop(delivery)
      },
      wanted: (want) => {
        if (delivery.call !== call || wasAsked) return
        wasAsked = true
        void give(record, delivery, call, want)
      },
      end: (error) => {
        if (delivery.call !== call) return
        delivery.call = null
        if (error && !delivery.spoken) log.debug({ taskId: delivery.taskId, code: error.code, err: error.message }, 'a call ended early')
        if (error && isRefusal(error)) refused(delivery, error)
        // Without this the next call would start at the same event and receive the same message.
        if (error?.code === 'RESULT_TOO_LARGE' && !delivery.spoken)
          hearing.reject(delivery, 'The machine sent a message that is larger than 4 MiB.')
      },
    })
    delivery.call = call
    return delivery
  }

  async function give(record: TaskRecord, delivery: AttemptStream, call: RunCall, want: InputWant): Promise<void> {
    const consentId = consentOf(workerId)
    // Looked at before every piece: a consent that is withdrawn in the middle stops the rest.
    const mayGoOn = () => delivery.call === call && !delivery.spoken && consentId !== null && consentOf(workerId) === consentId
    const failure = await sendInputs(record.spec.inputs ?? [], { want, call, read: readInput, mayGoOn })
    if (!failure || !mayGoOn()) return
    log.warn({ taskId: delivery.taskId, code: failure.code, err: failure.message }, 'an input was not sent')
    refused(delivery, failure)
    drop(delivery)
  }

  /** The agent would not even begin, for a reason that asking again does not change. */
  function refused(delivery: AttemptStream, error: Failure): void {
    delivery.spoken = true
    hearing.refuse(delivery, error)
  }

  /** The attempt no longer counts: its agent may forget it. */
  function drop(delivery: AttemptStream): void {
    deliveries.delete(delivery.attemptId)
    const { call } = delivery
    delivery.call = null
    call?.cancel()
    void tell([{ attempt_id: delivery.attemptId, epoch: delivery.epoch, committed: false }])
  }

  const tell = (verdicts: { attempt_id: string; epoch: number; committed: boolean }[]) =>
    link
      .commit({ verdicts })
      .catch((error: Failure) => log.debug({ code: error.code }, 'verdicts were not heard; the next snapshot brings them again'))

  /** Everything held here and not reported, everything reported and not held: each pair has one answer. */
  function reconcile({ held }: SnapshotMessage): void {
    const reported = new Map(held.map((attempt) => [attempt.attempt_id, attempt]))
    for (const record of ledger.held(workerId)) {
      const { id, phase, epoch, attemptId } = record.task
      const delivery = deliveries.get(attemptId!)
      if (delivery?.spoken) continue // only our own disk is still at it
      if (reported.has(attemptId!)) {
        if (phase === 'unknown') ledger.apply(id, { kind: 'found', epoch })
        attach(record)
        if (phase === 'cancelling') stop(record)
      } else if (delivery?.call) {
        // The call is newer than the snapshot, or its end is on the way.
      } else if (phase === 'cancelling') ledger.apply(id, { kind: 'cancel-confirmed', epoch })
      else {
        if (phase !== 'unknown') ledger.apply(id, { kind: 'link-lost', epoch })
        ledger.apply(id, { kind: 'lost', epoch, code: 'WORKER_DISCONNECTED', message: 'the machine came back without the task' })
      }
    }
    const verdicts = held.flatMap(({ attempt_id, task_id, epoch }) => {
      const record = ledger.get(task_id)
      if (record?.task.attemptId === attempt_id) return []
      const committed = record?.task.phase === 'succeeded' && record.task.epoch === epoch
      // An end that is not on the disk yet is nothing to let go of a result for; the next snapshot asks again.
      if (committed && !ledger.isDurablyEnded(record)) return []
      deliveries.delete(attempt_id)
      return [{ attempt_id, epoch, committed }]
    })
    if (verdicts.length > 0) void tell(verdicts)
  }

  async function watch(ready: () => void): Promise<void> {
    for await (const message of link.watch({ interval_ms: BEAT_MS }, abort.signal)) {
      const first = snapshot === null
      snapshot = parseMessage(SnapshotMessage, message satisfies Snapshot)
      heardAt = clock.mono()
      reconcile(snapshot)
      if (!asking && snapshot.inventory !== description?.inventory) void describeAgain()
      if (first) ready()
      else if (snapshot.beat % PING_EVERY_BEATS === 0) void round(() => link.commit({ verdicts: [] })).catch(() => {})
      ledger.touch() // its state may let something be placed
    }
  }

  /** On failure it stays as it was said; a snapshot asks again. Never rejects. */
  async function describe(): Promise<void> {
    try {
      description = parseMessage(DescriptionMessage, await link.describe({ studio_version: studioVersion, features: [] }))
      ledger.touch() // something that waited may be placed now
    } catch (error) {
      log.warn({ code: Failure.from(error).code }, 'a machine did not tell what it can do now')
    }
  }

  /** What the machine can do has changed. An answer that is under way may be older than the change, so it is waited for and asked again. */
  function describeAgain(): Promise<void> {
    const mine = (asking ?? Promise.resolve()).then(describe).finally(() => {
      if (asking === mine) asking = null
    })
    asking = mine
    return mine
  }

  function stop(record: TaskRecord): void {
    const { task } = record
    const delivery = deliveries.get(task.attemptId!)
    // Without a call the cancel waits for the next snapshot, or for the lease.
    delivery?.call?.write({ step: 'cancel', cancel: {} })
  }

  return {
    workerId,
    address: link.peerAddress,
    closed: link.closed,
    close: link.close,

    /**
     * Resolves when the agent has described itself and its first snapshot has been compared. Throws a Failure when it cannot be used.
     * `judge` looks at it before it is told anything, and throws.
     */
    async open(judge: (description: DescriptionMessage) => void): Promise<DescriptionMessage> {
      description = parseMessage(DescriptionMessage, await round(() => link.describe({ studio_version: studioVersion, features: [] })))
      if (description.protocol !== PROTOCOL_VERSION)
        throw new Failure('UPGRADE_REQUIRED', `the agent speaks protocol ${description.protocol}, this studio ${PROTOCOL_VERSION}`)
      judge(description)
      await round(() => link.consent({ consent_id: consentOf(workerId) ?? '' }))
      const wish = drainOf(workerId)
      if (wish) await link.drain(wish)
      await new Promise<void>((resolve, reject) => {
        watch(resolve).then(
          () => reject(new Failure('WORKER_DISCONNECTED', 'the agent ended its reports')),
          (error: unknown) => {
            const failure = Failure.from(error, 'WORKER_DISCONNECTED')
            reject(failure)
            link.close(failure)
          },
        )
      })
      return description
    },
    /** Called by the registry once a second. */
    check(): void {
      if (clock.mono() - heardAt > LOST_MS) link.close(new Failure('WORKER_DISCONNECTED', `no word for ${LOST_MS / 1000} s`))
    },
    offer(record: TaskRecord): void {
      if (!attach(record)) log.debug({ taskId: record.task.id }, 'the offer waits for the link')
    },
    stop,
    /** The attempt ended or was taken away: commit on its own call when there is one, which costs no further round trip. */
    settle(attemptId: string, epoch: number, committed: boolean): void {
      const delivery = deliveries.get(attemptId)
      deliveries.delete(attemptId)
      const { call } = delivery ?? {}
      if (delivery) delivery.call = null
      if (call && committed) {
        call.write({ step: 'commit', commit: {} })
        return call.end()
      }
      call?.cancel()
      if (link.isOpen) void tell([{ attempt_id: attemptId, epoch, committed }])
    },
    consent: async (consentId: string | null): Promise<void> => link.consent({ consent_id: consentId ?? '' }, 1000),
    async drain(wish: DrainRequest): Promise<void> {
      await link.drain(wish, 1000)
      if (snapshot) snapshot = { ...snapshot, draining: wish.drain } // until the next one says so
    },
    /** Has the agent renew its certificate now; false when it did not, or is too old to understand and does it in its own time. */
    rotate: (): Promise<boolean> =>
      link.rotate({}, ROTATE_MS).then(
        () => true,
        (error: Failure) => {
          log.debug({ code: error.code }, 'the agent did not renew when asked')
          return false
        },
      ),
    describeAgain,
    /** Frees the memory of an idle engine, '' of all. Throws when the agent is too old to understand, or is away. */
    unload: async (engine: string): Promise<UnloadedMessage> => parseMessage(UnloadedMessage, await link.unload({ engine }, UNLOAD_MS)),
    end: () => abort.abort(),
    logs: link.logs,
    inventory: () => link.inventory({}),
    install: (id: string, signal: AbortSignal) => link.install({ id, consent_id: consentOf(workerId) ?? '' }, signal),
    stopInstall: (id: string) => link.stopInstall({ id }),
    removeModel: (id: string) => link.removeModel({ id }),
    inventoryGeneration: () => snapshot?.inventory ?? 0,

    isReady: () => description !== null && snapshot !== null && link.isOpen,
    isStale: () => clock.mono() - heardAt > STALE_MS,
    isCooling: () => clock.mono() < coolUntil,
    gpus: () => description?.host.gpus ?? [],
    capabilities: () => description?.capabilities ?? [],
    residentModels: () => snapshot?.resident_models ?? [],
    isDraining: () => drainOf(workerId)?.drain || (snapshot?.draining ?? false),
    freeMemoryBytes: () => snapshot?.free_memory_bytes ?? 0,
    freeDiskBytes: () => snapshot?.free_disk_bytes ?? 0,
    /** Median of the last five round trips in milliseconds with one decimal; 0 before the second. */
    latencyMs: () => (roundTrips.length < 2 ? 0 : Math.round([...roundTrips].sort((a, b) => a - b)[roundTrips.length >> 1]! * 10) / 10),
  }
}

/** Such an answer costs the task nothing: without a pause the next offer would follow at once, and the next. */
const saysNoRoom = (event: RunEvent): boolean =>
  event.fact === 'declined' ||
  (event.fact === 'failed' && isFailureCode(event.failed.code) && FAILURES[event.failed.code].class === 'capacity')

/** Statuses that say no to this task rather than to this moment. */
const isRefusal = ({ code }: Failure): boolean =>
  code === 'INVALID_TASK_PARAMS' || code === 'CONSENT_MISSING' || code === 'MODEL_REF_REJECTED' || code === 'STALE_EPOCH'
