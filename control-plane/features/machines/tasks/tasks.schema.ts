import { z } from 'zod'
import { TASK_GROUPS } from '#control-plane/store/journal.ts'
import { OPERATIONS, type OperationId } from '#shared/operations/table.ts'

const TaskError = z.object({ error_class: z.string(), code: z.string(), message: z.string(), hint: z.string(), retryable: z.boolean() })
const Attempt = z.object({
  attempt_id: z.string(),
  task_id: z.string(),
  worker_id: z.string(),
  attempt_number: z.int(),
  state: z.string(),
  progress: z.number(),
  stage: z.string(),
  error: TaskError.nullable(),
  /** Extension: the machine of a pool that runs it; empty for a machine that is no pool. */
  machine: z.string(),
})
export const WorkerTask = z
  .object({
    task_id: z.string(),
    operation: z.string(),
    engine: z.string(),
    model_id: z.string(),
    state: z.enum([
      'queued',
      'assigned',
      'accepted',
      'model_loading',
      'running',
      'result_uploading',
      'completed',
      'failed',
      'timeout',
      'cancelled',
    ]),
    priority: z.int(),
    attempts: z.array(Attempt),
    max_attempts: z.int(),
    error: TaskError.nullable(),
    result_ref: z.string().nullable(),
    /** Ours. */
    created_at: z.number(),
    finished_at: z.number().nullable(),
    /** Extension: estimated end in epoch seconds; null without a comparable measurement. */
    expected_at: z.number().nullable(),
    /** Extension: why a queued task waits, for each machine. */
    waiting_for: z.array(z.object({ worker_id: z.string(), reason: z.string() })),
  })
  .meta({ id: 'WorkerTask' })
export type WorkerTask = z.output<typeof WorkerTask>

/** Extension: `always` lists tasks even if remote machines are off. */
const always = z.enum(['true', 'false']).default('false')
export const TaskList = z.strictObject({
  limit: z.coerce.number().int().default(50),
  always,
  /** Extension: filter by state. `failed` includes cancelled and expired tasks. */
  status: z.enum(TASK_GROUPS).optional(),
  /** Extension: only tasks older than the one with this id. */
  before: z.string().min(1).max(64).optional(),
})
export const TaskCancel = z.strictObject({ always })
export const TaskPath = z.strictObject({ task_id: z.string().min(1).max(64) })
export const TaskBody = z.strictObject({
  engine: z.string().min(1).max(64),
  operation: z.string().max(32).default('tts'),
  model_id: z.string().max(128).default(''),
  params: z.record(z.string(), z.unknown()).default({}),
  deadline_seconds: z.number().positive().max(21_600),
  idempotency_key: z
    .string()
    .min(1)
    .max(128)
    .nullish()
    .transform((key) => key ?? null),
  /** Ours. */
  priority: z.union([z.literal(0), z.literal(1)]).default(0),
  /** Extension: inputs of the task by name, as base64. A JSON body has at most a megabyte. */
  inputs: z.record(z.string().regex(/^[a-z][a-z0-9_]{0,31}$/), z.base64().max(1024 * 1024)).default({}),
})

/** The parameters of each operation as part of a body. An engine may have further ones, which only its machine can check. */
export const OPERATION_BODIES: ReadonlyMap<string, z.ZodType> = new Map(
  (Object.keys(OPERATIONS) as OperationId[]).map((id) => [id, z.object({ params: OPERATIONS[id].params.strip() })]),
)
