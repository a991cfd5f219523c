import { z } from 'zod'

/** UTF-16 units. */
export const TERM_CHARS = 200
const NOTE_CHARS = 1_000
export const MAX_TERMS = 5_000
const MAX_SEGMENTS = 5_000
/** Only the first 12,000 of all segments are read. */
const SEGMENT_CHARS = 1_000_000

const wellFormed = (chars: number) =>
  z
    .string()
    .max(chars)
    .refine((text) => text.isWellFormed(), 'must be valid Unicode')

export const TermBody = z
  .strictObject({
    source: wellFormed(TERM_CHARS),
    target: wellFormed(TERM_CHARS),
    note: wellFormed(NOTE_CHARS).default(''),
  })
  .meta({ id: 'GlossaryTerm' })
export type TermBody = z.output<typeof TermBody>

/** Null and an absent field leave the value as it is. */
export const TermChange = z
  .strictObject({
    source: wellFormed(TERM_CHARS).nullish(),
    target: wellFormed(TERM_CHARS).nullish(),
    note: wellFormed(NOTE_CHARS).nullish(),
  })
  .meta({ id: 'GlossaryChange' })
export type TermChange = z.output<typeof TermChange>

export const TermRow = z
  .object({
    id: z.string(),
    project_id: z.string(),
    source: z.string(),
    target: z.string(),
    note: z.string(),
    auto: z.boolean(),
    created_at: z.number(),
  })
  .meta({ id: 'GlossaryRow' })
export type TermRow = z.output<typeof TermRow>

/** A term of a request. */
export const GivenTerm = z.object({
  source: wellFormed(TERM_CHARS),
  target: wellFormed(TERM_CHARS),
  note: wellFormed(NOTE_CHARS).nullish(),
})

export const ExtractBody = z
  .strictObject({
    source_lang: z.string().max(35).default('en'),
    target_lang: z.string().min(1).max(35),
    segments: z
      .array(z.object({ text: wellFormed(SEGMENT_CHARS) }))
      .max(MAX_SEGMENTS)
      .nullish(),
    max_terms: z.int().min(1).max(200).default(40),
  })
  .meta({ id: 'GlossaryExtract' })
export type ExtractBody = z.output<typeof ExtractBody>

/** Without a text to read, the bare list of the terms. */
export const ExtractReply = z.union([
  z.object({ project_id: z.string(), proposed: z.int(), inserted: z.int(), terms: z.array(TermRow) }).meta({ id: 'GlossaryExtracted' }),
  z.array(TermRow),
])
