// The messages to a client of `/ws/transcribe`.

import { z } from 'zod'
import { NeedView } from '#shared/protocol/fields/model-need.ts'

const Segment = z.object({ start: z.number(), end: z.number(), text: z.string() })
const FinalMessage = z.object({
  type: z.literal('final'),
  text: z.string(),
  /** Seconds since the start of the dictation. */
  segments: z.array(Segment),
  /** ISO 639-1, or 'unknown'. */
  language: z.string(),
  duration_s: z.number(),
  /** Time that the recogniser took. */
  transcription_time_s: z.number(),
  engine: z.string(),
  /** Only when a language model has changed the text. */
  refined_text: z.string().optional(),
  /** `utterance`: ended by a pause, and more may follow. `summary`: the utterances of a dictation together. Absent: all that was said. */
  final_kind: z.enum(['utterance', 'summary']).optional(),
  /** In the last message: seconds of the sound that the dictation has used. What was sent later can be sent to another one. */
  used_s: z.number().optional(),
})
export const LiveMessage = z.union([
  z.object({ type: z.literal('status'), stage: z.enum(['downloading', 'loading']) }),
  z.object({
    type: z.literal('status'),
    stage: z.literal('ready'),
    engine: z.string(),
    model: z.string(),
    notice: z.string().optional(),
    /** The missing model in whose place the engine is used. */
    needs: NeedView.optional(),
  }),
  z.object({ type: z.literal('partial'), text: z.string() }),
  FinalMessage,
  z.object({
    type: z.literal('error'),
    message: z.string(),
    kind: z.enum(['asr_model_missing', 'load', 'transcribe']),
    detail: z.unknown(),
    /** The model that is missing. */
    needs: NeedView.optional(),
  }),
])
export type LiveMessage = z.output<typeof LiveMessage>
export type LiveSegment = z.output<typeof Segment>
export type FinalMessage = z.output<typeof FinalMessage>

/** Two decimals. */
export const rounded = (seconds: number): number => Math.round(seconds * 100) / 100
