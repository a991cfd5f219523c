import { z } from 'zod'
import { contract } from '../../../http/contract.ts'

const access = 'consume' as const
const params = z.strictObject({ job_id: z.string().max(128) })
/** Bytes of two million characters as escaped JSON. */
const TEXT_BYTES = 14_000_000
/** Longer texts are refused by the service, with the limit in the answer. */
const MOST_TEXT = 14_000_000
const Count = z.int().min(0)

export const DubLineRow = z
  .object({
    id: z.union([z.string(), z.int()]),
    start: z.number(),
    end: z.number(),
    text: z.string(),
    text_original: z.string(),
    speaker_id: z.string(),
    profile_id: z.string().optional(),
    qc_drift: z.number().optional(),
    qc_flagged: z.boolean().optional(),
    qc_recognized: z.string().optional(),
    qc_measured_start: z.number().nullish(),
    qc_measured_end: z.number().nullish(),
  })
  .meta({ id: 'DubLineRow' })

export const dubLineContracts = {
  parse: contract({
    id: 'dubbing.parseSubtitles',
    method: 'POST',
    path: '/dub/parse-subtitle-text',
    access,
    summary: 'Reads the cues of an SRT or WebVTT text. Damaged cues are skipped and counted; cues that overlap are moved apart.',
    body: z.strictObject({ text: z.string().max(MOST_TEXT) }),
    bodyBytes: TEXT_BYTES,
    reply: z
      .object({
        segments: z.array(z.object({ start: z.number(), end: z.number(), text: z.string() })),
        skipped_cues: Count,
        dropped_overlaps: Count,
      })
      .meta({ id: 'DubParsedSubtitles' }),
  }),
  import: contract({
    id: 'dubbing.importSubtitles',
    method: 'POST',
    path: '/dub/import-srt/{job_id}',
    access,
    summary: 'Replaces the lines of a dub by the cues of an SRT or WebVTT file.',
    params,
    body: z.strictObject({}),
    form: ['file'],
    reply: z
      .object({
        segments: z.array(DubLineRow),
        stats: z.object({ imported: Count, skipped_malformed: Count, dropped_overlap: Count, clamped_to_duration: Count }),
      })
      .meta({ id: 'DubImportedSubtitles' }),
  }),
  cleanup: contract({
    id: 'dubbing.cleanUpLines',
    method: 'POST',
    path: '/dub/cleanup-segments/{job_id}',
    access,
    summary: 'Joins fragments of sentences of one speaker and removes empty and repeated lines.',
    params,
    reply: z.object({ segments: z.array(DubLineRow), before: Count, after: Count }).meta({ id: 'DubCleanedLines' }),
  }),
}
