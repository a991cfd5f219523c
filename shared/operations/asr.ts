// Speech recognition. The recording is the input `audio`: mono WAV at 16 kHz.
import { z } from 'zod'
import { list, Notices, Seconds, Word } from './limits.ts'
import { operation } from './operation.ts'

export const AsrParams = z.strictObject({
  /** The language that the caller expects; null: the engine detects it, or supports only one. */
  language: z.string().max(64).nullable().default(null),
  /** Words that are likely, for engines that support a prompt. */
  prompt: z.string().max(10_000).nullable().default(null),
  temperature: z.number().min(0).max(2).nullable().default(null),
  /** With the times of words, where the engine has them. */
  words: z.boolean().default(false),
})
export type AsrParams = z.output<typeof AsrParams>

/** Two hours of fast speech have about 25,000 words. */
const MOST_WORDS = 100_000
export const AsrSegment = z.object({
  start: Seconds,
  end: Seconds,
  text: z.string().max(1_000_000),
  words: list(Word, MOST_WORDS).optional(),
})
export type AsrSegment = z.output<typeof AsrSegment>

export const AsrResult = z.object({
  text: z.string().max(1_000_000),
  /** ISO 639-1, or '' when the engine does not know it. */
  language: z.string().max(64),
  /** Seconds from the start of the recording. Neural recognisers may return them out of order. */
  segments: list(AsrSegment, 50_000),
  /** Of the recording. */
  duration: Seconds,
  notices: Notices,
})
export type AsrResult = z.output<typeof AsrResult>

export const asr = operation({ id: 'asr', params: AsrParams, result: AsrResult, units: (_, { seconds }) => Math.ceil(seconds) })
