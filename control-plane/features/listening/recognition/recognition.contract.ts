// Transcription and noise removal.
import { z } from 'zod'
import { contract } from '#control-plane/http/contract/contract.ts'
import { PublicErrorEvent } from '#control-plane/http/describe/events.ts'
import { TranscribeForm, TranscriptionForm, TranscriptQuery, TranslationForm } from './recognition.schema.ts'

const StreamedTranscript = z
  .union([
    z.object({ type: z.literal('transcript.text.delta'), delta: z.string() }),
    z.object({ type: z.literal('transcript.text.done'), text: z.string(), notices: z.array(z.string()).optional() }),
    PublicErrorEvent,
  ])
  .meta({ id: 'TranscriptEvent' })

export const recognitionContracts = {
  transcribeFile: contract({
    id: 'recognition.transcribeFile',
    waitsForLocal: true,
    method: 'POST',
    path: '/v1/audio/transcriptions',
    access: 'consume',
    summary:
      'Transcribes a recording on this machine as json, verbose_json, text, srt or vtt, or as events with stream=true: Whisper sends a transcript.text.delta for each window of at most 30 seconds, other recognisers their segments after each 15 minutes. With the header Prefer: respond-async the answer is 202 with the id of a job that outlives the request; its events have the same deltas with `part`, from 0, and `at`, the UTF-16 unit of that part from which `delta` replaces the text. X-Svc-Routing-Reason names a substitute recogniser.',
    body: TranscriptionForm,
    form: ['file'],
    spooled: true,
    reads: ['prefer'],
    events: StreamedTranscript,
    media: ['application/json', 'text/plain', 'text/vtt', 'text/event-stream'],
  }),
  transcript: contract({
    id: 'recognition.readTranscript',
    method: 'GET',
    path: '/jobs/{job_id}/transcript',
    access: 'consume',
    of: { kind: 'job', param: 'job_id' },
    extension: true,
    summary: 'The transcript of a transcription that is a job, in the formats of a plain request. 409 while it is not complete.',
    params: z.strictObject({ job_id: z.string().min(1).max(128) }),
    query: TranscriptQuery,
    media: ['application/json', 'text/plain', 'text/vtt'],
  }),
  translateFile: contract({
    id: 'recognition.translateFile',
    waitsForLocal: true,
    method: 'POST',
    path: '/v1/audio/translations',
    access: 'consume',
    extension: true,
    summary:
      'Transcribes a recording in any language as English text. X-Svc-Routing-Reason names the translator if the recogniser only transcribes.',
    body: TranslationForm,
    form: ['file'],
    spooled: true,
    media: ['application/json', 'text/plain', 'text/vtt'],
  }),
  transcribe: contract({
    id: 'recognition.transcribe',
    waitsForLocal: true,
    method: 'POST',
    path: '/transcribe',
    access: 'consume',
    summary: 'Transcribes a recording. With mode=accurate words have times; otherwise the model selected for dictation is preferred.',
    body: TranscribeForm,
    form: ['audio'],
    spooled: true,
    media: ['application/json'],
  }),
  clean: contract({
    id: 'recognition.clean',
    waitsForLocal: true,
    method: 'POST',
    path: '/clean-audio',
    access: 'admin',
    summary: 'Removes noise from a recording and returns WAV. X-Clean-Conversion: fallback means that nothing was removed.',
    body: z.strictObject({}),
    form: ['audio'],
    spooled: true,
    sends: ['x-clean-filename', 'x-clean-conversion'],
    media: ['audio/wav'],
  }),
}
