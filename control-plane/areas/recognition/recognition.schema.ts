// The forms of the routes that listen.
import { z } from 'zod'

// A form has only strings; an empty one is not given.
const given = (max: number) =>
  z
    .string()
    .max(max)
    .optional()
    .transform((value) => (value === undefined || value.trim() === '' ? null : value.trim()))
const number = (most: number) =>
  given(32).pipe(
    z
      .string()
      .regex(/^\d+(\.\d+)?$/, 'Input should be a valid number')
      .transform(Number)
      .pipe(z.number().min(0).max(most))
      .nullable(),
  )

const FORMATS = ['json', 'text', 'verbose_json', 'srt', 'vtt'] as const
export type TranscriptionFormat = (typeof FORMATS)[number]

/** Unknown fields pass: clients of the public shape send more than is listened to here. */
export const TranscriptionForm = z
  .object({
    model: given(64).transform((model) => model ?? 'whisper-1'),
    language: given(35),
    prompt: given(10_000),
    temperature: number(1),
    /** An unknown one is read as json. */
    response_format: given(64).transform((format) => FORMATS.find((known) => known === format) ?? 'json'),
    'timestamp_granularities[]': given(64),
    timestamp_granularities: given(64),
    /** Ours: who spoke, in verbose_json. `whisperx` tells it there anyway. */
    diarize: given(16).transform((word) => ['1', 'true', 'yes', 'on'].includes(word?.toLowerCase() ?? '')),
    /** Ours: how many there are, when the caller knows; asks who spoke as well. */
    num_speakers: given(4).pipe(
      z.string().regex(/^\d+$/, 'Input should be a valid integer').transform(Number).pipe(z.number().int().min(1).max(20)).nullable(),
    ),
  })
  .meta({ id: 'TranscriptionForm' })
export type TranscriptionForm = z.output<typeof TranscriptionForm>

export const TranscribeForm = z
  .strictObject({ language: given(35), model: given(64), mode: given(64), refine: given(16) })
  .meta({ id: 'TranscribeForm' })
export type TranscribeForm = z.output<typeof TranscribeForm>
