import { currentClient } from '#control-plane/clients/client.ts'
import { replyFor } from '#control-plane/http/contract/errors.ts'
import { handle, type Route } from '#control-plane/http/contract/handle.ts'
import { publicError } from '#control-plane/http/contract/public-error.ts'
import { acceptedContent, eventStream, prefersAsync } from '#control-plane/http/contract/respond.ts'
import { Failure } from '#shared/protocol/failure.ts'
import type { Cleaning } from './cleaning.service.ts'
import type { TranscriptionJobs } from './job/transcription-job.ts'
import type { KeptTranscripts } from './kept/kept-transcripts.service.ts'
import { recognitionContracts } from './recognition.contract.ts'
import type { Recognition } from './recognition.service.ts'
import { serverSent } from './transcript/events.ts'
import { formatted, requireSpeakers } from './transcript/format.ts'

export type RecognitionParts = {
  readonly recognition: Recognition
  readonly cleaning: Cleaning
  readonly jobs: TranscriptionJobs
  /** Opened when it is needed first. */
  readonly kept: () => Promise<KeptTranscripts>
}

export const recognitionRoutes = ({ recognition, cleaning, jobs, kept }: RecognitionParts): Route[] => [
  handle(recognitionContracts.transcribeFile, async ({ body, uploads, headers, signal, traceparent }) => {
    if (prefersAsync(headers['prefer'])) return acceptedContent(await jobs.create(body, uploads['file'], currentClient().id, signal))
    if (body.stream) {
      const { notice, events } = await recognition.transcriptionStream(body, uploads['file'], { signal, traceparent })
      return { ...eventStream(serverSent(events, (failure) => publicError(failure.code, replyFor(failure)))), notice, readsUploads: true }
    }
    const { transcript, withWords } = await recognition.transcription(body, uploads['file'], { signal, traceparent })
    const { type, text } = formatted(transcript, body.response_format, withWords)
    return { type, body: Buffer.from(text), notice: transcript.notice }
  }),
  handle(recognitionContracts.transcript, async ({ params, query }) => {
    const { transcript, withWords } = await jobs.transcript(params.job_id)
    if (query.response_format === 'diarized_json') requireSpeakers(transcript)
    const { type, text } = formatted(transcript, query.response_format, withWords)
    return { type, body: Buffer.from(text), notice: transcript.notice }
  }),
  handle(recognitionContracts.keepTranscript, async ({ params }) => ({ project_id: await jobs.keep(params.job_id) })),
  handle(recognitionContracts.keptTranscript, async ({ params }) => await (await kept()).facts(params.project_id)),
  handle(recognitionContracts.transcriptSound, async ({ params }) => ({
    ...(await (await kept()).sound(params.project_id)),
    cache: 'no-cache',
  })),
  handle(recognitionContracts.attachSound, async ({ params, uploads, signal }) => {
    const { file } = uploads
    if (!file) throw new Failure('BAD_REQUEST', 'The recording is missing from the form.')
    return await (await kept()).attach(params.project_id, file, signal)
  }),
  handle(recognitionContracts.transcriptFile, async ({ params, query }) => {
    const { type, text, name } = (await kept()).written(params.project_id, query.format)
    return { type, body: Buffer.from(text), file: { name, disposition: 'attachment' }, cache: 'no-cache' }
  }),
  handle(recognitionContracts.translateFile, async ({ body, uploads, signal, traceparent }) => {
    const transcript = await recognition.translation(body, uploads['file'], { signal, traceparent })
    const { type, text } = formatted(transcript, body.response_format, false)
    return { type, body: Buffer.from(text), notice: transcript.notice }
  }),
  handle(recognitionContracts.transcribe, async ({ body, uploads, signal, traceparent }) => {
    const { answer, notice } = await recognition.transcribe(body, uploads['audio'], { signal, traceparent })
    return { type: 'application/json', body: Buffer.from(JSON.stringify(answer)), notice }
  }),
  handle(recognitionContracts.clean, async ({ uploads, signal, traceparent }) => {
    const { name, wav, wasCleaned, notice } = await cleaning.clean(uploads['audio'], signal, traceparent)
    return {
      type: 'audio/wav',
      body: wav,
      file: { name, disposition: 'attachment' },
      headers: { 'x-clean-filename': name, 'x-clean-conversion': wasCleaned ? null : 'fallback' },
      notice,
    }
  }),
]
