// Voice activity detection: where a recording, the input `audio`, contains speech.
import { z } from 'zod'
import { ASCENDING, isAscending, list, Seconds } from './limits.ts'
import { operation } from './operation.ts'

const Probability = z.number().min(0.01).max(0.99)
export const VadParams = z
  .strictObject({
    threshold: Probability.default(0.5),
    /** Default: 0.15 below the threshold. */
    silence_threshold: Probability.nullable().default(null),
    min_speech_ms: z.number().min(0).max(60_000).default(250),
    min_silence_ms: z.number().min(0).max(60_000).default(100),
    pad_ms: z.number().min(0).max(10_000).default(30),
  })
  .refine(({ threshold, silence_threshold: silence }) => silence === null || silence <= threshold, {
    path: ['silence_threshold'],
    error: 'must not be above threshold',
  })
export type VadParams = z.output<typeof VadParams>

export const VadResult = z.object({
  segments: list(z.object({ start: Seconds, end: Seconds }), 50_000).refine(isAscending, ASCENDING),
  /** Length of the recording. */
  duration: Seconds,
})
export type VadResult = z.output<typeof VadResult>

export const vad = operation({ id: 'vad', params: VadParams, result: VadResult, units: (_, { seconds }) => Math.ceil(seconds) })
