// The events of the preparation of a film.
import { z } from 'zod'
import { FAILURE_FIELDS, JobCancelled } from '#control-plane/jobs/job-type.ts'

/** The sound of a film. */
export const Extracted = z.object({
  job_id: z.string(),
  duration: z.number(),
  filename: z.string(),
  /** The stream that is dubbed, where there are several. */
  audio_stream: z.object({ position: z.int(), language: z.string().nullable(), title: z.string().nullable() }).exactOptional(),
})
export type Extracted = z.output<typeof Extracted>

const STAGES = ['demucs', 'scene', 'thumbnail', 'extract'] as const
export type PrepStage = (typeof STAGES)[number]
/** Events of the steps. */
export const PREP_STEPS = [
  z.strictObject({ type: z.literal('extract_start') }),
  z.strictObject({ type: z.literal('extract_done'), ...Extracted.shape }),
  /** Everything is known from an earlier preparation of the same film. */
  z.strictObject({ type: z.literal('cached'), has_bg: z.boolean(), scene_count: z.int() }),
  z.strictObject({ type: z.literal('demucs_start') }),
  z.strictObject({ type: z.literal('demucs_progress'), percent: z.number() }),
  z.strictObject({ type: z.literal('demucs_done'), has_bg: z.boolean() }),
  z.strictObject({ type: z.literal('scene_start') }),
  z.strictObject({ type: z.literal('scene_done'), count: z.int() }),
] as const
/** Something is missing, and the preparation goes on or waits. */
export const PrepWarning = z.strictObject({ type: z.literal('warning'), ...FAILURE_FIELDS, stage: z.enum(STAGES) })
export type PrepWarning = z.output<typeof PrepWarning>
export type PrepStepEvent = z.output<(typeof PREP_STEPS)[number]> | PrepWarning

/** The film can be transcribed. */
export const PrepReady = z.strictObject({
  type: z.literal('ready'),
  job_id: z.string(),
  duration: z.number(),
  filename: z.string(),
})
export type PrepReady = z.output<typeof PrepReady>
const PrepFailed = z.strictObject({ type: z.literal('error'), ...FAILURE_FIELDS, stage: z.literal('extract') })
export type PrepFailed = z.output<typeof PrepFailed>

/** An event of the job that prepares an uploaded film. */
export const PrepEvent = z
  .discriminatedUnion('type', [...PREP_STEPS, PrepWarning, PrepReady, PrepFailed, JobCancelled])
  .meta({ id: 'PrepEvent' })
