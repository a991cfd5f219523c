import { z } from 'zod'
import { contract } from '#control-plane/http/contract/contract.ts'
import { booleanText } from '#control-plane/http/input/boolean-text.ts'
import { TranscribeNamed } from './transcribe-events.schema.ts'

const access = 'consume' as const
const params = z.strictObject({ job_id: z.string().max(128) })
const MAX_SPEAKERS = 20
/** A number that is not from 1 to 20 counts as none. */
const Speakers = z
  .string()
  .max(1_000)
  .nullish()
  .transform((text) => {
    const value = Number(text || Number.NaN)
    return Number.isInteger(value) && value >= 1 && value <= MAX_SPEAKERS ? value : null
  })

const TAG = /^[A-Za-z]{2,3}(?:[-_][A-Za-z0-9]{1,8}){0,3}$/
const MAX_LANGUAGES = 20
const Language = z.string().max(32).regex(TAG, 'must be a language tag such as "en" or "pt-BR"')

export const DubBeginBody = z
  .strictObject({
    /** Languages of the dub; none: the film is only transcribed. */
    langs: z.array(Language).max(MAX_LANGUAGES).default([]),
    /** The language of the film; without it, it is identified. */
    language: Language.nullish(),
    /** Number of speakers; without it, it is estimated. */
    speakers: z.int().min(1).max(MAX_SPEAKERS).nullish(),
  })
  .meta({ id: 'DubBegin' })
export type DubBeginBody = z.output<typeof DubBeginBody>

export const transcribeContracts = {
  stream: contract({
    id: 'dubbing.followTranscription',
    method: 'GET',
    path: '/dub/transcribe-stream/{job_id}',
    access,
    of: { kind: 'dub', param: 'job_id' },
    summary:
      'Transcribes the film, as named server-sent events: start, segments, warning, final, ping, error, aborted, done. A second client follows the same transcription; it continues when all have left.',
    params,
    query: z.strictObject({ num_speakers: Speakers, per_segment_refs: booleanText().default(true) }),
    events: TranscribeNamed,
    media: ['text/event-stream'],
  }),
  transcribe: contract({
    id: 'dubbing.transcribe',
    method: 'POST',
    path: '/dub/transcribe/{job_id}',
    access,
    of: { kind: 'dub', param: 'job_id' },
    summary: 'Transcribes the film and returns its lines at the end. Status 499 when the transcription was cancelled.',
    params,
    query: z.strictObject({ num_speakers: Speakers }),
    media: ['application/json'],
  }),
  begin: contract({
    id: 'dubbing.begin',
    method: 'POST',
    path: '/dub/begin/{job_id}',
    access,
    of: { kind: 'dub', param: 'job_id' },
    extension: true,
    summary:
      'Transcribes a film and translates its lines, as one job. It waits for the preparation of the film. While such a job runs, it is returned instead of a new one.',
    params,
    body: DubBeginBody,
    status: 202,
    reply: z.object({ task_id: z.string() }).meta({ id: 'DubBegun' }),
  }),
}
