import { z } from 'zod'
import { contract } from '#control-plane/http/contract/contract.ts'
import { booleanText } from '#control-plane/http/input/boolean-text.ts'
import { BATCH_STAGES, MAX_LANGUAGES } from './batch.rules.ts'

const access = 'consume' as const
const params = z.strictObject({ job_id: z.string().max(128) })
const USUAL_LIMIT = 50
const MAX_LISTED = 1_000
const MAX_LANGS_CHARS = 1_000

const Segment = z.looseObject({ id: z.union([z.string(), z.int()]), start: z.number(), end: z.number(), text: z.string() })
const Progress = z.object({
  stage: z.enum([...BATCH_STAGES, 'done']),
  percent: z.number(),
  current_lang: z.string().optional(),
  current_segment: z.int().optional(),
  total_segments: z.int().optional(),
  segments_count: z.int().optional(),
})
const BatchJob = z
  .object({
    id: z.string(),
    status: z.enum(['queued', 'running', 'done', 'failed', 'cancelled']),
    filename: z.string(),
    video_path: z.string(),
    langs: z.array(z.string()),
    voice_id: z.string().nullable(),
    preserve_bg: z.boolean(),
    // Epoch seconds.
    created_at: z.number(),
    started_at: z.number().nullable(),
    finished_at: z.number().nullable(),
    error: z.string().nullable(),
    progress: Progress.nullable(),
    duration: z.number().optional(),
    // Of one job only; lists leave it out.
    segments: z.array(Segment).optional(),
    source_lang: z.string().optional(),
    outputs: z.record(z.string(), z.string()).optional(),
    warnings: z.array(z.string()).optional(),
  })
  .meta({ id: 'BatchJob' })
export type BatchJob = z.output<typeof BatchJob>

export const batchContracts = {
  enqueue: contract({
    id: 'dubbing.enqueueBatch',
    method: 'POST',
    path: '/batch/enqueue',
    access,
    summary:
      'Adds a film to the batch, which dubs one after another without edits. `langs`: language tags with commas between them, or one in each of several fields.',
    body: z.strictObject({
      langs: z.array(z.string().max(MAX_LANGS_CHARS)).max(MAX_LANGUAGES).default(['es']),
      voice_id: z.string().max(128).nullish(),
      preserve_bg: booleanText().default(true),
    }),
    form: ['video'],
    spooledFilm: true,
    reply: z.object({ job_id: z.string(), status: z.literal('queued'), queue_position: z.int() }).meta({ id: 'BatchEnqueued' }),
  }),
  list: contract({
    id: 'dubbing.listBatch',
    method: 'GET',
    path: '/batch/jobs',
    access,
    summary: 'The films of the batch, newest first. `active` means queued or running.',
    query: z.strictObject({
      status: z.string().max(32).optional(),
      limit: z.coerce
        .number()
        .int()
        .default(USUAL_LIMIT)
        .transform((limit) => Math.min(MAX_LISTED, Math.max(0, limit))),
    }),
    reply: z.array(BatchJob),
  }),
  get: contract({
    id: 'dubbing.getBatchJob',
    method: 'GET',
    path: '/batch/jobs/{job_id}',
    access,
    of: { kind: 'dub', param: 'job_id' },
    summary: 'A film of the batch, with its lines.',
    params,
    reply: BatchJob,
  }),
  remove: contract({
    id: 'dubbing.removeBatchJob',
    method: 'DELETE',
    path: '/batch/jobs/{job_id}',
    access,
    of: { kind: 'dub', param: 'job_id' },
    summary: 'Deletes a film of the batch with its dub and its files; a running one is cancelled first.',
    params,
    reply: z.object({ deleted: z.literal(true) }),
  }),
  cancel: contract({
    id: 'dubbing.cancelBatchJob',
    method: 'POST',
    path: '/batch/jobs/{job_id}/cancel',
    access,
    of: { kind: 'dub', param: 'job_id' },
    summary: 'Cancels a queued or running film. `already`: the state of one that has ended.',
    params,
    reply: z.union([z.object({ cancelled: z.literal(true) }), z.object({ already: z.string() })]),
  }),
  download: contract({
    id: 'dubbing.downloadBatch',
    method: 'GET',
    path: '/batch/download/{job_id}/{lang}',
    access,
    of: { kind: 'dub', param: 'job_id' },
    summary: 'Returns the finished film in a language as MP4, or the sound of a recording as M4A; byte ranges are supported.',
    params: z.strictObject({ job_id: z.string().max(128), lang: z.string().max(1_000) }),
    media: ['video/mp4', 'audio/mp4'],
  }),
}
