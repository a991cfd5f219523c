// Runs one operation as a task: validates the parameters, lets the scheduler place and retry it, and returns a typed result. The task is
// cancelled when its caller disconnects.
import { createHash } from 'node:crypto'
import type { OutputPiece } from '#control-plane/tasks/output.ts'
import type { Priority, SpeechNeed, TaskInput, TaskRecord, TaskSpec } from '#control-plane/tasks/record.ts'
import { type Tasks, taskFailureOf } from '#control-plane/tasks/tasks.ts'
import type { Operation } from '#shared/operations/operation.ts'
import {
  OPERATIONS,
  type OperationId,
  PARAMS_BYTES,
  type ParamsInput,
  parseParams,
  type ResultOf,
  storedResult,
} from '#shared/operations/table.ts'
import { Failure } from '#shared/protocol/failure.ts'
import { whenAllowed } from './when-ready.ts'

export type Request<Id extends OperationId = OperationId> = {
  readonly operation: Id
  readonly engine: string
  /** Default '': the default model of the engine. */
  readonly model?: string
  /** SHA-256 of the files of the model that must run it. Default '': any. */
  readonly modelDigest?: string
  /** The voices and the language that the machine must offer. Default: any. */
  readonly speaks?: SpeechNeed | undefined
  readonly params: ParamsInput<Id>
  /** Stored by `keepInput`, in the order in which they are sent. */
  readonly inputs?: readonly TaskInput[]
  /** Length of the recording among the inputs. Default 0. */
  readonly seconds?: number
  /** Those of them that no earlier task had recognised. Default: all. */
  readonly newSeconds?: number
  /** 'auto', 'local' or a worker id. */
  readonly target: string
  /** Time limit of the task in milliseconds, including its time in the queue. */
  readonly withinMs: number
  /** Default 0, interactive. */
  readonly priority?: Priority
  /** A repeated request with the same key returns the same task, so such a task continues after its caller disconnects. Default null. */
  readonly idempotencyKey?: string | null
  /** The output is needed only while the caller reads it. */
  readonly ephemeral: boolean
  /** Called right before a new task is admitted: what it throws refuses the task. */
  readonly lastCheck?: () => void
  /** A stream begins when the task has ended: an attempt that fails after its first bytes is made again, and costs nothing. Default false. */
  readonly isWhole?: boolean
  /** Called while the caller waits for the result, with what the engine reports: 0 to 1, and 0 again with another attempt. */
  readonly onProgress?: (share: number) => void
  /** Trace context of the request. */
  readonly traceparent: string
}

export type Run<Id extends OperationId = OperationId> = {
  readonly taskId: string
  readonly spec: TaskSpec
  /** Rejects with the failure of the task, or with the reason of the signal when the caller disconnects. */
  readonly result: () => Promise<ResultOf<Id>>
  /** The output from its first byte, during the run or afterwards. `reader` ends this reading only. Throws what `result` rejects with. */
  readonly output: (reader?: AbortSignal) => AsyncGenerator<OutputPiece>
  /** Cancels the task unless it has an idempotency key. */
  readonly abandon: () => void
}
/** A run whose output is followed from the start. Ephemeral output can be read only this way. */
export type Stream<Id extends OperationId = OperationId> = Run<Id> & { readonly pieces: AsyncGenerator<OutputPiece> }
export type Inference = ReturnType<typeof createInference>

type Deps = {
  readonly tasks: Pick<
    Tasks,
    | 'submit'
    | 'admit'
    | 'open'
    | 'outcome'
    | 'follow'
    | 'cancel'
    | 'keepInput'
    | 'holdInput'
    | 'renewInputs'
    | 'untilFree'
    | 'now'
    | 'find'
    | 'attemptsOf'
  >
}

export function createInference({ tasks }: Deps) {
  function specOf<Id extends OperationId>(request: Request<Id>): { spec: TaskSpec; digest: string } {
    const { operation: id, engine, inputs = [], idempotencyKey = null } = request
    const operation: Operation = OPERATIONS[id]
    const params = parseParams(operation.params, request.params)
    // Sent without defaults: an agent of another version applies its own.
    const text = JSON.stringify(request.params)
    if (Buffer.byteLength(text) > PARAMS_BYTES) throw new Failure('INVALID_TASK_PARAMS', 'The parameters are larger than 1 MiB.')
    const spec: TaskSpec = {
      operation: id,
      engine,
      model: request.model ?? '',
      ...(request.modelDigest && { modelDigest: request.modelDigest }),
      ...(request.speaks && { speaks: request.speaks }),
      params: text,
      priority: request.priority ?? 0,
      target: request.target,
      size: operation.units(params, { seconds: request.seconds ?? 0 }),
      ...(request.newSeconds !== undefined && { newSeconds: request.newSeconds }),
      deadlineAt: tasks.now() + Math.ceil(request.withinMs),
      idempotencyKey,
      ephemeral: request.ephemeral,
      ...(inputs.length > 0 && { inputs }),
      traceparent: request.traceparent,
    }
    return { spec, digest: idempotencyKey === null ? '' : digestOf(engine, text, inputs) }
  }

  function runOf<Id extends OperationId>(
    request: Pick<Request<Id>, 'operation' | 'idempotencyKey' | 'onProgress'>,
    { task, spec }: TaskRecord,
    signal: AbortSignal,
  ): Run<Id> {
    const { id } = task
    const abandon = () => void ((request.idempotencyKey ?? null) === null && tasks.cancel(id))
    const forget = () => signal.removeEventListener('abort', abandon)
    signal.addEventListener('abort', abandon, { once: true })
    if (signal.aborted) abandon()
    return {
      taskId: id,
      spec,
      result: async () => resultOf(request.operation, await tasks.outcome(id, signal, request.onProgress).finally(forget)),
      output: (reader) => tasks.follow(id, reader ? AbortSignal.any([signal, reader]) : signal),
      abandon,
    }
  }

  /** `admit` for the request. A step of a job waits instead of the refusal by a limit. */
  const admitted = <Id extends OperationId, T>(
    request: Request<Id>,
    signal: AbortSignal,
    admit: (spec: TaskSpec, digest: string) => Promise<T>,
  ): Promise<T> =>
    whenAllowed(
      () => {
        const { spec, digest } = specOf(request)
        return admit(spec, digest)
      },
      {
        async rest(ms) {
          await tasks.untilFree(ms, signal)
          await tasks.renewInputs(request.inputs ?? [])
        },
      },
    )

  /** Resolves when the task is durable. Throws INVALID_TASK_PARAMS, QUEUE_FULL, QUOTA_EXCEEDED, IDEMPOTENCY_CONFLICT, STORAGE_FULL. */
  async function start<Id extends OperationId>(request: Request<Id>, signal: AbortSignal): Promise<Run<Id>> {
    const record = await admitted(request, signal, (spec, digest) => tasks.submit(spec, digest, request.lastCheck))
    return runOf(request, record, signal)
  }

  /** Same as `start`, with the output from the first byte. */
  async function stream<Id extends OperationId>(request: Request<Id>, signal: AbortSignal): Promise<Stream<Id>> {
    const { record, pieces } = await admitted(request, signal, (spec, digest) =>
      tasks.open(spec, digest, signal, request.lastCheck, request.isWhole),
    )
    return { ...runOf(request, record, signal), pieces }
  }

  return {
    start,
    stream,
    /** The run of an earlier task, possibly from before a restart; null if the task was deleted. */
    async resume<Id extends OperationId>(operation: Id, taskId: string, signal: AbortSignal): Promise<Run<Id> | null> {
      const record = await tasks.find(taskId)
      return record && runOf({ operation, idempotencyKey: record.spec.idempotencyKey }, record, signal)
    },
    /** The result of an operation. Throws what `start` throws, and how the task ended. */
    async run<Id extends OperationId>(request: Request<Id>, signal: AbortSignal): Promise<ResultOf<Id>> {
      const record = await admitted(request, signal, (spec, digest) => tasks.admit(spec, digest, request.lastCheck))
      return runOf(request, record, signal).result()
    },
    /** Same as `run`, with the whole output. */
    async collect<Id extends OperationId>(request: Request<Id>, signal: AbortSignal): Promise<{ result: ResultOf<Id>; output: Buffer }> {
      const { pieces, result } = await stream({ ...request, isWhole: true }, signal)
      const chunks: Buffer[] = []
      for await (const { bytes } of pieces) chunks.push(bytes)
      return { result: await result(), output: Buffer.concat(chunks) }
    },
    /** Durable when it resolves. Throws BAD_REQUEST for more than 64 MiB, STORAGE_FULL. */
    keepInput: tasks.keepInput,
    /** Holds live audio in memory only, until it is released. Throws QUEUE_FULL. */
    holdInput: tasks.holdInput,

    /** The state of a task; null if it was deleted. */
    taskOf: async (taskId: string): Promise<TaskRecord['task'] | null> => (await tasks.find(taskId))?.task ?? null,
    /** The place of the output of a task that has ended well; null before that, and if the task was deleted. */
    outputOf: async (taskId: string): Promise<TaskRecord['result']> => (await tasks.find(taskId))?.result ?? null,
    /** The machine that runs the task or ran it last; null before the task is placed. */
    async workerOf(taskId: string): Promise<string | null> {
      const record = await tasks.find(taskId)
      return (record && (await tasks.attemptsOf(record)).at(-1)?.worker_id) ?? null
    },
    /** The result of a task that has ended well; null before that. */
    async resultSoFar<Id extends OperationId>(operation: Id, taskId: string): Promise<ResultOf<Id> | null> {
      const result = (await tasks.find(taskId))?.result
      return result ? storedResult(operation, result.result) : null
    },
  }
}

function resultOf<Id extends OperationId>(operation: Id, ended: TaskRecord): ResultOf<Id> {
  const failure = taskFailureOf(ended)
  if (failure) throw failure
  return storedResult(operation, ended.result!.result)
}

/** Digest of the request behind an idempotency key. The same key with another digest is a conflict. */
const digestOf = (engine: string, params: string, inputs: readonly TaskInput[]): string =>
  createHash('sha256')
    .update([`${engine} ${params}`, ...inputs.map(({ name, sha256 }) => `${name} ${sha256}`)].join('\n'))
    .digest('hex')
