// The events of a take: the lines of POST /generate with stream=true, and the events of its job.
import { z } from 'zod'
import { ROUTINGS } from '#control-plane/inference/notice.ts'
import { FAILURE_FIELDS, JobCancelled } from '#control-plane/jobs/job-type.ts'

const Warning = z.strictObject({
  type: z.literal('warning'),
  code: z.literal('dropped_chunks'),
  count: z.int(),
  /** The texts that the engine returned no sound for. */
  text: z.array(z.string()).readonly(),
})
const Done = z.strictObject({
  type: z.literal('done'),
  id: z.string(),
  audio_path: z.string(),
  duration: z.number(),
  gen_time: z.number(),
  seed: z.number(),
  sample_rate: z.int(),
  dropped_chunks: z.int(),
  /** Sentences that are no substitution. */
  notices: z.array(z.string()).readonly().exactOptional(),
})
export type TakeDone = z.output<typeof Done>
const ERROR_CODES = ['generation_busy', 'generation_timeout', 'invalid_request', 'generation_failed'] as const
export type TakeErrorCode = (typeof ERROR_CODES)[number]
const Code = z.enum(ERROR_CODES)

const StreamProgress = z.strictObject({
  type: z.literal('progress'),
  stage: z.enum(['queued', 'loading', 'running', 'uploading']),
  percent: z.number(),
  /** Id of the machine. */
  target: z.string(),
  detail: z.string(),
})
/** Progress of the task of a take. */
export type TakeProgress = z.output<typeof StreamProgress>

const StreamError = z.strictObject({
  type: z.literal('error'),
  code: Code,
  detail: z.string(),
  retryable: z.boolean(),
  /** Seconds. */
  retry_after: z.number().exactOptional(),
  /** Present for a take of the machine that the owner chose. */
  target_label: z.string().exactOptional(),
  hint: z.string().exactOptional(),
  /** Fields of a missing model, with which clients offer its download. */
  engine: z.string().exactOptional(),
  repo_ids: z.array(z.string()).readonly().exactOptional(),
  target: z.string().exactOptional(),
  downloadable: z.boolean().exactOptional(),
})
export type TakeError = z.output<typeof StreamError>

/** A line of POST /generate. */
export const TakeLine = z
  .discriminatedUnion('type', [
    StreamProgress,
    z.strictObject({
      type: z.literal('start'),
      sample_rate: z.int(),
      channels: z.literal(1),
      format: z.literal('pcm16'),
      total_chunks: z.int(),
      crossfade_ms: z.number(),
      seed: z.number(),
      voice: z.string().nullable(),
    }),
    z.strictObject({ type: z.literal('chunk'), seq: z.int(), pcm: z.base64() }),
    Warning,
    Done,
    StreamError,
  ])
  .meta({ id: 'TakeLine' })
export type TakeLine = z.output<typeof TakeLine>

const Machine = z.strictObject({
  type: z.literal('machine'),
  state: z.enum(['running', 'lost']),
  name: z.string(),
  local: z.boolean(),
  /** The following fields are present if the machine stopped answering. */
  next: z.enum(['here', 'elsewhere', 'fail']).exactOptional(),
  can_finish_here: z.boolean().exactOptional(),
  parts_kept: z.int().exactOptional(),
  parts: z.int().exactOptional(),
})
/** The machine that generates a take. */
export type TakeMachine = z.output<typeof Machine>
/** `information`: sentences that are no substitution. */
const Notice = z.strictObject({ routing: z.enum(ROUTINGS), reason: z.string(), information: z.array(z.string()).readonly() })
export type TakeNotice = z.output<typeof Notice>

/** An event of the job of a take. */
export const TakeEvent = z
  .discriminatedUnion('type', [
    Machine,
    z.strictObject({
      type: z.literal('start'),
      sample_rate: z.int(),
      total_chunks: z.int(),
      seed: z.number(),
      notice: Notice.nullable(),
    }),
    z.strictObject({ type: z.literal('progress'), chunk: z.int(), total_chunks: z.int() }),
    Warning,
    Done,
    z.strictObject({ type: z.literal('error'), ...FAILURE_FIELDS, stage: z.null(), code: Code, retryable: z.boolean() }),
    JobCancelled,
  ])
  .meta({ id: 'TakeEvent' })
export type TakeEvent = z.output<typeof TakeEvent>
