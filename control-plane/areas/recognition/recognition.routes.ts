// The routes that listen.
import { z } from 'zod'
import { bytes, type Route } from '../../http/route.ts'
import type { Cleaning } from './cleaning.service.ts'
import { TranscribeForm, TranscriptionForm } from './recognition.schema.ts'
import type { Recognition } from './recognition.service.ts'

export type RecognitionParts = { readonly recognition: Recognition; readonly cleaning: Cleaning }

export const recognitionRoutes = ({ recognition, cleaning }: RecognitionParts): Route[] => [
  bytes({
    id: 'recognition.transcribeFile',
    method: 'POST',
    path: '/v1/audio/transcriptions',
    access: 'consume',
    summary:
      'Speech to text on this machine: json, verbose_json, text, srt or vtt. A recogniser that stood in is named in X-Svc-Routing-Reason.',
    body: TranscriptionForm,
    form: ['file'],
    spooled: true,
    media: ['application/json', 'text/plain', 'text/vtt'],
    run: ({ body, uploads, signal, traceparent }) => recognition.transcription(body, uploads['file'], { signal, traceparent }),
  }),
  bytes({
    id: 'recognition.transcribe',
    method: 'POST',
    path: '/transcribe',
    access: 'consume',
    summary:
      'Speech to text in the shape of the panel; mode=accurate asks for the times of words, any other asks the model chosen for dictation first.',
    body: TranscribeForm,
    form: ['audio'],
    spooled: true,
    media: ['application/json'],
    run: ({ body, uploads, signal, traceparent }) => recognition.transcribe(body, uploads['audio'], { signal, traceparent }),
  }),
  bytes({
    id: 'recognition.clean',
    method: 'POST',
    path: '/clean-audio',
    access: 'admin',
    summary: 'A recording without its noise as WAV; X-Clean-Conversion: fallback says that nothing was taken out, and why.',
    body: z.strictObject({}),
    form: ['audio'],
    spooled: true,
    media: ['audio/wav'],
    run: ({ uploads, signal, traceparent }) => cleaning.clean(uploads['audio'], signal, traceparent),
  }),
]
