import { z } from 'zod'
import { contract } from '#control-plane/http/contract/contract.ts'
import { booleanText } from '#control-plane/http/input/boolean-text.ts'
import { MAX_CHAPTERS } from '../plan/plan.schema.ts'
import { AudiobookRequest, CONVERTED_FORMATS, PreviewReply, PreviewRequest, StoryRequest } from './book.schema.ts'
import { BookEvent } from './book-events.schema.ts'

const access = 'consume' as const
const bodyBytes = 32 * 1024 * 1024
const media = ['text/event-stream']

export const bookContracts = {
  render: contract({
    id: 'longform.renderAudiobook',
    method: 'POST',
    path: '/audiobook',
    access,
    summary:
      'Renders a manuscript as an audiobook. Server-sent events; a client that disconnects cancels it. Extensions: engine; chapters chooses those that are spoken; layout_pauses sets the silences; speak_titles speaks the titles of chapters; readalong makes an EPUB with media overlays too, which the last event names; keep_running continues without the client; project is named by the lists of books.',
    body: AudiobookRequest,
    bodyBytes,
    events: BookEvent,
    media,
  }),
  preview: contract({
    id: 'longform.previewChapter',
    method: 'POST',
    path: '/audiobook/preview',
    access,
    summary: 'Renders one chapter as WAV. A later rendering of the book uses its sound again.',
    body: PreviewRequest,
    bodyBytes,
    reply: PreviewReply,
  }),
  renderPlan: contract({
    id: 'longform.renderPlan',
    method: 'POST',
    path: '/longform/render',
    access,
    summary: 'Renders a plan of chapters and spans, with the events of /audiobook.',
    body: StoryRequest,
    bodyBytes,
    events: BookEvent,
    media,
  }),
  resumable: contract({
    id: 'longform.listInterrupted',
    method: 'GET',
    path: '/audiobook/jobs',
    access,
    summary: 'Books that stopped before their end and can be resumed, newest first.',
    reply: z.object({
      jobs: z.array(
        z
          .object({
            job_id: z.string(),
            type: z.enum(['audiobook', 'story']),
            status: z.string(),
            title: z.string(),
            total_chapters: z.int(),
            chapters_done: z.int(),
            created_at: z.number().nullable(),
            /** The project whose text it is; absent without one. An extension. */
            project: z.string().optional(),
            /** True if it has a cover; absent otherwise. An extension. */
            has_cover: z.literal(true).optional(),
          })
          .meta({ id: 'InterruptedBook' }),
      ),
    }),
  }),
  resume: contract({
    id: 'longform.resumeAudiobook',
    method: 'POST',
    path: '/audiobook/resume/{job_id}',
    access,
    of: { kind: 'job', param: 'job_id' },
    summary:
      'Continues a book as a new job, with the events of /audiobook. What is already rendered is used again. Extension: keep_running.',
    params: z.strictObject({ job_id: z.string().min(1).max(128) }),
    query: z.object({ keep_running: booleanText().default(false) }),
    events: BookEvent,
    media,
  }),
  finished: contract({
    id: 'longform.listFinished',
    method: 'GET',
    path: '/longform/jobs',
    access,
    summary: 'Finished books, newest first. Their files are under /audio.',
    query: z.object({ limit: z.coerce.number().int().min(1).max(500).default(50) }),
    reply: z.object({
      jobs: z.array(
        z
          .object({
            job_id: z.string(),
            type: z.enum(['audiobook', 'story']),
            output: z.string(),
            duration_s: z.number(),
            chapters: z.int(),
            created_at: z.number(),
            title: z.string(),
            /** The project whose text it is; absent without one. An extension. */
            project: z.string().optional(),
            /** True if it has a cover; absent otherwise. An extension. */
            has_cover: z.literal(true).optional(),
            /** Size of the output; null if its file was removed. An extension. */
            size_bytes: z.int().nullable(),
          })
          .meta({ id: 'FinishedBook' }),
      ),
    }),
  }),
  cover: contract({
    id: 'longform.readCover',
    method: 'GET',
    path: '/longform/jobs/{job_id}/cover',
    access,
    of: { kind: 'job', param: 'job_id' },
    summary: 'The cover of a book. Of more than 500 covers the oldest are removed.',
    extension: true,
    params: z.strictObject({ job_id: z.string().min(1).max(128) }),
    media: ['image/jpeg', 'image/png'],
  }),
  chapter: contract({
    id: 'longform.readChapter',
    method: 'GET',
    path: '/longform/jobs/{job_id}/chapters/{chapter}',
    access,
    of: { kind: 'job', param: 'job_id' },
    summary:
      'The sound of one chapter of a book, by its number in the events, also while others are rendered. Byte ranges are supported. A chapter of a finished book may be gone; its sound is in the file of the book.',
    extension: true,
    params: z.strictObject({ job_id: z.string().min(1).max(128), chapter: z.coerce.number().int().min(0).max(MAX_CHAPTERS) }),
    reads: ['range'],
    media: ['audio/aac', 'audio/mpeg'],
  }),
  convert: contract({
    id: 'longform.convertFinished',
    method: 'POST',
    path: '/longform/jobs/{job_id}/convert',
    access,
    of: { kind: 'job', param: 'job_id' },
    summary:
      'Makes a finished book in another format: M4B or MP3 with its chapters, tags and cover, or one WAV file for each chapter in a zip. The file is under /audio when the job has ended; without a job it is there.',
    extension: true,
    params: z.strictObject({ job_id: z.string().min(1).max(128) }),
    body: z.strictObject({ format: z.enum(CONVERTED_FORMATS) }),
    reply: z
      .object({ output: z.string(), /** Null for a file that is there. */ job_id: z.string().nullable() })
      .meta({ id: 'BookConversion' }),
  }),
  remove: contract({
    id: 'longform.removeFinished',
    method: 'DELETE',
    path: '/longform/jobs/{job_id}',
    access,
    of: { kind: 'job', param: 'job_id' },
    summary: 'Deletes a finished book with its files.',
    extension: true,
    params: z.strictObject({ job_id: z.string().min(1).max(128) }),
    reply: z.object({ deleted: z.literal(true) }),
  }),
  undelete: contract({
    id: 'longform.undeleteFinished',
    method: 'POST',
    path: '/longform/jobs/{job_id}/undelete',
    access,
    of: { kind: 'job', param: 'job_id' },
    summary: 'Brings back a finished book that was deleted within the last 60 s, unless the studio was started since.',
    extension: true,
    params: z.strictObject({ job_id: z.string().min(1).max(128) }),
    reply: z.object({ restored: z.literal(true) }),
  }),
}
