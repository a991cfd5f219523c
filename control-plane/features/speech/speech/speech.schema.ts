import { z } from 'zod'
import { TtsBackend } from '#control-plane/features/machines/engines/engines.schema.ts'
import { booleanText } from '#control-plane/http/input/boolean-text.ts'
import { characters } from '#shared/protocol/fields/characters.ts'

/** Text for synthesis: no NUL and no unpaired surrogate. */
export const speakable = (max: number) =>
  characters(max)
    .min(1, { error: 'String should have at least 1 character', abort: true })
    .refine((text) => text.isWellFormed(), 'must be valid Unicode: an unpaired surrogate was found')
    .refine((text) => !text.includes('\0'), 'must not contain NUL characters')
    .refine((text) => text.trim() !== '', 'must contain text other than spaces')

/** Format of a text. Without one, a text that begins with `<speak` is SSML. */
export const TextFormat = z.enum(['text', 'ssml'])
export type TextFormat = z.output<typeof TextFormat>
export const textFormat = TextFormat.nullish().transform((value) => value ?? null)

export const FORMATS = ['mp3', 'opus', 'aac', 'flac', 'wav', 'pcm'] as const
const short = characters(4096)
/** Any integer. Engines count in 32 bits: `seed32` maps it. */
const seed = z.int()
/** null and an absent value mean the same for every optional number. */
const optional = (schema: z.ZodType<number>) => schema.nullish().transform((value) => value ?? null)
/** Width of the internal chunks of one engine variant. The specification does not define its type, so a numeric string is accepted. */
const chunkLength = z
  .union([
    z.number(),
    z
      .string()
      .regex(/^\d+(\.\d+)?$/)
      .transform(Number),
  ])
  .pipe(z.number().min(0))
  .nullish()
  .transform((value) => value ?? null)

/** Clients of the public API name their own voices with an object. */
const voice = z
  .unknown()
  .transform((named) => (typeof named === 'object' && named !== null && 'id' in named ? named.id : named))
  .pipe(z.string().max(128))
  .default('default')
  .meta({
    anyOf: [
      { type: 'string', maxLength: 128 },
      { type: 'object', properties: { id: { type: 'string', maxLength: 128 } }, required: ['id'] },
    ],
  })

export const SPEECH_CHARS = 4_096
export const SpeechBody = z
  .strictObject({
    input: speakable(SPEECH_CHARS),
    /** Ours. */
    text_format: textFormat,
    model: z.string().max(64).default('svc-engine'),
    voice,
    response_format: z.enum(FORMATS).default('mp3'),
    /** Extension, of the public API: sse for events with base64. */
    stream_format: z
      .enum(['audio', 'sse'])
      .nullish()
      .transform((value) => value ?? 'audio'),
    speed: z.number().min(0.25).max(4).default(1),
    language: z
      .string()
      .max(35)
      .nullish()
      .transform((value) => value ?? null),
    description: short.nullish().transform((value) => value ?? null),
    instruct: short.nullish().transform((value) => value ?? null),
    /** The name that the public API has for `instruct`. */
    instructions: short.nullish().transform((value) => value ?? null),
    duration: optional(z.number().positive().max(3600)),
    seed: optional(seed),
    denoise: z.boolean().default(true),
    preprocess_prompt: z.boolean().default(true),
    chunk_duration: chunkLength,
    chunk_threshold: chunkLength,
    num_step: optional(z.int().min(1).max(128)),
    guidance_scale: optional(z.number().positive().max(20)),
  })
  .meta({ id: 'SpeechRequest' })
export type SpeechBody = z.output<typeof SpeechBody>

const Alias = z.object({ id: z.string(), voice_id: z.string(), name: z.string(), type: z.literal('openai_alias'), description: z.string() })
const Profile = z.object({ id: z.string(), voice_id: z.string(), name: z.string(), type: z.literal('profile'), language: z.string() })
export const VoicesReply = z.object({ voices: z.array(z.union([Alias, Profile])), engines: z.array(TtsBackend) }).meta({ id: 'Voices' })

// A form has only strings. Each is parsed as its type, and an empty one counts as absent.
const formField = z.string().transform((text) => (text === '' ? undefined : text))
const text = (max: number) =>
  formField
    .pipe(characters(max).optional())
    .optional()
    .transform((value) => value ?? null)
const NUMERAL = /^[+-]?(?:\d+(?:\.\d*)?|\.\d+)(?:e[+-]?\d+)?$/i
const number = (schema: z.ZodType<number, number>) =>
  formField
    .transform((value) => (value === undefined ? undefined : NUMERAL.test(value.trim()) ? Number(value) : Number.NaN))
    .pipe(schema.optional())
    .optional()
const flag = (otherwise: boolean) =>
  formField
    .pipe(booleanText().optional())
    .optional()
    .transform((value) => value ?? otherwise)
const or =
  <T>(otherwise: T) =>
  (value: T | undefined) =>
    value ?? otherwise

export const GENERATE_CHARS = 200_000
export const GenerateForm = z
  .strictObject({
    text: speakable(GENERATE_CHARS),
    /** Ours. */
    text_format: formField.pipe(TextFormat.optional()).optional().transform(or<TextFormat | null>(null)),
    language: text(35),
    ref_text: text(10_000),
    instruct: text(4096),
    duration: number(z.number().positive().max(3600)).transform(or<number | null>(null)),
    /** Absent: the default of the engine, which is 16 for svc-engine. */
    num_step: number(z.int().min(1).max(512)).transform(or<number | null>(null)),
    guidance_scale: number(z.number().min(0).max(20)).transform(or(2)),
    speed: number(z.number().min(0.25).max(4)).transform(or(1)),
    t_shift: number(z.number().positive().max(10)).transform(or<number | null>(null)),
    denoise: flag(true),
    postprocess_output: flag(true),
    layer_penalty_factor: number(z.number().min(0).max(100)).transform(or<number | null>(null)),
    position_temperature: number(z.number().min(0).max(100)).transform(or<number | null>(null)),
    class_temperature: number(z.number().min(0).max(100)).transform(or<number | null>(null)),
    profile_id: text(64),
    seed: number(seed).transform(or<number | null>(null)),
    effect_preset: text(64).transform((value) => value ?? 'broadcast'),
    engine: text(64),
    max_chunk_chars: number(z.int().min(0)).transform(or(800)),
    crossfade_ms: number(z.int().min(0).max(1000)).transform(or(50)),
    pronounce: flag(true),
    stream: flag(false),
    hosted: flag(false),
    /** Ours: a preset voice of the engine. */
    voice: text(128),
    /** Ours: a take whose parts are kept where text and settings are the same. */
    keep_from: text(64),
  })
  .meta({ id: 'GenerateForm' })
export type GenerateForm = z.output<typeof GenerateForm>
