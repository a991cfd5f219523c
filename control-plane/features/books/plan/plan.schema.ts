import { z } from 'zod'
import { PARAGRAPH_KINDS } from '#shared/text/script/line.ts'

/** UTF-16 units of a manuscript: about 150 hours of speech. */
export const SCRIPT_CHARS = 8 * 1024 * 1024
export const MAX_CHAPTERS = 10_000
/** Places where voice, speed or silence change, in a whole book. */
export const MAX_SPANS = 100_000
/** Lines, paragraphs and cells in a whole book: each is spoken by itself. */
export const MAX_BOOK_LINES = 300_000
export const VoiceName = z.string().max(200)

export const Manuscript = z
  .string()
  .max(SCRIPT_CHARS)
  .refine((text) => text.isWellFormed(), 'must be valid Unicode: an unpaired surrogate was found')
  .refine((text) => !text.includes('\0'), 'must not contain NUL characters')

/** Kind of each paragraph of a span; one without a kind is a paragraph of prose. */
export const Kinds = z.array(z.enum(PARAGRAPH_KINDS)).max(SCRIPT_CHARS).readonly()
const Span = z.object({
  voice_id: z.string().nullable(),
  text: z.string(),
  /** Milliseconds. */
  pause_ms_after: z.number(),
  speed: z.number().nullable(),
  /** Ours; absent when all are prose. */
  kinds: Kinds.exactOptional(),
})
const PlannedChapter = z.object({
  title: z.string(),
  /** Code points. */
  char_count: z.int(),
  /** Silence before the first span; absent for none. */
  pause_ms_before: z.number().optional(),
  /** Ours, as are the three below: place among all titles of the manuscript, from 0, also those without text. */
  place: z.int(),
  /** False for a chapter that is switched off. */
  included: z.boolean(),
  words: z.int(),
  /** Estimated length of its speech. */
  minutes: z.number(),
  spans: z.array(Span),
})
export const PlanReply = z
  .object({
    chapters: z.array(PlannedChapter),
    chapter_count: z.int(),
    char_count: z.int(),
    /** Ours, as are those below: chapters that are spoken, their words, and the estimated length of their speech in minutes. */
    included_count: z.int(),
    words: z.int(),
    minutes: z.number(),
    /** Parts of the manuscript that are not spoken. */
    left_out: z.array(z.object({ title: z.string(), why: z.string() })),
    /** Sentences about what of a manuscript in SSML is not followed; absent without any. */
    notices: z.array(z.string()).exactOptional(),
  })
  .meta({ id: 'AudiobookPlan' })
export type PlanReply = z.output<typeof PlanReply>
