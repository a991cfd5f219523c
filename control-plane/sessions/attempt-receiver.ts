// Receives the events of attempts, in order, and applies them to the ledger. An event that cannot be used fails its attempt and never the
// studio.

import { createHash } from 'node:crypto'
import type { AttemptMarks } from '#control-plane/tasks/attempts.ts'
import type { Leases } from '#control-plane/tasks/leases.ts'
import type { TaskRecord } from '#control-plane/tasks/record.ts'
import type { Tasks } from '#control-plane/tasks/tasks.ts'
import type { Rejections } from '#control-plane/workers/rejections.ts'
import { LOCAL } from '#control-plane/workers/worker.store.ts'
import { outputLimitOf, readResult } from '#shared/operations/table.ts'
import { Failure, type FailureCode } from '#shared/protocol/failure.ts'
import { ATTEMPT_CODES, type AttemptCode, isClaim, isDecline, saidCode } from '#shared/protocol/fields/peer-codes.ts'
import type { Wire } from '#shared/protocol/generated/wire.ts'
import { parseMessage } from '#shared/protocol/message-fields.ts'
import { EventMessage } from '#shared/protocol/run-messages.ts'
import type { Log } from '#shared/runtime/log.ts'
import type { AttemptStream } from './attempt-stream.ts'

type Deps = {
  readonly tasks: Tasks
  readonly leases: Leases
  readonly marks: AttemptMarks
  /** Milliseconds until the deadline. */
  readonly msLeft: (record: TaskRecord) => number
  readonly rejections: Rejections
  readonly log: Log
}
type Said = { readonly code: AttemptCode; readonly message: string }
const DEADLINE_SLACK_MS = 1_000
export type AttemptReceiver = ReturnType<typeof createAttemptReceiver>

/** Limits of each attempt's output, read from the parameters once, and the pieces that arrived. */
function createOutputLimits(tasks: Pick<Tasks, 'peek'>) {
  const known = new WeakMap<AttemptStream, { readonly limit: ReturnType<typeof outputLimitOf>; pieces: number }>()

  function countsOf(stream: AttemptStream) {
    const counts = known.get(stream)
    if (counts) return counts
    const { operation = '', params = '', size = 0 } = tasks.peek(stream.taskId)?.spec ?? {}
    const begun = { limit: outputLimitOf(operation, params, size), pieces: 0 }
    known.set(stream, begun)
    return begun
  }

  return {
    forget: (stream: AttemptStream): void => void known.delete(stream),
    /** Throws INVALID_RESULT. `bytes`: of the output with this piece. */
    check(stream: AttemptStream, part: number, bytes: number): void {
      const counts = countsOf(stream)
      const { limit } = counts
      if (part >= limit.parts) throw new Failure('INVALID_RESULT', `The output has a part ${part} that was not requested.`)
      if (++counts.pieces > limit.pieces || bytes > limit.bytes)
        throw new Failure('INVALID_RESULT', 'The output is larger than the task allows.')
    },
  }
}

export function createAttemptReceiver({ tasks, leases, marks, msLeft, rejections, log }: Deps) {
  const limits = createOutputLimits(tasks)

  /** True if the attempt is still the one that counts. */
  const isCurrent = ({ taskId, attemptId }: AttemptStream) => tasks.peek(taskId)?.task.attemptId === attemptId

  const fail = ({ taskId, epoch }: AttemptStream, code: FailureCode, message: string) =>
    tasks.apply(taskId, { kind: 'fail', epoch, code, message })

  /**
   * The machine says why it does not do the work. Its own faults are believed. That the request is wrong is believed of the studio's own
   * agent, and of a machine when a second one says the same; otherwise another machine is asked.
   */
  function endAsSaid(stream: AttemptStream, { code, message }: Said): void {
    const { taskId, epoch, attemptId } = stream
    stream.isFinal = true
    if (code === 'CANCELLED' && tasks.apply(taskId, { kind: 'cancel-confirmed', epoch }).ok) return
    const record = tasks.peek(taskId)
    // Two clocks that agreed at the offer differ little at the deadline.
    const isLate = record !== null && msLeft(record) < DEADLINE_SLACK_MS
    if (code === 'CANCELLED' || (code === 'TASK_DEADLINE_EXCEEDED' && !isLate))
      return void fail(stream, 'WORKER_FAILED', `The machine stopped the task without a reason: ${message}`)
    // A decline costs nothing, so it needs a reason that speaks of the machine and not of the task.
    if (isDecline(code) && tasks.apply(taskId, { kind: 'decline', epoch, code, message }).ok) return
    const workerId = record?.task.workerId
    if (!isClaim(code) || workerId === LOCAL || !workerId) return void fail(stream, code, message)
    const isSecond = rejections.of(taskId).some((earlier) => earlier.code === code && earlier.workerId !== workerId)
    if (isSecond) return void fail(stream, code, message)
    if (fail(stream, 'WORKER_REJECTED', message).ok) rejections.add(taskId, { workerId, attemptId, code, message })
  }

  /** The digest is right; the task succeeds only once the bytes are durable. */
  function keep(stream: AttemptStream, result: string, digest: string, size: number): void {
    const { taskId, epoch } = stream
    const complete = (bytes: Buffer | null) => void tasks.apply(taskId, { kind: 'complete', epoch }, { result, digest, size, bytes })
    // The bytes of an ephemeral task cannot be requested again, so they need no file.
    if (tasks.peek(taskId)?.spec.ephemeral) return complete(null)
    const small = tasks.inlineOf(taskId)
    if (small) return complete(small)
    tasks.apply(taskId, { kind: 'deliver', epoch })
    tasks.keep(taskId, digest).then(
      () => complete(null),
      (error: unknown) => {
        log.error({ taskId, err: String(error) }, 'a result could not be written')
        if (error instanceof Failure) fail(stream, error.code, error.message)
        else fail(stream, 'STORAGE_FULL', `The result could not be written: ${(error as Error).message}.`)
      },
    )
  }

  function output(stream: AttemptStream, { part, offset, payload }: { part: number; offset: number; payload: Uint8Array }): void {
    limits.check(stream, part, offset + payload.length)
    const output = tasks.outputOf(stream.taskId)
    output.take(part, offset, payload as Buffer)
    leases.renew(stream.taskId, stream.epoch)
  }

  function completed(stream: AttemptStream, fact: { result_json: Uint8Array; sha256: Uint8Array; size: number }): void {
    const { spec, task } = tasks.peek(stream.taskId) ?? {}
    if (!spec || !task) return
    if (task.phase === 'offered' || task.phase === 'loading')
      throw new Failure('INVALID_RESULT', 'The machine sent a result of work that it had not begun.')
    const digest = tasks.outputOf(stream.taskId).verify(fact.size, Buffer.from(fact.sha256))
    const result = readResult(spec.operation, fact.result_json, {
      params: spec.params,
      outputBytes: fact.size,
      isOutput: (text) => createHash('sha256').update(text).digest('hex') === digest,
      units: spec.size,
    })
    keep(stream, JSON.stringify(result), digest, fact.size)
  }

  function applyEvent(stream: AttemptStream, event: EventMessage): void {
    const { taskId, epoch, attemptId } = stream
    switch (event.fact) {
      case 'accepted':
        return void tasks.apply(taskId, { kind: 'accept', epoch })
      case 'declined':
        return endAsSaid(stream, event.declined)
      case 'loading':
        return leases.renew(taskId, epoch)
      case 'running':
        if (event.running.machine !== '')
          marks.set(attemptId, { progress: 0, stage: '', ...marks.get(attemptId), machine: event.running.machine })
        return void tasks.apply(taskId, { kind: 'start', epoch })
      case 'progress':
        if (!event.progress.keepalive) {
          const { progress, stage } = event.progress
          marks.set(attemptId, { progress, stage, machine: marks.get(attemptId)?.machine ?? '' })
          tasks.progressed(taskId, event.progress.progress)
        }
        return leases.renew(taskId, epoch)
      case 'output':
        return output(stream, event.output)
      case 'completed':
        stream.isFinal = true
        return completed(stream, event.completed)
      case 'failed':
        return endAsSaid(stream, event.failed)
    }
  }

  return {
    isCurrent,
    forget: (attemptId: string) => void marks.delete(attemptId),
    /** The attempt starts at its first event again. */
    restart(stream: AttemptStream): void {
      limits.forget(stream)
      tasks.outputOf(stream.taskId).begin()
    },
    /** The studio cannot send what the attempt needs. */
    refuse(stream: AttemptStream, { code, message }: Failure): void {
      const { taskId, epoch } = stream
      stream.isFinal = true
      if (!tasks.apply(taskId, { kind: 'decline', epoch, code, message }).ok) fail(stream, code, message)
    },
    /** The agent refused the call itself. */
    refused: (stream: AttemptStream, { code, message }: Failure): void =>
      endAsSaid(stream, { code: saidCode(code, ATTEMPT_CODES), message }),
    /** The agent sent a message that could not be decoded. */
    reject(stream: AttemptStream, message: string): void {
      stream.isFinal = true
      fail(stream, 'INVALID_RESULT', message)
    },
    /** Applies the new ones of `events`. */
    receive(stream: AttemptStream, events: readonly Wire<'Event'>[]): void {
      for (const raw of events) {
        if (stream.isFinal) return
        try {
          const event = parseMessage(EventMessage, raw)
          const isKeepalive = event.fact === 'progress' && event.progress.keepalive
          if (event.seq <= stream.lastSeq && !isKeepalive) continue
          if (event.seq > stream.lastSeq + 1) throw new Failure('OFFSET_MISMATCH', `Event ${stream.lastSeq + 1} is missing.`)
          stream.lastSeq = event.seq
          applyEvent(stream, event)
        } catch (error) {
          const failure = Failure.from(error, 'WORKER_FAILED')
          log.warn({ taskId: stream.taskId, code: failure.code, err: failure.message }, 'an attempt sent an event that cannot be used')
          stream.isFinal = true
          fail(stream, failure.code, failure.message)
          return
        }
      }
    },
  }
}
