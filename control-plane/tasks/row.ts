// Converts a task record to its row and back.
import { z } from 'zod'
import { clientOfPerson, payerOf } from '#control-plane/clients/client.ts'
import type { TaskRow } from '#control-plane/store/rows.ts'
import type { TaskInput, TaskRecord, TaskSpec } from './record.ts'

const Ids = z.array(z.string())
const Speaks = z.object({ voices: Ids, language: z.string() })
const Inputs = z.array(z.object({ name: z.string(), size: z.int(), sha256: z.string(), private: z.literal(true).optional() }))
const inputsOf = (text: string): TaskInput[] =>
  Inputs.parse(JSON.parse(text)).map(({ private: isPrivate, ...input }) => ({ ...input, ...(isPrivate && { private: true }) }))
const toList = (ids: readonly string[]): string => (ids.length === 0 ? '[]' : JSON.stringify(ids))
// Most rows have empty lists, and thousands of rows are read at a start.
const fromList = (text: string): readonly string[] => (text === '[]' ? [] : Ids.parse(JSON.parse(text)))

/** The person whose limits count for the task. */
const payerOfSpec = ({ client }: TaskSpec): string => (client && payerOf(client)) ?? ''

export const rowOfTask = ({ spec, digest, seq, task, result, createdAt, finishedAt }: TaskRecord, at: number): TaskRow => ({
  id: task.id,
  seq,
  idempotency_key: spec.idempotencyKey,
  body_digest: digest,
  operation: spec.operation,
  engine: spec.engine,
  model: spec.model,
  model_digest: spec.modelDigest ?? '',
  speaks: spec.speaks ? JSON.stringify(spec.speaks) : '',
  maker: payerOfSpec(spec),
  machines: spec.machines ? JSON.stringify(spec.machines) : '',
  params: spec.params,
  priority: spec.priority,
  size: spec.size,
  ephemeral: spec.ephemeral ? 1 : 0,
  phase: task.phase,
  epoch: task.epoch,
  attempt: task.attempt,
  max_attempts: task.maxAttempts,
  worker_id: task.workerId,
  attempt_id: task.attemptId,
  target: task.target,
  excluded: toList(task.excluded),
  avoided: toList(task.avoided),
  interrupted: task.interrupted,
  stopping: task.stopping,
  failure_code: task.failure?.code ?? null,
  failure_message: task.failure?.message ?? null,
  deadline_at: spec.deadlineAt,
  created_at: createdAt,
  updated_at: at,
  finished_at: finishedAt,
  result: result?.result ?? null,
  result_bytes: result?.bytes ?? null,
  result_digest: result?.digest ?? null,
  result_size: result?.size ?? null,
  inputs: spec.inputs?.length ? JSON.stringify(spec.inputs) : '[]',
})

export const taskOfRow = (row: TaskRow): TaskRecord => ({
  spec: {
    operation: row.operation,
    engine: row.engine,
    model: row.model,
    ...(row.model_digest !== '' && { modelDigest: row.model_digest }),
    ...(row.speaks !== '' && { speaks: Speaks.parse(JSON.parse(row.speaks)) }),
    ...(row.maker !== '' && { client: clientOfPerson(row.maker) }),
    ...(row.machines !== '' && { machines: Ids.parse(JSON.parse(row.machines)) }),
    params: row.params,
    priority: row.priority,
    target: row.target,
    size: row.size,
    deadlineAt: row.deadline_at,
    idempotencyKey: row.idempotency_key,
    ephemeral: row.ephemeral === 1,
    ...(row.inputs !== '[]' && { inputs: inputsOf(row.inputs) }),
  },
  digest: row.body_digest,
  seq: row.seq,
  task: {
    id: row.id,
    phase: row.phase,
    epoch: row.epoch,
    attempt: row.attempt,
    maxAttempts: row.max_attempts,
    workerId: row.worker_id,
    attemptId: row.attempt_id,
    target: row.target,
    excluded: fromList(row.excluded),
    avoided: fromList(row.avoided),
    interrupted: row.interrupted,
    stopping: row.stopping,
    failure: row.failure_code === null ? null : { code: row.failure_code, message: row.failure_message ?? '' },
  },
  result:
    row.result_digest === null
      ? null
      : { result: row.result ?? '{}', digest: row.result_digest, size: row.result_size ?? 0, bytes: row.result_bytes },
  createdAt: row.created_at,
  finishedAt: row.finished_at,
})
