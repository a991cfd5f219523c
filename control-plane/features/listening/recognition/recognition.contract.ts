// Transcription and noise removal.
import { z } from 'zod'
import { contract } from '#control-plane/http/contract/contract.ts'
import { PublicErrorEvent } from '#control-plane/http/describe/events.ts'
import {
  OTHER_SOUND,
  SOUND_TYPES,
  TranscribeForm,
  TranscriptionForm,
  TranscriptQuery,
  TranslationForm,
  WrittenQuery,
} from './recognition.schema.ts'

const StreamedTranscript = z
  .union([
    z.object({ type: z.literal('transcript.text.delta'), delta: z.string() }),
    z.object({ type: z.literal('transcript.text.done'), text: z.string(), notices: z.array(z.string()).optional() }),
    PublicErrorEvent,
  ])
  .meta({ id: 'TranscriptEvent' })

const jobPath = z.strictObject({ job_id: z.string().min(1).max(128) })
const projectPath = z.strictObject({ project_id: z.string().min(1).max(64) })
const ofProject = { kind: 'project', param: 'project_id' } as const

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
    params: jobPath,
    query: TranscriptQuery,
    media: ['application/json', 'text/plain', 'text/vtt'],
  }),
  keepTranscript: contract({
    id: 'recognition.keepTranscript',
    method: 'POST',
    path: '/jobs/{job_id}/transcript/project',
    access: 'consume',
    of: { kind: 'job', param: 'job_id' },
    extension: true,
    summary: 'Makes a project of a complete transcript, once: the same project is returned each time, as it was edited since.',
    params: jobPath,
    body: z.strictObject({}),
    reply: z.object({ project_id: z.string() }).meta({ id: 'TranscriptKept' }),
  }),
  keptTranscript: contract({
    id: 'recognition.readKeptTranscript',
    method: 'GET',
    path: '/transcripts/{project_id}',
    access: 'consume',
    of: ofProject,
    extension: true,
    summary: 'What the studio has beside the text of a transcript that is a project: its recording, null if it is gone.',
    params: projectPath,
    reply: z.object({ sound: z.object({ bytes: z.int(), name: z.string() }).nullable() }).meta({ id: 'KeptTranscriptFacts' }),
  }),
  transcriptSound: contract({
    id: 'recognition.readTranscriptSound',
    method: 'GET',
    path: '/transcripts/{project_id}/sound',
    access: 'consume',
    of: ofProject,
    extension: true,
    summary: 'The recording of a transcript that is a project, as it was uploaded; byte ranges are supported.',
    params: projectPath,
    media: [...new Set(Object.values(SOUND_TYPES)), OTHER_SOUND],
  }),
  attachSound: contract({
    id: 'recognition.attachTranscriptSound',
    method: 'POST',
    path: '/transcripts/{project_id}/sound',
    access: 'consume',
    of: ofProject,
    extension: true,
    summary: 'Gives a transcript that is a project its recording again, in place of an earlier one.',
    params: projectPath,
    body: z.strictObject({}),
    form: ['file'],
    spooled: true,
    reply: z.object({ bytes: z.int() }).meta({ id: 'TranscriptSoundAttached' }),
  }),
  transcriptFile: contract({
    id: 'recognition.writeTranscript',
    method: 'GET',
    path: '/transcripts/{project_id}/file',
    access: 'consume',
    of: ofProject,
    extension: true,
    summary:
      'A transcript that is a project as a file: text, SRT, WebVTT, or JSON with the times of words. Lines of subtitles have 42 characters.',
    params: projectPath,
    query: WrittenQuery,
    media: ['text/plain', 'text/vtt', 'application/json'],
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
