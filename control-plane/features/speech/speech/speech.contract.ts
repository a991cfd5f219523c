// Text to speech.
import { z } from 'zod'
import { contract, type SocketContract } from '#control-plane/http/contract/contract.ts'
import { TypedEvent } from '#control-plane/http/describe/events.ts'
import { GenerateForm, SpeechBody, VoicesReply } from './speech.schema.ts'

const SPEECH = ['audio/mpeg', 'audio/ogg', 'audio/aac', 'audio/flac', 'audio/wav', 'audio/pcm', 'text/event-stream']

export const speechSocket: SocketContract = {
  id: 'speech.speakLive',
  path: '/ws/tts',
  access: 'consume',
  summary: 'Generates speech and sends its sound during synthesis, for any number of texts, one after the other.',
  messages:
    'The client sends JSON with text, and optionally engine, voice, speed, language, instruct, description and seed. The studio sends JSON with the sample rate, binary messages with 16-bit mono PCM, and JSON at the end or for an error.',
}

export const speechContracts = {
  speak: contract({
    id: 'speech.speak',
    method: 'POST',
    path: '/v1/audio/speech',
    access: 'consume',
    summary: 'Generates speech and streams the audio during synthesis. An Idempotency-Key header makes repeated requests one task.',
    body: SpeechBody,
    reads: ['idempotency-key'],
    sends: ['x-audio-sample-rate', 'x-svc-voice'],
    events: TypedEvent,
    media: SPEECH,
  }),
  listVoices: contract({
    id: 'speech.listVoices',
    waitsForLocal: true,
    method: 'GET',
    path: '/v1/audio/voices',
    access: 'consume',
    summary: 'Lists the voice names of the public API and the installed engines with their voices.',
    query: z.object({}),
    reply: VoicesReply,
  }),
  generate: contract({
    id: 'speech.generate',
    method: 'POST',
    path: '/generate',
    access: 'consume',
    summary:
      'Generates a take for the history as WAV, or as JSON lines with stream=true. With ref_audio it clones the voice of that recording. With the header Prefer: respond-async the answer is 202 with the id of a job that outlives the request.',
    body: GenerateForm,
    form: ['ref_audio'],
    mayOmit: ['ref_audio'],
    spooled: true,
    reads: ['prefer'],
    sends: [
      'x-audio-id',
      'x-audio-path',
      'x-gen-time',
      'x-audio-duration',
      'x-seed',
      'x-svc-voice',
      'x-svc-dropped-chunks',
      'x-svc-dropped-text',
    ],
    events: TypedEvent,
    media: ['audio/wav', 'application/x-ndjson', 'application/json'],
  }),
}
