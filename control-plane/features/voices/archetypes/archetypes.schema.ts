import { z } from 'zod'
import { booleanText } from '#control-plane/http/input/boolean-text.ts'
import { characters } from '#shared/protocol/fields/characters.ts'
import { CATEGORIES } from '#shared/voices/words.ts'

const Choices = z.object(Object.fromEntries(CATEGORIES.map((category) => [category, z.string()]))) as z.ZodObject<
  Record<(typeof CATEGORIES)[number], z.ZodString>
>

export const Category = z.object({ id: z.string(), name: z.string(), icon: z.string() }).meta({ id: 'ArchetypeCategory' })

export const ArchetypeReply = z
  .object({
    id: z.string(),
    name: z.string(),
    icon: z.string(),
    use_case: z.string(),
    instruct: z.string(),
    attrs: Choices,
    facets: z.object({
      gender: z.string(),
      age: z.string(),
      pitch: z.string(),
      accent: z.string().nullable(),
      whisper: z.boolean(),
      lang: z.string(),
    }),
    sample_script: z.string(),
    preview_url: z.null(),
    is_featured: z.boolean(),
    language: z.string(),
  })
  .meta({ id: 'Archetype' })

const word = z
  .string()
  .max(200)
  .optional()
  .transform((value) => value || null)
const flag = booleanText()
  .optional()
  .transform((value) => value ?? null)
/** Values that nothing has give an empty page. */
export const ArchetypeFilter = z.object({
  q: word,
  use_case: word,
  gender: word,
  age: word,
  pitch: word,
  accent: word,
  whisper: flag,
  lang: word,
  featured: flag,
  limit: z.coerce.number().int().min(1).max(500).default(60),
  offset: z.coerce.number().int().min(0).max(Number.MAX_SAFE_INTEGER).default(0),
})
export type ArchetypeFilter = z.output<typeof ArchetypeFilter>

export const PreviewStatus = z
  .object({
    enabled: z.boolean(),
    /** A publisher is configured. */
    available: z.boolean(),
    featured_total: z.int(),
    featured_cached: z.int(),
    cached: z.int(),
    /** Epoch seconds. */
    last_checked: z.number().nullable(),
    last_error: z.string().nullable(),
    engine: z.string().nullable(),
    engine_version: z.string().nullable(),
    generated_at: z.string().nullable(),
    checked_seconds_ago: z.number().nullable(),
    /** Clips that this request downloaded; absent if it did not check. */
    refreshed: z.int().optional(),
  })
  .meta({ id: 'ArchetypePreviewStatus' })
export type PreviewStatus = z.output<typeof PreviewStatus>

export const PreviewState = z
  .object({ source: z.enum(['gallery', 'cached', 'rendering', 'no_model']), message: z.string() })
  .meta({ id: 'ArchetypePreviewState' })

export const Used = z.object({ profile_id: z.string(), name: z.string() }).meta({ id: 'ArchetypeUsed' })

export const DescribeBody = z.strictObject({ description: characters(2000).default('') }).meta({ id: 'DesignDescription' })
export const Described = z
  .object({
    attrs: Choices,
    instruct: z.string(),
    matched: z.array(z.object({ category: z.string(), token: z.string(), phrase: z.string() })),
    unmatched: z.array(z.string()),
  })
  .meta({ id: 'DesignDescribed' })
