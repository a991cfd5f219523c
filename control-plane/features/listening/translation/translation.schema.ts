import { z } from 'zod'
import { GivenTerm } from './glossary/glossary.schema.ts'

const MAX_SEGMENTS = 5_000
/** UTF-16 units. */
const TEXT_CHARS = 5_000
const ALL_CHARS = 1_000_000
const ID_CHARS = 200
const DAY_S = 86_400

const Language = z.string().regex(/^[A-Za-z]{2,3}(?:[-_][A-Za-z0-9]{1,8}){0,3}$/, 'must be a language tag such as "en" or "pt-BR"')
/** Auto and an empty text mean that the language is not known. */
const SourceLanguage = z
  .union([Language, z.enum(['', 'auto', 'Auto'])])
  .nullish()
  .transform((tag) => (tag && tag.toLowerCase() !== 'auto' ? tag : null))
const seconds = z.number().min(0).max(DAY_S).nullish()

export const TranslateSegment = z.object({
  /** Imported subtitles have numbers. */
  id: z.union([z.string().max(ID_CHARS), z.int()]).transform(String),
  text: z
    .string()
    .max(TEXT_CHARS)
    .refine((text) => text.isWellFormed(), 'must be valid Unicode'),
  target_lang: Language.nullish(),
  direction: z.string().max(500).nullish(),
  slot_seconds: seconds,
  start: seconds,
  end: seconds,
})

export const TranslateRequest = z
  .strictObject({
    segments: z
      .array(TranslateSegment)
      .max(MAX_SEGMENTS)
      .refine(
        (list) => list.reduce((sum, { text }) => sum + text.length, 0) <= ALL_CHARS,
        `must have at most ${ALL_CHARS} characters together`,
      ),
    target_lang: Language,
    provider: z.string().max(64).nullish(),
    source_lang: SourceLanguage,
    job_id: z.string().max(64).nullish(),
    quality: z.enum(['fast', 'cinematic', 'autofit']).default('fast'),
    glossary: z.array(GivenTerm).max(2_000).nullish(),
    dialect: z.string().max(100).nullish(),
    auto_glossary: z.boolean().nullish(),
    reflect: z.boolean().nullish(),
    condense: z.boolean().default(false),
  })
  .meta({ id: 'DubTranslate' })
export type TranslateRequest = z.output<typeof TranslateRequest>

const Plan = z.object({
  status: z.enum(['fits', 'tight', 'impossible']),
  est_dur_s: z.number(),
  available_s: z.number(),
  est_overrun_s: z.number(),
  calibrated: z.boolean(),
  suggested_text: z.string().optional(),
  suggested_est_dur_s: z.number().optional(),
})
export const TranslatedRow = z
  .object({
    id: z.string(),
    text: z.string(),
    /** Reason why the text is not translated. */
    error: z.string().optional(),
    literal: z.string().optional(),
    critique: z.string().optional(),
    /** A translator of this machine translated it, because the language model did not. */
    degraded: z.boolean().optional(),
    rate_ratio: z.number().optional(),
    rate_error: z.string().optional(),
    plan: Plan.optional(),
    /** Terms of the glossary whose translation is missing. */
    glossary_missed: z.array(z.string()).optional(),
  })
  .meta({ id: 'TranslatedSegment' })
export type TranslatedRow = z.output<typeof TranslatedRow>

export const TranslateReply = z
  .object({
    translated: z.array(TranslatedRow),
    target_lang: z.string(),
    source_lang: z.string(),
    quality_used: z.enum(['fast', 'cinematic', 'autofit']),
    dialect: z.string().optional(),
    dialect_applied: z.boolean().optional(),
    cinematic_skipped: z.literal('no-llm-configured').optional(),
    /** Sentences for users, such as that lines were translated through English. */
    notices: z.array(z.string()).optional(),
  })
  .meta({ id: 'DubTranslated' })
export type TranslateReply = z.output<typeof TranslateReply>
