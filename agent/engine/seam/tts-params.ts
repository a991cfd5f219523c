// What a text-to-speech task may ask for, and its limits. Every field is here whether or not an engine listens to it:
// the caller does not know which engine will answer.

import { z } from 'zod'
import { Failure } from '#shared/protocol/failure.ts'

export const Segment = z.strictObject({
  text: z.string().min(1).max(100_000),
  seed: z.int().min(0).max(0xffff_ffff).nullable().default(null),
  /** Digital silence put at the end of this segment's part. */
  pause_after_ms: z.number().min(0).max(60_000).default(0),
})

export const TtsParams = z.strictObject({
  /** One output part per segment, with the same index. */
  segments: z.array(Segment).min(1).max(10_000),
  voice: z.string().max(200).nullable().default(null),
  language: z.string().max(64).nullable().default(null),
  speed: z.number().min(0.25).max(4).default(1),
  instruct: z.string().max(4_000).nullable().default(null),
  description: z.string().max(4_000).nullable().default(null),
  /** What is said in the input `reference`, the recording of a voice to follow. */
  ref_text: z.string().max(10_000).nullable().default(null),
  /** Seconds for all segments together, their pauses included. */
  duration: z.number().positive().max(86_400).nullable().default(null),
  num_step: z.int().min(1).max(512).nullable().default(null),
  guidance_scale: z.number().min(0).max(100).nullable().default(null),
  t_shift: z.number().min(0).max(100).nullable().default(null),
  layer_penalty_factor: z.number().min(0).max(100).nullable().default(null),
  position_temperature: z.number().min(0).max(100).nullable().default(null),
  class_temperature: z.number().min(0).max(100).nullable().default(null),
  denoise: z.boolean().default(true),
  preprocess_prompt: z.boolean().default(true),
  postprocess_output: z.boolean().default(true),
  chunk_duration: z.number().positive().max(600).nullable().default(null),
  chunk_threshold: z.number().positive().max(600).nullable().default(null),
})
export type TtsParams = z.output<typeof TtsParams>

export type TtsResult = {
  /** Hz. */
  readonly sample_rate: number
  readonly parts: readonly { readonly samples: number }[]
  readonly voice: string
  /** Sentences for the user: what was asked for and not done, or done differently. */
  readonly notices: readonly string[]
  /** Where it was made, and why there when that is not the first choice; only of engines that have a choice. */
  readonly device?: string
  readonly device_reason?: string
}

/** The parsed parameters, or INVALID_TASK_PARAMS naming each wrong field. The text itself is never repeated in the message. */
export function parseParams<S extends z.ZodType>(schema: S, params: unknown): z.output<S> {
  const parsed = schema.safeParse(params)
  if (parsed.success) return parsed.data
  const fields = parsed.error.issues.slice(0, 5).map((issue) => `${issue.path.join('.') || 'params'}: ${issue.message}`)
  throw new Failure('INVALID_TASK_PARAMS', fields.join('; '), { detail: { fields } })
}
