import { z } from 'zod'
import { DubLineRow, SentLine } from '#control-plane/features/dubbing/store/line.ts'
import { contract } from '#control-plane/http/contract/contract.ts'

const access = 'consume' as const
const params = z.strictObject({ job_id: z.string().max(128) })
/** Bytes of two million characters as escaped JSON. */
const TEXT_BYTES = 14_000_000
/** Longer texts are refused by the service, with the limit in the answer. */
const MAX_TEXT = 14_000_000
/** Four bytes for each of two million characters, the most that is read. */
const FILE_BYTES = 8 * 1024 * 1024
const Count = z.int().min(0)
/** Far more than a film of twelve hours has. */
export const MAX_LINES = 5_000
const LINES_BYTES = 16 * 1024 * 1024
export const DubLinesBody = z.strictObject({ segments: z.array(SentLine).min(1).max(MAX_LINES) }).meta({ id: 'DubLines' })
export type DubLinesBody = z.output<typeof DubLinesBody>

export const dubLineContracts = {
  parse: contract({
    id: 'dubbing.parseSubtitles',
    method: 'POST',
    path: '/dub/parse-subtitle-text',
    access,
    summary:
      'Reads the cues of an SRT or WebVTT text. Damaged and repeated cues are left out and counted; cues that overlap are moved apart or joined.',
    body: z.strictObject({ text: z.string().max(MAX_TEXT) }),
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
    of: { kind: 'dub', param: 'job_id' },
    summary: 'Replaces the lines of a dub by the cues of an SRT or WebVTT file.',
    params,
    body: z.strictObject({}),
    form: ['file'],
    spooled: true,
    fileBytes: FILE_BYTES,
    reply: z
      .object({
        segments: z.array(DubLineRow),
        stats: z.object({ imported: Count, skipped_malformed: Count, dropped_overlap: Count, clamped_to_duration: Count }),
      })
      .meta({ id: 'DubImportedSubtitles' }),
  }),
  store: contract({
    id: 'dubbing.storeLines',
    method: 'PUT',
    path: '/dub/segments/{job_id}',
    access,
    of: { kind: 'dub', param: 'job_id' },
    summary:
      'Replaces the lines of a dub, in this order: for lines that were split, joined or moved. Voice tracks stay until they are made again.',
    extension: true,
    params,
    body: DubLinesBody,
    bodyBytes: LINES_BYTES,
    reply: z.object({ segments: z.array(DubLineRow) }).meta({ id: 'DubStoredLines' }),
  }),
  cleanup: contract({
    id: 'dubbing.cleanUpLines',
    method: 'POST',
    path: '/dub/cleanup-segments/{job_id}',
    access,
    of: { kind: 'dub', param: 'job_id' },
    summary: 'Joins fragments of sentences of one speaker and removes empty and repeated lines.',
    params,
    reply: z.object({ segments: z.array(DubLineRow), before: Count, after: Count }).meta({ id: 'DubCleanedLines' }),
  }),
}
