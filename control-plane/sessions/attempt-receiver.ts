// One attempt as the studio hears of it: the events of its Run call, in order, turned into facts for the ledger. It survives the call:
// when the link breaks, the next session goes on from the last event heard.
import type { RunCall } from '#shared/link/rpc.ts'
import { partsOf, readResult } from '#shared/operations/table.ts'
import { Failure, type FailureCode, isFailureCode } from '#shared/protocol/failure.ts'
import { parseMessage } from '#shared/protocol/message-fields.ts'
import type { RunEvent } from '#shared/protocol/run-messages.ts'
import { EventMessage } from '#shared/protocol/run-messages.ts'
import type { Log } from '#shared/runtime/log.ts'
import type { AttemptMarks } from '../tasks/attempt.store.ts'
import type { Leases } from '../tasks/leases.ts'
import type { Tasks } from '../tasks/tasks.ts'

export type AttemptStream = {
  readonly taskId: string
  readonly attemptId: string
  readonly epoch: number
  /** Newest event heard; where a new call goes on. */
  lastSeq: number
  /** The call it is heard on, or null between two links. */
  call: RunCall | null
  /** The last word of the agent was heard; what follows is ours. */
  spoken: boolean
}
type Deps = {
  readonly tasks: Tasks
  readonly leases: Leases
  readonly marks: AttemptMarks
  readonly log: Log
}
export type AttemptReceiver = ReturnType<typeof createAttemptReceiver>

export function createAttemptReceiver({ tasks, leases, marks, log }: Deps) {
  /** How many parts the output of an attempt may have, read from its parameters once. */
  const partLimits = new WeakMap<AttemptStream, number>()

  /** Whether the attempt is still the one that counts. */
  const isCurrent = ({ taskId, attemptId }: AttemptStream) => tasks.get(taskId)?.task.attemptId === attemptId

  const fail = ({ taskId, epoch }: AttemptStream, code: FailureCode, message: string) =>
    tasks.apply(taskId, { kind: 'fail', epoch, code, message })

  /** The digest is right; now the bytes become durable, and only then the task has succeeded. */
  function keep(delivery: AttemptStream, result: string, digest: string, size: number): void {
    const { taskId, epoch } = delivery
    const complete = (bytes: Buffer | null) => void tasks.apply(taskId, { kind: 'complete', epoch }, { result, digest, size, bytes })
    // What nobody can ask for once the answer is complete needs no file.
    if (tasks.get(taskId)?.spec.ephemeral) return complete(null)
    const small = tasks.inlineOf(taskId)
    if (small) return complete(small)
    tasks.apply(taskId, { kind: 'deliver', epoch })
    tasks.keep(taskId, digest).then(
      () => complete(null),
      (error: unknown) => {
        log.error({ taskId, err: String(error) }, 'a result could not be written')
        fail(delivery, 'STORAGE_FULL', `the result could not be written: ${(error as Error).message}`)
      },
    )
  }

  function partLimitOf(stream: AttemptStream): number {
    let limit = partLimits.get(stream)
    if (limit === undefined) {
      const spec = tasks.get(stream.taskId)?.spec
      limit = spec ? partsOf(spec.operation, spec.params) : 0
      partLimits.set(stream, limit)
    }
    return limit
  }

  function output(stream: AttemptStream, { part, offset, payload }: { part: number; offset: number; payload: Uint8Array }): void {
    if (part >= partLimitOf(stream)) throw new Failure('INVALID_RESULT', `The output has a part ${part} that was not requested.`)
    const output = tasks.outputOf(stream.taskId)
    output.take(part, offset, payload as Buffer)
    leases.renew(stream.taskId, stream.epoch)
  }

  function completed(stream: AttemptStream, fact: { result_json: Uint8Array; sha256: Uint8Array; size: number }): void {
    const spec = tasks.get(stream.taskId)?.spec
    if (!spec) return
    const digest = tasks.outputOf(stream.taskId).verify(fact.size, Buffer.from(fact.sha256))
    const result = readResult(spec.operation, fact.result_json, { params: spec.params, outputBytes: fact.size })
    keep(stream, JSON.stringify(result), digest, fact.size)
  }

  function hear(delivery: AttemptStream, event: EventMessage): void {
    const { taskId, epoch, attemptId } = delivery
    switch (event.fact) {
      case 'accepted':
        return void tasks.apply(taskId, { kind: 'accept', epoch })
      case 'declined': {
        const code = known(event.declined.code, 'WORKER_AT_CAPACITY')
        delivery.spoken = true
        return void tasks.apply(taskId, { kind: 'decline', epoch, code, message: event.declined.message })
      }
      case 'loading':
        return leases.renew(taskId, epoch)
      case 'running':
        return void tasks.apply(taskId, { kind: 'start', epoch })
      case 'progress':
        if (!event.progress.keepalive) marks.set(attemptId, { progress: event.progress.progress, stage: event.progress.stage })
        return leases.renew(taskId, epoch)
      case 'output':
        return output(delivery, event.output)
      case 'completed':
        delivery.spoken = true
        return completed(delivery, event.completed)
      case 'failed':
        delivery.spoken = true
        if (event.failed.code === 'CANCELLED' && tasks.apply(taskId, { kind: 'cancel-confirmed', epoch }).ok) return
        return void fail(delivery, known(event.failed.code, 'WORKER_FAILED'), event.failed.message)
    }
  }

  return {
    isCurrent,
    forget: (attemptId: string) => void marks.delete(attemptId),
    /** The attempt will be heard from its first event on. */
    restart({ taskId }: AttemptStream): void {
      tasks.outputOf(taskId).begin()
    },
    /** The agent refused the call itself. */
    refuse(delivery: AttemptStream, { code, message }: Failure): void {
      const { taskId, epoch } = delivery
      if (!tasks.apply(taskId, { kind: 'decline', epoch, code, message }).ok) fail(delivery, code, message)
    },
    /** The agent sent a message that was not even decoded. */
    reject(stream: AttemptStream, message: string): void {
      stream.spoken = true
      fail(stream, 'INVALID_RESULT', message)
    },
    /** Takes what is new of `events`. Whatever is wrong with them fails the attempt, never the studio. */
    take(delivery: AttemptStream, events: readonly RunEvent[]): void {
      for (const raw of events) {
        if (delivery.spoken) return
        try {
          const event = parseMessage(EventMessage, raw)
          const again = event.fact === 'progress' && event.progress.keepalive
          if (event.seq <= delivery.lastSeq && !again) continue
          if (event.seq > delivery.lastSeq + 1) throw new Failure('OFFSET_MISMATCH', `event ${delivery.lastSeq + 1} is missing`)
          delivery.lastSeq = event.seq
          hear(delivery, event)
        } catch (error) {
          const failure = Failure.from(error, 'WORKER_FAILED')
          log.warn({ taskId: delivery.taskId, code: failure.code, err: failure.message }, 'an attempt sent what cannot be used')
          delivery.spoken = true
          fail(delivery, failure.code, failure.message)
          return
        }
      }
    },
  }
}

const known = (code: string, otherwise: FailureCode): FailureCode => (isFailureCode(code) ? code : otherwise)
