import { z } from 'zod'

/** UTF-16 units of a manuscript: about 150 hours of speech. */
export const SCRIPT_CHARS = 8 * 1024 * 1024
export const MAX_CHAPTERS = 10_000
/** Places where voice, speed or silence change, in a whole book. */
export const MAX_SPANS = 100_000
export const VoiceName = z.string().max(200)

export const Manuscript = z
  .string()
  .max(SCRIPT_CHARS)
  .refine((text) => text.isWellFormed(), 'must be valid Unicode: an unpaired surrogate was found')
  .refine((text) => !text.includes('\0'), 'must not contain NUL characters')

const Span = z.object({
  voice_id: z.string().nullable(),
  text: z.string(),
  /** Milliseconds. */
  pause_ms_after: z.number(),
  speed: z.number().nullable(),
})
export const PlanReply = z
  .object({
    /** `char_count`: code points. `pause_ms_before`: silence before the first span; absent for none. */
    chapters: z.array(z.object({ title: z.string(), char_count: z.int(), pause_ms_before: z.number().optional(), spans: z.array(Span) })),
    chapter_count: z.int(),
    char_count: z.int(),
    /** Ours: sentences about what of a manuscript in SSML is not followed; absent without any. */
    notices: z.array(z.string()).exactOptional(),
  })
  .meta({ id: 'AudiobookPlan' })
export type PlanReply = z.output<typeof PlanReply>
