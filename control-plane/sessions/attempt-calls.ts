// The attempts that one worker holds, over one link: offers, cancels, commits, and the comparison of every snapshot of the agent with the
// ledger. The ledger is the truth; the snapshot shows what has to be done about the difference.

import type { Ledger } from '#control-plane/tasks/ledger.ts'
import type { TaskRecord } from '#control-plane/tasks/record.ts'
import type { Link, RunCall, RunReader } from '#shared/link/rpc.ts'
import { isOperation, OPERATIONS } from '#shared/operations/table.ts'
import { FAILURES, Failure, type FailureCode, isFailureCode } from '#shared/protocol/failure.ts'
import type { Wire } from '#shared/protocol/generated/wire.ts'
import type { SnapshotMessage } from '#shared/protocol/messages.ts'
import { TERMINAL } from '#shared/protocol/task.ts'
import type { Clock } from '#shared/runtime/clock.ts'
import type { Log } from '#shared/runtime/log.ts'
import type { AttemptReceiver } from './attempt-receiver.ts'
import { type AttemptStream, type AttemptStreams, openStream } from './attempt-stream.ts'
import { type ReadInput, sendInputs } from './input-sender.ts'

export type AttemptCallDeps = {
  readonly ledger: Ledger
  readonly receiver: AttemptReceiver
  readonly clock: Clock
  readonly log: Log
  /** The worker's consent in force, read at the moment of sending. */
  readonly consentOf: (workerId: string) => string | null
  /** Trace context of the attempt that the task is in. */
  readonly traceparentOf: (record: Pick<TaskRecord, 'spec' | 'task'>) => string
  readonly readInput: ReadInput
  readonly streams: AttemptStreams
}
type Deps = AttemptCallDeps & { readonly workerId: string; readonly link: Link; readonly acceptsInputs: () => boolean }
type AttemptVerdict = { readonly attempt_id: string; readonly epoch: number; readonly committed: boolean }

/** Pause after the worker declined for lack of room: without it the next offer would follow at once. */
const COOLING_MS = 500
/** Milliseconds for a machine to end a call that the studio has ended; open calls count against the limit of its link. */
const CLOSING_MS = 10_000
const MISSED_LIMIT = 2
const DAY_MS = 24 * 3600_000

// Long factory: every function works on the same link and the same streams.
export function createAttemptCalls(deps: Deps) {
  const { workerId, link, ledger, receiver, clock, log, consentOf, traceparentOf, readInput, streams, acceptsInputs } = deps
  let coolUntil = 0
  /** The calls that the studio has ended and the machine has not, with what stops their timers. */
  const closing = new Map<RunCall, () => void>()

  const headerOf = (record: TaskRecord, { attemptId, epoch, lastSeq }: AttemptStream, consentId: string): Wire<'RunHeader'> => {
    const { spec, task } = record
    return {
      task_id: task.id,
      attempt_id: attemptId,
      epoch,
      engine: spec.engine,
      model: spec.model,
      operation: spec.operation,
      model_digest: spec.modelDigest ?? '',
      params_json: Buffer.from(spec.params),
      consent_id: consentId,
      deadline_ms_left: Math.max(1, Math.min(ledger.msLeft(record), DAY_MS)),
      from_seq: lastSeq,
      traceparent: traceparentOf({ spec, task }),
      inputs: (spec.inputs ?? []).map(({ name, size, sha256 }) => ({ name, size, sha256: Buffer.from(sha256, 'hex') })),
      priority: spec.priority,
      size: Math.ceil(spec.size),
    }
  }

  /** Sends the header. An agent that has the attempt continues after `lastSeq`; another one starts it. Sending twice runs it once. */
  function attach(record: TaskRecord): AttemptStream | null {
    const { id, attemptId, epoch } = record.task
    const consentId = consentOf(workerId)
    if (!link.isOpen || !attemptId || consentId === null) return null
    const stream = openStream(streams, { taskId: id, attemptId, epoch })
    if (stream.call) return stream
    if (record.spec.inputs?.length && !acceptsInputs()) {
      receiver.refuse(stream, new Failure('INPUT_TRANSFER_UNSUPPORTED', 'The agent of that machine is too old to receive recordings.'))
      return stream
    }
    if (stream.lastSeq === 0) receiver.restart(stream)
    stream.call = run(record, stream, consentId)
    return stream
  }

  function run(record: TaskRecord, stream: AttemptStream, consentId: string): RunCall {
    let areInputsWanted = false
    const reader: RunReader = {
      output: (events) => {
        if (stream.call !== call) return
        receiver.receive(stream, events)
        if (events.some(reportsNoRoom)) coolUntil = clock.mono() + COOLING_MS
        if (!stream.isFinal && !receiver.isCurrent(stream)) drop(stream)
      },
      wanted: (want) => {
        if (stream.call !== call || areInputsWanted) return
        areInputsWanted = true
        void sendWanted(record, stream, call, want)
      },
      end: (error) => {
        closing.get(call)?.()
        closing.delete(call)
        if (stream.call !== call) return
        stream.call = null
        if (error && !stream.isFinal) log.debug({ taskId: stream.taskId, code: error.code, err: error.message }, 'a call ended early')
        if (error && isRefusal(error)) receiver.refused(stream, error)
        // Without this the next call would start at the same event and receive the same message.
        if (error?.code === 'RESULT_TOO_LARGE' && !stream.isFinal)
          receiver.reject(stream, 'The machine sent a message that is larger than 4 MiB.')
      },
    }
    const { operation } = record.spec
    const isLarge = isOperation(operation) && OPERATIONS[operation].hasLargeOutput
    const call = link.run(headerOf(record, stream, consentId), reader, { isLarge })
    return call
  }

  async function sendWanted(record: TaskRecord, stream: AttemptStream, call: RunCall, want: Wire<'InputWant'>): Promise<void> {
    const consentId = consentOf(workerId)
    /** A cancelled task may have a voice that was withdrawn. */
    const isNeeded = () => {
      const task = ledger.stateOf(stream.taskId)
      return task?.attemptId === stream.attemptId && task.phase !== 'cancelling' && !TERMINAL.has(task.phase)
    }
    // Checked before every piece: a consent that is withdrawn in the middle stops the rest.
    const mayContinue = () =>
      stream.call === call && !stream.isFinal && consentId !== null && consentOf(workerId) === consentId && isNeeded()
    const failure = await sendInputs(record.spec.inputs ?? [], { want, call, read: readInput, mayContinue })
    if (!failure || !mayContinue()) return
    log.warn({ taskId: stream.taskId, code: failure.code, err: failure.message }, 'an input was not sent')
    receiver.refuse(stream, failure)
    drop(stream)
  }

  /** The attempt no longer counts: its agent may forget it. */
  function drop(stream: AttemptStream): void {
    streams.delete(stream.attemptId)
    const { call } = stream
    stream.call = null
    call?.cancel()
    void sendVerdicts([{ attempt_id: stream.attemptId, epoch: stream.epoch, committed: false }])
  }

  const sendVerdicts = (verdicts: AttemptVerdict[]) =>
    link
      .commit({ verdicts })
      .catch((error: Failure) => log.debug({ code: error.code }, 'verdicts were not delivered; the next snapshot repeats them'))

  function stop({ task }: TaskRecord): void {
    // Without a call the cancel waits for the next snapshot, or for the lease.
    streams.get(task.attemptId!)?.call?.write({ step: 'cancel', cancel: {} })
  }

  /** A task that the ledger gives to this worker. */
  function reconcileHeld(record: TaskRecord, isReported: boolean): void {
    const { id, phase, epoch, attemptId } = record.task
    const stream = streams.get(attemptId!)
    if (stream?.isFinal) return // the studio is still writing its result
    if (isReported) {
      if (stream) stream.missed = 0
      if (phase === 'unknown') ledger.apply(id, { kind: 'found', epoch })
      attach(record)
      if (phase === 'cancelling') stop(record)
      return
    }
    // The snapshot may be older than the attempt, or its end under way; the second in a row is not.
    if (stream?.call && (stream.lastSeq === 0 || ++stream.missed < MISSED_LIMIT)) return
    if (phase === 'cancelling') return void ledger.apply(id, { kind: 'cancel-confirmed', epoch })
    if (phase !== 'unknown') ledger.apply(id, { kind: 'link-lost', epoch })
    // A machine that was away may have been restarted. One that took the task over this link and dropped it has failed it.
    const code = stream && phase !== 'unknown' ? 'WORKER_FAILED' : 'WORKER_DISCONNECTED'
    ledger.apply(id, { kind: 'lost', epoch, code, message: 'The machine no longer has the task.' })
  }

  /** The answer for an attempt that the agent reports, or null while the attempt goes on. */
  function verdictOn({ attempt_id, task_id, epoch }: SnapshotMessage['held'][number]): AttemptVerdict | null {
    const task = ledger.stateOf(task_id)
    if (task?.attemptId === attempt_id) return null
    const committed = task?.phase === 'succeeded' && task.epoch === epoch
    // The agent keeps its result until the end of the task is durable here; the next snapshot asks again.
    if (committed && ledger.peek(task_id)) return null
    // An id is only a claim: the stream may be that of another machine.
    if (streams.get(attempt_id)?.taskId === task_id) streams.delete(attempt_id)
    return { attempt_id, epoch, committed }
  }

  return {
    stop,
    /** Compares what the agent holds with what the ledger says it holds. */
    reconcile({ held }: SnapshotMessage): void {
      const reported = new Set(held.map(({ attempt_id }) => attempt_id))
      for (const record of ledger.held(workerId)) reconcileHeld(record, reported.has(record.task.attemptId!))
      const verdicts = held.flatMap((attempt) => verdictOn(attempt) ?? [])
      if (verdicts.length > 0) void sendVerdicts(verdicts)
    },
    offer(record: TaskRecord): void {
      if (!attach(record)) log.debug({ taskId: record.task.id }, 'the offer waits for the link')
    },
    /** The attempt ended or was taken away. A commit goes over the call of the attempt when there is one, without another round trip. */
    settle(attemptId: string, epoch: number, committed: boolean): void {
      const stream = streams.get(attemptId)
      streams.delete(attemptId)
      const { call } = stream ?? {}
      if (stream) stream.call = null
      if (call && committed) {
        call.write({ step: 'commit', commit: {} })
        closing.set(
          call,
          clock.after(CLOSING_MS, () => call.cancel()),
        )
        return call.end()
      }
      call?.cancel()
      if (link.isOpen) void sendVerdicts([{ attempt_id: attemptId, epoch, committed }])
    },
    isCooling: () => clock.mono() < coolUntil,
  }
}

/** An event that costs the task nothing, so that another offer would follow immediately. */
const reportsNoRoom = (event: Wire<'Event'>): boolean =>
  event.fact === 'declined' ||
  (event.fact === 'failed' && isFailureCode(event.failed.code) && FAILURES[event.failed.code].class === 'capacity')

/** Codes that refuse this task, and not only at this moment. WORKER_FAILED stands for those that a machine may not say. */
const REFUSALS: readonly FailureCode[] = ['INVALID_TASK_PARAMS', 'CONSENT_MISSING', 'MODEL_REF_REJECTED', 'STALE_EPOCH', 'WORKER_FAILED']
const isRefusal = ({ code }: Failure): boolean => REFUSALS.includes(code)
