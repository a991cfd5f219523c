// The routes that listen.
import { z } from 'zod'
import { contract } from '../../http/contract.ts'
import { TranscribeForm, TranscriptionForm } from './recognition.schema.ts'

export const recognitionContracts = {
  transcribeFile: contract({
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
  }),
  transcribe: contract({
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
  }),
  clean: contract({
    id: 'recognition.clean',
    method: 'POST',
    path: '/clean-audio',
    access: 'admin',
    summary: 'A recording without its noise as WAV; X-Clean-Conversion: fallback says that nothing was taken out, and why.',
    body: z.strictObject({}),
    form: ['audio'],
    spooled: true,
    media: ['audio/wav'],
  }),
}
