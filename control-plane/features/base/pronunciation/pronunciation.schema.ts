import { z } from 'zod'

/** UTF-16 units. */
const TERM_CHARS = 200
const REPLACEMENT_CHARS = 256
export const MAX_ENTRIES = 10_000

const line = (chars: number) =>
  z
    .string()
    .max(chars)
    .refine((text) => text.isWellFormed(), 'must be valid Unicode')
    .refine((text) => !/\p{Cc}/u.test(text), 'must not contain control characters')
const language = z.string().max(64)
/** Other values are refused by the service with 400, as for every other field of an entry. */
const type = z.string().max(1_000)

export const EntryBody = z
  .strictObject({
    term: line(TERM_CHARS),
    replacement: line(REPLACEMENT_CHARS).default(''),
    type: type.default('respelling'),
    language: language.nullish().transform((value) => value ?? '*'),
    enabled: z.boolean().default(true),
  })
  .meta({ id: 'PronunciationEntry' })
export type EntryBody = z.output<typeof EntryBody>

/** Null and an absent field leave the value as it is. */
const kept = <T>(schema: z.ZodType<T>) => schema.nullish().transform((value) => value ?? undefined)
export const EntryChange = z
  .strictObject({
    term: kept(line(TERM_CHARS)),
    replacement: kept(line(REPLACEMENT_CHARS)),
    type: kept(type),
    language: kept(language),
    enabled: kept(z.boolean()),
  })
  .meta({ id: 'PronunciationChange' })
export type EntryChange = z.output<typeof EntryChange>

const columns = { term: z.string(), replacement: z.string(), type: z.string(), language: z.string(), enabled: z.boolean() }
export const EntryRow = z
  .object({ id: z.string(), ...columns, /** Equal to `language`. */ scope: z.string(), created_at: z.number() })
  .meta({ id: 'PronunciationRow' })
export type EntryRow = z.output<typeof EntryRow>
export const Exported = z.object({ entries: z.array(z.object(columns)) }).meta({ id: 'PronunciationExport' })

/** One row of an import. It is checked by the service, so that one invalid row is answered with 400 and its number. */
export const ImportBody = z
  .strictObject({ entries: z.array(z.unknown()).max(MAX_ENTRIES), replace: z.boolean().default(false) })
  .meta({ id: 'PronunciationImport' })
