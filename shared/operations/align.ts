// Forced alignment: the times of known words in a recording. The recording is the input `audio`: mono WAV at 16 kHz.
import { z } from 'zod'
import { ASCENDING, isAscending, list, Word } from './limits.ts'
import { operation } from './operation.ts'

export const AlignParams = z.strictObject({
  /** The words of the recording, in order. */
  text: z.string().min(1).max(100_000),
  language: z.string().max(64).nullable().default(null),
})
export type AlignParams = z.output<typeof AlignParams>

export const AlignResult = z.object({ words: list(Word, 100_000).refine(isAscending, ASCENDING) })
export type AlignResult = z.output<typeof AlignResult>

export const align = operation({ id: 'align', params: AlignParams, result: AlignResult, units: (_, { seconds }) => Math.ceil(seconds) })
