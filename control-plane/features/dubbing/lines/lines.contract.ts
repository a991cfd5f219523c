import { z } from 'zod'
import { DubLineRow, SentLine } from '#control-plane/features/dubbing/store/line.ts'
import { contract } from '#control-plane/http/contract/contract.ts'
import { SUBTITLE_FORMATS } from '#shared/subtitles/formats/format-names.ts'
import { TEXT_ENCODINGS } from '#shared/text/encoding/encodings.ts'

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

const Choice = z.strictObject({
  /** Without it, the encoding is found out. */
  encoding: z.enum(TEXT_ENCODINGS).optional(),
  /** The language of the subtitles, where it is not that of the film. */
  language: z.string().max(32).optional(),
})
export type SubtitleReading = z.output<typeof Choice>
const Parsed = z
  .object({
    segments: z.array(z.object({ start: z.number(), end: z.number(), text: z.string(), speaker: z.string().optional() })),
    skipped_cues: Count,
    dropped_overlaps: Count,
    format: z.enum(SUBTITLE_FORMATS),
    /** Null for a text. */
    encoding: z.enum(TEXT_ENCODINGS).nullable(),
    notices: z.array(z.string()),
  })
  .meta({ id: 'DubParsedSubtitles' })

export const dubLineContracts = {
  parse: contract({
    id: 'dubbing.parseSubtitles',
    method: 'POST',
    path: '/dub/parse-subtitle-text',
    access,
    summary:
      'Reads the cues of a subtitle text: SRT, WebVTT, ASS, SSA, SBV, TTML, MicroDVD or LRC. Damaged and repeated cues are left out and counted; cues that overlap are moved apart or joined.',
    body: z.strictObject({ text: z.string().max(MAX_TEXT) }),
    bodyBytes: TEXT_BYTES,
    reply: Parsed,
  }),
  parseFile: contract({
    id: 'dubbing.parseSubtitleFile',
    method: 'POST',
    path: '/dub/parse-subtitle-file',
    access,
    summary:
      'Reads the cues of a subtitle file in any encoding. `encoding` of the answer is the one that was found or assumed; the parameter chooses another.',
    extension: true,
    body: Choice,
    form: ['file'],
    spooled: true,
    fileBytes: FILE_BYTES,
    reply: Parsed,
  }),
  import: contract({
    id: 'dubbing.importSubtitles',
    method: 'POST',
    path: '/dub/import-srt/{job_id}',
    access,
    of: { kind: 'dub', param: 'job_id' },
    summary:
      'Replaces the lines of a dub by the cues of a subtitle file: SRT, WebVTT, ASS, SSA, SBV, TTML, MicroDVD or LRC. `encoding` of the answer is the one that was found or assumed; the parameter chooses another.',
    params,
    body: Choice,
    form: ['file'],
    spooled: true,
    fileBytes: FILE_BYTES,
    reply: z
      .object({
        segments: z.array(DubLineRow),
        stats: z.object({ imported: Count, skipped_malformed: Count, dropped_overlap: Count, clamped_to_duration: Count }),
        format: z.enum(SUBTITLE_FORMATS),
        encoding: z.enum(TEXT_ENCODINGS).nullable(),
        notices: z.array(z.string()),
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
