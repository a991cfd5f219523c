// The forms of the recognition routes.
import { z } from 'zod'

// A form has only strings. An empty one counts as absent.
const optional = (max: number) =>
  z
    .string()
    .max(max)
    .optional()
    .transform((value) => (value === undefined || value.trim() === '' ? null : value.trim()))
const number = (most: number) =>
  optional(32).pipe(
    z
      .string()
      .regex(/^[+-]?(\d+(\.\d*)?|\.\d+)(e[+-]?\d+)?$/i, 'Input should be a valid number')
      .transform(Number)
      .pipe(z.number().min(0).max(most))
      .nullable(),
  )

const FORMATS = ['json', 'text', 'verbose_json', 'srt', 'vtt'] as const
export type TranscriptionFormat = (typeof FORMATS)[number]

export const TranscriptionForm = z
  .strictObject({
    model: optional(64).transform((model) => model ?? 'whisper-1'),
    language: optional(35),
    prompt: optional(10_000),
    temperature: number(1),
    /** An unknown format counts as json. */
    response_format: optional(64).transform((format) => FORMATS.find((each) => each === format) ?? 'json'),
    'timestamp_granularities[]': optional(64),
    timestamp_granularities: optional(64),
    /** Extension: returns the speakers in verbose_json. Always on for `whisperx`. */
    diarize: optional(16).transform((word) => ['1', 'true', 'yes', 'on'].includes(word?.toLowerCase() ?? '')),
    /** Extension: the number of speakers. Implies `diarize`. */
    num_speakers: optional(4).pipe(
      z
        .string()
        .regex(/^[+-]?\d+$/, 'Input should be a valid integer')
        .transform(Number)
        .pipe(z.number().int().min(1).max(20))
        .nullable(),
    ),
  })
  .meta({ id: 'TranscriptionForm' })
export type TranscriptionForm = z.output<typeof TranscriptionForm>

export const TranscribeForm = z
  .strictObject({ language: optional(35), model: optional(64), mode: optional(64), refine: optional(16) })
  .meta({ id: 'TranscribeForm' })
export type TranscribeForm = z.output<typeof TranscribeForm>
