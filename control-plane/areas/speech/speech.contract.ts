// The speech routes of this version.
import { z } from 'zod'
import { contract } from '../../http/contract.ts'
import { GenerateForm, SpeechBody, VoicesReply } from './speech.schema.ts'

const AUDIO = ['audio/mpeg', 'audio/ogg', 'audio/aac', 'audio/flac', 'audio/wav', 'audio/pcm']

export const speechContracts = {
  speak: contract({
    id: 'speech.speak',
    method: 'POST',
    path: '/v1/audio/speech',
    access: 'consume',
    summary: 'Text to speech; the sound leaves while it is being made. An Idempotency-Key header makes a repeated request the same task.',
    body: SpeechBody,
    media: AUDIO,
  }),
  listVoices: contract({
    id: 'speech.listVoices',
    method: 'GET',
    path: '/v1/audio/voices',
    access: 'consume',
    summary: 'The voice names of the public API and the installed engines with their own voices.',
    query: z.object({}),
    reply: VoicesReply,
  }),
  generate: contract({
    id: 'speech.generate',
    method: 'POST',
    path: '/generate',
    access: 'consume',
    summary:
      'A take for the history: WAV, or with stream=true lines of JSON while it is being made. With ref_audio in the voice of that recording. With the header Prefer: respond-async the answer is 202 with the id of a job that outlives the request.',
    body: GenerateForm,
    form: ['ref_audio'],
    spooled: true,
    media: ['audio/wav', 'application/x-ndjson', 'application/json'],
  }),
}
