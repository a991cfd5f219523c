// The events of a book.
import { z } from 'zod'
import { FAILURE_FIELDS, JOB_ENDS, JobFailed } from '#control-plane/jobs/job-type.ts'

const Place = { index: z.int(), total: z.int(), title: z.string() }

/** The last event of a book. */
export const BookDone = z.strictObject({
  type: z.literal('done'),
  output: z.string(),
  readalong: z.string().exactOptional(),
  chapters: z.int(),
  duration_s: z.number(),
  cached_chapters: z.int(),
  failed_chapters: z.array(z.int()),
  loudness: z
    .object({
      preset: z.string(),
      target_i: z.number().nullable(),
      target_tp: z.number().nullable(),
      two_pass: z.literal(true),
      measured_i: z.number().nullable(),
    })
    .exactOptional(),
})
export type BookDone = z.output<typeof BookDone>

export const BookEvent = z
  .discriminatedUnion('type', [
    z.strictObject({ type: z.literal('started'), job_id: z.string(), chapters: z.int() }),
    z.strictObject({ type: z.literal('routing_notice'), status: z.enum(['waiting', 'notice']), reason: z.string() }),
    z.strictObject({
      type: z.literal('chapter'),
      ...Place,
      duration_s: z.number(),
      cached: z.boolean(),
      segments: z.int(),
      cached_segments: z.int(),
      /** A sentence about speech of an unusual length or level. */
      warning: z.string().exactOptional(),
    }),
    z.strictObject({ type: z.literal('chapter_error'), ...FAILURE_FIELDS, stage: z.null(), ...Place }),
    z.strictObject({ type: z.literal('assembling') }),
    z.strictObject({ type: z.literal('mastering'), preset: z.string() }),
    BookDone,
    /** The job was cancelled. `rendered`: chapters of `total`. */
    z.strictObject({
      type: z.literal('stopped'),
      rendered: z.int(),
      total: z.int(),
      cached_chapters: z.int(),
      failed_chapters: z.array(z.int()),
    }),
    JobFailed,
  ])
  .meta({ id: 'BookEvent' })
export type BookEvent = z.output<typeof BookEvent>

/** The events of a conversion: its end. Its progress is that of the job. */
export const BookConversionEvent = z.discriminatedUnion('type', JOB_ENDS).meta({ id: 'BookConversionEvent' })
