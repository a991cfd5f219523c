// The documents of a bundle, as others may have written them: lengths are limited, unknown keys are dropped, and flags may be numbers.
import { z } from 'zod'
import { text as storedText, VOICE_CHARS } from '#control-plane/features/base/library/text.schema.ts'
import { cleanLine, cleanLines } from '#shared/protocol/fields/clean-text.ts'

/** The most bytes of a document. */
export const DOCUMENT_BYTES = 256 * 1024
export const SCHEMA_VERSION = 1
export const BUNDLE_VERSION = 1

const flag = z.union([z.boolean(), z.literal([0, 1])]).transform(Boolean)
const seed = z.int().nullish().default(null)
const text = (chars: number) => storedText(chars).overwrite(cleanLine)
/** Text of several lines. */
const lines = (chars: number) => storedText(chars).overwrite(cleanLines)
const words = (chars: number) =>
  lines(chars)
    .nullish()
    .transform((value) => value ?? '')
const attribute = text(64).default('Auto')
const Attributes = z.object({
  Gender: attribute,
  Age: attribute,
  Pitch: attribute,
  Style: attribute,
  EnglishAccent: attribute,
  ChineseDialect: attribute,
})
/** An object, or its JSON as older bundles have it; null if it is neither. */
const attributes = z
  .union([
    Attributes,
    storedText(4096).transform((value, context) => {
      const parsed = Attributes.safeParse(jsonOrNull(value))
      if (parsed.success || value === '') return parsed.data ?? null
      context.addIssue('vd_states is not the JSON of an object')
      return z.NEVER
    }),
  ])
  .nullish()
  .transform((value) => value ?? null)

function jsonOrNull(value: string): unknown {
  try {
    return JSON.parse(value)
  } catch {
    return null
  }
}

const Voice = {
  language: words(VOICE_CHARS.language).transform((language) => language || 'Auto'),
  instruct: words(VOICE_CHARS.instruct),
  personality: words(8000),
  description: words(VOICE_CHARS.description),
  ref_text: words(VOICE_CHARS.refText),
  locked_text: lines(8000).nullish().default(null),
  seed,
  kind: z.enum(['clone', 'design']).default('clone'),
  is_locked: flag.default(false),
  vd_states: attributes,
}
const tags = z.array(text(64)).max(32).default([])
const MadeWith = z.object({
  engine: text(64).min(1),
  model_digest: text(128),
  seed: z.int().min(0).max(Number.MAX_SAFE_INTEGER),
  steps: z.int().min(1).max(10_000).nullable(),
})
const Origin = z.object({
  source_url: words(2048),
  stays_here: flag.default(false),
  made_with: MadeWith.nullish().default(null),
})

/** manifest.json of a persona bundle. */
export const BundleManifest = z.object({
  schema_version: z.int().min(1).max(1_000_000).default(SCHEMA_VERSION),
  persona: z.object({ name: text(VOICE_CHARS.name), ...Voice }),
  origin: Origin.optional(),
  license: z
    .object({ spdx: words(200) })
    .nullish()
    .transform((value) => value ?? { spdx: '' }),
  tags,
  preview: z
    .object({ watermarked: flag.default(false), text: lines(VOICE_CHARS.refText).nullish().default(null) })
    .nullish()
    .transform((value) => value ?? null),
})
/** metadata.json of a legacy bundle. */
export const Metadata = z.object({
  profile_name: text(VOICE_CHARS.name),
  ...Voice,
  tags,
  published_at: z
    .union([z.number(), text(64)])
    .nullish()
    .default(null),
  origin: Origin.optional(),
})
/** consent.json. */
export const Consent = z.object({
  method: words(64),
  verified: flag.optional(),
  verified_own_voice: flag.optional(),
  text: words(8000),
  consent_text: words(8000),
})

/** The form of every route that receives a bundle. */
export const bundleUpload = { body: z.strictObject({}), form: ['file'], spooled: true } as const
