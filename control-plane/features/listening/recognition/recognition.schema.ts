// The forms of the recognition routes.
import { z } from 'zod'
import { RECOGNITION_ALIASES } from '#control-plane/inference/aliases.ts'

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

/** A word of a list; null when it is absent. */
const oneOf = <const Word extends string>(...words: readonly Word[]) => optional(64).pipe(z.enum(words).nullable())
/** Formats of a translation, and of a transcript that is read again. */
const PLAIN_FORMATS = ['json', 'text', 'verbose_json', 'srt', 'vtt'] as const
/** Format with speakers, in the shape of the public API. */
const DIARISED = 'diarized_json'
export type TranscriptionFormat = (typeof PLAIN_FORMATS)[number] | typeof DIARISED

const plainFormat = oneOf(...PLAIN_FORMATS).transform((format) => format ?? 'json')
const format = oneOf(...PLAIN_FORMATS, DIARISED).transform((format) => format ?? 'json')
const flag = optional(16).transform((word) => ['1', 'true', 'yes', 'on'].includes(word?.toLowerCase() ?? ''))
const model = optional(64).transform((name) => name ?? RECOGNITION_ALIASES[0]!)
const GRANULARITIES = ['word', 'segment'] as const
/** A field that may be repeated. */
const granularities = z.array(z.enum(GRANULARITIES)).max(16).default([])

export const TranscriptionForm = z
  .strictObject({
    model,
    language: optional(35),
    prompt: optional(10_000),
    temperature: number(1),
    response_format: format,
    'timestamp_granularities[]': granularities,
    timestamp_granularities: oneOf(...GRANULARITIES),
    /** Returns server-sent events in every format. */
    stream: flag,
    /** Extension: returns the speakers in verbose_json. Always on for `whisperx` and in diarized_json. */
    diarize: flag,
    /** Extension: the number of speakers. Implies `diarize`. */
    num_speakers: optional(4).pipe(
      z
        .string()
        .regex(/^[+-]?\d+$/, 'Input should be a valid integer')
        .transform(Number)
        .pipe(z.number().int().min(1).max(20))
        .nullable(),
    ),
    /** Extension: with `Prefer: respond-async`, the transcript becomes a project of the kind `transcript`. */
    keep: flag,
  })
  .meta({ id: 'TranscriptionForm' })
export type TranscriptionForm = z.output<typeof TranscriptionForm>

/** Files in which a kept transcript is written. */
const WRITTEN_FORMATS = ['txt', 'srt', 'vtt', 'json'] as const
export type WrittenFormat = (typeof WRITTEN_FORMATS)[number]
export const WrittenQuery = z.object({ format: z.enum(WRITTEN_FORMATS).default('txt') })
/** Types of recordings by the end of their names. */
export const SOUND_TYPES = {
  ...{ wav: 'audio/wav', mp3: 'audio/mpeg', m4a: 'audio/mp4', aac: 'audio/aac', flac: 'audio/flac', ogg: 'audio/ogg', opus: 'audio/ogg' },
  ...{ mp4: 'video/mp4', m4v: 'video/mp4', mov: 'video/quicktime', webm: 'video/webm' },
} as const
export const OTHER_SOUND = 'application/octet-stream'

export const TranscriptQuery = z.object({ response_format: format })

export const TranslationForm = z
  .strictObject({ model, prompt: optional(10_000), temperature: number(1), response_format: plainFormat })
  .meta({ id: 'TranslationForm' })
export type TranslationForm = z.output<typeof TranslationForm>

export const TranscribeForm = z
  .strictObject({ language: optional(35), model: optional(64), mode: optional(64), refine: optional(16) })
  .meta({ id: 'TranscribeForm' })
export type TranscribeForm = z.output<typeof TranscribeForm>
