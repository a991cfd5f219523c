// The task list of the API, and the route that submits a raw task for development.
import { createHash } from 'node:crypto'
import type { z } from 'zod'
import { parseInput } from '#control-plane/http/input/validation.ts'
import type { Objection } from '#control-plane/scheduler/objection.ts'
import type { TaskGroup } from '#control-plane/store/journal.ts'
import type { AttemptMarks } from '#control-plane/tasks/attempts.ts'
import type { TaskRecord } from '#control-plane/tasks/record.ts'
import type { Tasks } from '#control-plane/tasks/tasks.ts'
import { LOCAL } from '#control-plane/workers/worker.store.ts'
import { FAILURES, Failure, type FailureCode, isFailureCode, isRetryable } from '#shared/protocol/failure.ts'
import { type Phase, TERMINAL } from '#shared/protocol/task.ts'
import type { Clock } from '#shared/runtime/clock.ts'
import { OPERATION_BODIES, type TaskBody, type WorkerTask } from './tasks.schema.ts'

type Deps = {
  readonly tasks: Tasks
  readonly marks: AttemptMarks
  readonly clock: Clock
  readonly isRunning: () => boolean
  readonly isRemoteOperation: (operation: string) => boolean
  readonly target: (operation: string) => string
  readonly why: (taskId: string) => readonly Objection[]
  /** Epoch milliseconds; null without an estimate. */
  readonly expected: (record: TaskRecord) => number | null
  /** The path of a result that is a file, or its address in another store. */
  readonly addressOf: (digest: string) => string
  readonly development: boolean
}
type Listed = {
  readonly limit: number
  readonly always: boolean
  readonly status?: TaskGroup | undefined
  readonly before?: string | undefined
}
export type TaskService = ReturnType<typeof createTaskService>

const ANY_MACHINE = 'auto'
const STATES: Readonly<Record<Phase, WorkerTask['state']>> = {
  queued: 'queued',
  offered: 'assigned',
  loading: 'model_loading',
  running: 'running',
  delivering: 'result_uploading',
  unknown: 'running',
  cancelling: 'running',
  succeeded: 'completed',
  failed: 'failed',
  timed_out: 'timeout',
  cancelled: 'cancelled',
}

export function createTaskService({
  tasks,
  marks,
  clock,
  isRunning,
  isRemoteOperation,
  target,
  why,
  expected,
  addressOf,
  development,
}: Deps) {
  async function viewOf(record: TaskRecord): Promise<WorkerTask> {
    const { spec, task, result } = record
    const attempts = (await tasks.attemptsOf(record)).map((row) => {
      const mark = marks.get(row.attempt_id)
      return {
        attempt_id: row.attempt_id,
        task_id: task.id,
        worker_id: row.worker_id,
        attempt_number: row.number,
        state: row.state,
        progress: mark?.progress ?? row.progress,
        stage: mark?.stage ?? row.stage,
        error: errorOf(row.failure_code, row.failure_message),
        machine: mark?.machine || row.machine,
      }
    })
    return {
      task_id: task.id,
      operation: spec.operation,
      engine: spec.engine,
      model_id: spec.model,
      state: STATES[task.phase === 'unknown' ? task.interrupted! : task.phase],
      priority: spec.priority,
      attempts,
      max_attempts: task.maxAttempts,
      error: errorOf(task.failure?.code ?? null, task.failure?.message ?? null),
      result_ref: result && result.bytes === null ? addressOf(result.digest) : null,
      created_at: record.createdAt / 1000,
      finished_at: secondsOf(record.finishedAt),
      expected_at: secondsOf(TERMINAL.has(task.phase) ? null : expected(record)),
      waiting_for: task.phase === 'queued' ? why(task.id).map(objectionView) : [],
    }
  }
  const running = () => {
    if (!isRunning()) throw new Failure('CONFLICT', 'Remote workers are turned off. Turn them on first on the Machines page.')
  }

  return {
    viewOf,
    async list({ limit, always, status, before }: Listed) {
      if (!isRunning() && !always) return { tasks: [], queue_depth: 0 }
      const records = await tasks.list(Math.min(200, Math.max(1, limit)), status ?? null, before ?? null)
      if (!records) throw new Failure('NOT_FOUND', 'The task named in before was deleted. Start again from the newest.')
      return { queue_depth: tasks.queued(), tasks: await Promise.all(records.map(viewOf)) }
    },

    /** Waits for the end of the task. Throws INVALID_REQUEST for parameters that no engine accepts. */
    async submit(body: z.output<typeof TaskBody>, signal: AbortSignal, traceparent: string): Promise<WorkerTask> {
      if (!development) throw new Failure('FORBIDDEN', 'This route is for development. Start the studio with STUDIO_DEVELOPMENT=1.')
      running()
      if (body.operation !== 'probe' && !isRemoteOperation(body.operation))
        throw new Failure('BAD_REQUEST', `'${body.operation}' does not run on a remote worker yet.`)
      const schema = OPERATION_BODIES.get(body.operation)
      if (!schema) throw new Failure('BAD_REQUEST', `'${body.operation}' is made of several tasks. Submit one of them, such as 'tts'.`)
      parseInput(schema, { params: body.params }, 'body')
      const where = target(body.operation)
      const params = JSON.stringify(body.params)
      const inputs = await Promise.all(
        Object.entries(body.inputs).map(([name, bytes]) => tasks.keepInput(name, Buffer.from(bytes, 'base64'))),
      )
      const deadlineAt = clock.now() + Math.ceil(body.deadline_seconds * 1000)
      const { task } = await tasks.admit(
        {
          operation: body.operation,
          engine: body.engine,
          model: body.model_id,
          params,
          priority: body.priority,
          target: where === LOCAL ? ANY_MACHINE : where,
          size: params.length,
          deadlineAt,
          idempotencyKey: body.idempotency_key === null ? null : `task:${body.idempotency_key}`,
          ephemeral: false,
          ...(inputs.length > 0 && { inputs }),
          traceparent,
        },
        body.idempotency_key === null
          ? ''
          : digestOf(body.engine, body.operation, body.model_id, params, ...inputs.flatMap(({ name, sha256 }) => [name, sha256])),
      )
      const hangUp = () => void tasks.cancel(task.id)
      signal.addEventListener('abort', hangUp, { once: true })
      const ended = await tasks.outcome(task.id, signal).finally(() => signal.removeEventListener('abort', hangUp))
      const view = await viewOf(ended)
      if (ended.task.phase === 'succeeded') return view
      if (ended.task.failure?.code === 'TASK_DEADLINE_EXCEEDED')
        throw new Failure('TASK_DEADLINE_EXCEEDED', 'The deadline passed before the task ended, so it was cancelled.')
      if (ended.task.phase === 'cancelled') throw new Failure('CONFLICT', 'The task was cancelled.', { detail: view })
      throw new Failure('WORKER_FAILED', 'The task failed.', { detail: view })
    },

    async cancel(id: string, always: boolean): Promise<{ ok: true }> {
      if (!always) running()
      const record = await tasks.find(id)
      const step = record && (await tasks.cancel(id))
      if (!step || (!step.ok && record.task.phase !== 'cancelling'))
        throw new Failure('NOT_FOUND', 'There is no such task, or it has ended already.')
      return { ok: true }
    },
  }
}

const secondsOf = (ms: number | null): number | null => (ms === null ? null : ms / 1000)

const objectionView = ({ workerId, reason, shortfall }: Objection) => ({
  worker_id: workerId,
  reason: shortfall ? `${reason}: it ${shortfall}` : reason,
})

function errorOf(code: string | null, message: string | null): WorkerTask['error'] {
  if (code === null) return null
  const ownCode: FailureCode = isFailureCode(code) ? code : 'UNKNOWN'
  return {
    error_class: FAILURES[ownCode].class,
    code,
    message: message ?? '',
    hint: FAILURES[ownCode].hint,
    retryable: isRetryable(ownCode),
  }
}

const digestOf = (...parts: string[]): string => createHash('sha256').update(JSON.stringify(parts)).digest('hex')
