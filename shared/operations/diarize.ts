// Speaker diarisation: the turns of each speaker in a recording, the input `audio`.
import { z } from 'zod'
import { list, Seconds } from './limits.ts'
import { operation } from './operation.ts'

export const DiarizeParams = z.strictObject({
  /** null: the engine estimates it. */
  num_speakers: z.int().min(1).max(20).nullable().default(null),
  /** Distance between two voices from which they count as two speakers. */
  threshold: z.number().min(0.01).max(2).nullable().default(null),
})
export type DiarizeParams = z.output<typeof DiarizeParams>

/** `speaker` counts from 0 in the order in which the speakers first speak. */
export const SpeakerTurn = z.object({ start: Seconds, end: Seconds, speaker: z.int().min(0).max(1_000) })
export type SpeakerTurn = z.output<typeof SpeakerTurn>

export const DiarizeResult = z.object({ segments: list(SpeakerTurn, 10_000) })
export type DiarizeResult = z.output<typeof DiarizeResult>

export const diarize = operation({
  id: 'diarize',
  params: DiarizeParams,
  result: DiarizeResult,
  units: (_, { seconds }) => Math.ceil(seconds),
})
