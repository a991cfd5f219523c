// The speech routes of this version.
import { z } from 'zod'
import { Failure } from '#shared/protocol/failure.ts'
import { bytes, type Route, route } from '../../http/route.ts'
import type { Engines } from '../engines/engines.service.ts'
import type { createGenerate } from './generate.service.ts'
import { GenerateForm, SpeechBody, VoicesReply } from './speech.schema.ts'
import { ALIASES, type createSpeech } from './speech.service.ts'

export type SpeechParts = {
  readonly speech: ReturnType<typeof createSpeech>
  readonly takes: ReturnType<typeof createGenerate>
  readonly engines: Pick<Engines, 'tts'>
}
const AUDIO = ['audio/mpeg', 'audio/ogg', 'audio/aac', 'audio/flac', 'audio/wav', 'audio/pcm']
const KEY = /^[\x21-\x7e]{1,128}$/

export const speechRoutes = ({ speech, takes, engines }: SpeechParts): Route[] => [
  bytes({
    id: 'speech.speak',
    method: 'POST',
    path: '/v1/audio/speech',
    access: 'consume',
    summary: 'Text to speech; the sound leaves while it is being made. An Idempotency-Key header makes a repeated request the same task.',
    body: SpeechBody,
    media: AUDIO,
    run: ({ body, headers, signal, traceparent }) => speech.speak(body, idempotencyKey(headers['idempotency-key']), signal, traceparent),
  }),
  route({
    id: 'speech.listVoices',
    method: 'GET',
    path: '/v1/audio/voices',
    access: 'consume',
    summary: 'The voice names of the public API and the installed engines with their own voices.',
    query: z.object({}),
    reply: VoicesReply,
    run: () => ({
      voices: [...ALIASES].sort().map((voice_id) => ({
        voice_id,
        name: voice_id.charAt(0).toUpperCase() + voice_id.slice(1),
        type: 'openai_alias' as const,
        description: 'The default voice of the selected engine.',
      })),
      engines: engines.tts().backends,
    }),
  }),
  bytes({
    id: 'speech.generate',
    method: 'POST',
    path: '/generate',
    access: 'consume',
    summary:
      'A take for the history: WAV, or with stream=true lines of JSON while it is being made. With ref_audio in the voice of that recording.',
    body: GenerateForm,
    form: ['ref_audio'],
    spooled: true,
    media: ['audio/wav', 'application/x-ndjson'],
    run: ({ body, uploads, signal, traceparent }) => takes.generate(body, uploads, signal, traceparent),
  }),
]

function idempotencyKey(header: string | string[] | undefined): string | null {
  if (header === undefined) return null
  if (typeof header !== 'string' || !KEY.test(header))
    throw new Failure('BAD_REQUEST', 'Idempotency-Key must be 1 to 128 visible ASCII characters.')
  return `speech:${header}`
}
