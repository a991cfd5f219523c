// Text to speech. Every parameter is accepted whether or not an engine supports it: the caller does not know which engine will answer.
import { z } from 'zod'
import { list, Notices, Parts, Placed, partsDisagree, SampleRate } from './limits.ts'
import { operation } from './operation.ts'

export const Segment = z.strictObject({
  text: z.string().min(1).max(100_000),
  seed: z.int().min(0).max(0xffff_ffff).nullable().default(null),
  /** Digital silence at the end of this segment's part. */
  pause_after_ms: z.number().min(0).max(60_000).default(0),
})

export const TtsParams = z.strictObject({
  /** One output part per segment, with the same index. */
  segments: list(Segment, 10_000, 1),
  voice: z.string().max(200).nullable().default(null),
  language: z.string().max(64).nullable().default(null),
  speed: z.number().min(0.25).max(4).default(1),
  instruct: z.string().max(4_096).nullable().default(null),
  description: z.string().max(4_096).nullable().default(null),
  /** Transcript of the input `reference`, the recording of a voice to follow. */
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

export const TtsResult = z.object({
  sample_rate: SampleRate,
  parts: Parts,
  /** The voice that was used. */
  voice: z.string().max(200).default(''),
  notices: Notices,
  ...Placed,
})
export type TtsResult = z.output<typeof TtsResult>

export const tts = operation({
  id: 'tts',
  params: TtsParams,
  result: TtsResult,
  units: ({ segments }) => segments.reduce((sum, { text }) => sum + text.length, 0),
  parts: ({ segments }) => segments.length,
  objection: ({ parts }, { segments }, { outputBytes }) => partsDisagree(parts, segments.length, outputBytes),
})
