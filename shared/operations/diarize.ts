// Speaker diarisation: the turns of each speaker in a recording, the input `audio`.
import { z } from 'zod'
import { list, Seconds } from './limits.ts'
import { operation } from './operation.ts'

export const DiarizeParams = z.strictObject({
  /** null: the engine estimates it. */
  num_speakers: z.int().min(1).max(20).nullable().default(null),
  /** Distance between two voices of length 1 from which they count as two speakers. */
  threshold: z.number().min(0.01).max(2).nullable().default(null),
  /** True if the result has the voices of the speakers, by which the speakers of several recordings are compared. */
  voices: z.boolean().default(false),
})
export type DiarizeParams = z.output<typeof DiarizeParams>

/** `speaker` counts from 0 in the order in which the speakers first speak. */
export const SpeakerTurn = z.object({ start: Seconds, end: Seconds, speaker: z.int().min(0).max(1_000) })
export type SpeakerTurn = z.output<typeof SpeakerTurn>

/** `vector`: of length 1, its direction is that of the voice. `seconds`: of the speech that it was computed from. */
export const SpeakerVoice = z.object({
  speaker: SpeakerTurn.shape.speaker,
  seconds: Seconds,
  vector: list(z.number().min(-1).max(1), 2_048, 1),
})
export type SpeakerVoice = z.output<typeof SpeakerVoice>
/** Most speakers that a caller may ask for. Speakers who say less than these have no voice in the result. */
export const MAX_VOICES = 20

export const MAX_TURNS = 10_000

export const DiarizeResult = z.object({ segments: list(SpeakerTurn, MAX_TURNS), voices: list(SpeakerVoice, MAX_VOICES).default([]) })
export type DiarizeResult = z.output<typeof DiarizeResult>

export const diarize = operation({
  id: 'diarize',
  params: DiarizeParams,
  result: DiarizeResult,
  units: (_, { seconds }) => Math.ceil(seconds),
})
