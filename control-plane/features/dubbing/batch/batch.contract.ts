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
    // Extension: true for a queued film that waits for a person to start it.
    held: z.literal(true).optional(),
    // Of one job only; lists leave it out.
    segments: z.array(Segment).optional(),
    source_lang: z.string().optional(),
    outputs: z.record(z.string(), z.string()).optional(),
    warnings: z.array(z.string()).optional(),
  })
  .meta({ id: 'BatchJob' })
export type BatchJob = z.output<typeof BatchJob>

const Enqueued = z.object({ job_id: z.string(), status: z.literal('queued'), queue_position: z.int() }).meta({ id: 'BatchEnqueued' })

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
      /** Extension: the film is uploaded, and waits until it is started. */
      hold: booleanText().default(false),
    }),
    form: ['video'],
    spooledFilm: true,
    reply: Enqueued,
  }),
  change: contract({
    id: 'dubbing.changeBatchJob',
    method: 'PATCH',
    path: '/batch/jobs/{job_id}',
    access,
    of: { kind: 'dub', param: 'job_id' },
    extension: true,
    summary: 'Chooses languages and voice of a film that waits for its start. 409 for one that was started.',
    params,
    body: z.strictObject({
      langs: z.array(z.string().max(MAX_LANGS_CHARS)).min(1).max(MAX_LANGUAGES),
      voice_id: z.string().max(128).nullish(),
      preserve_bg: z.boolean().default(true),
    }),
    reply: BatchJob,
  }),
  start: contract({
    id: 'dubbing.startBatchJob',
    method: 'POST',
    path: '/batch/jobs/{job_id}/start',
    access,
    of: { kind: 'dub', param: 'job_id' },
    extension: true,
    summary: 'Starts a film that was uploaded with `hold`. One that was started already is unchanged.',
    params,
    body: z.strictObject({}),
    reply: BatchJob,
  }),
  again: contract({
    id: 'dubbing.repeatBatchJob',
    method: 'POST',
    path: '/batch/jobs/{job_id}/again',
    access,
    of: { kind: 'dub', param: 'job_id' },
    extension: true,
    summary: 'Adds the film of a batch job once more, for other languages or for those that failed.',
    params,
    body: z.strictObject({ langs: z.array(z.string().max(MAX_LANGS_CHARS)).min(1).max(MAX_LANGUAGES) }),
    reply: Enqueued,
  }),
  downloadAll: contract({
    id: 'dubbing.downloadAllOfBatch',
    method: 'GET',
    path: '/batch/download-all',
    access,
    extension: true,
    summary: 'Every finished film of the batch in one zip file, each named after its film and its language.',
    media: ['application/zip'],
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
