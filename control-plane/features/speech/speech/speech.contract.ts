// Text to speech.
import { z } from 'zod'
import { contract, type SocketContract } from '#control-plane/http/contract/contract.ts'
import { PublicErrorEvent } from '#control-plane/http/describe/events.ts'
import { GenerateForm, SpeechBody, VoicesReply } from './speech.schema.ts'
import { TakeLine } from './stream/take-events.schema.ts'

const SPEECH = ['audio/mpeg', 'audio/ogg', 'audio/aac', 'audio/flac', 'audio/wav', 'audio/pcm', 'text/event-stream']

const Tokens = z.object({ input_tokens: z.int(), output_tokens: z.int(), total_tokens: z.int() }).meta({ id: 'SpeechTokens' })
const SpeechEvent = z
  .union([
    z.object({ type: z.literal('speech.audio.delta'), audio: z.base64() }),
    /** Ours. `time`: seconds from the start of the speech. */
    z.object({ type: z.literal('speech.audio.mark'), name: z.string(), time: z.number() }),
    z.object({ type: z.literal('speech.audio.done'), usage: Tokens }),
    PublicErrorEvent,
  ])
  .meta({ id: 'SpeechEvent' })

/** A text message of the studio on `/ws/tts`. */
const LiveSpeech = z.discriminatedUnion('type', [
  z.object({ type: z.literal('routing'), routing: z.string(), reason: z.string(), ignored_fields: z.array(z.string()).optional() }),
  z.object({
    type: z.literal('start'),
    sample_rate: z.int(),
    channels: z.literal(1),
    format: z.literal('pcm16'),
    engine: z.string(),
    voice: z.string().nullable(),
  }),
  /** A mark that the sound has passed, before the sound that follows it. `time`: seconds from the start of the speech. */
  z.object({ type: z.literal('mark'), name: z.string(), time: z.number() }),
  z.object({ type: z.literal('done'), duration: z.number(), gen_time: z.number(), ttfa_ms: z.int(), rtf: z.number() }),
  z.object({ type: z.literal('error'), detail: z.string() }),
])

export const speechSocket: SocketContract = {
  id: 'speech.speakLive',
  path: '/ws/tts',
  access: 'consume',
  summary: 'Generates speech and sends its sound during synthesis, for any number of texts, one after the other.',
  messages:
    'The client sends JSON with text, and optionally text_format, engine, voice, speed, language, instruct, description and seed. The studio sends JSON with the sample rate, binary messages with 16-bit mono PCM, and JSON at a mark, at the end or for an error.',
  frames: LiveSpeech,
}

export const speechContracts = {
  speak: contract({
    id: 'speech.speak',
    method: 'POST',
    path: '/v1/audio/speech',
    access: 'consume',
    summary:
      'Generates speech and streams the audio during synthesis. A text that begins with <speak, or has text_format ssml, is SSML 1.1. An Idempotency-Key header makes repeated requests one task.',
    body: SpeechBody,
    reads: ['idempotency-key'],
    sends: ['x-audio-sample-rate', 'x-svc-voice'],
    events: SpeechEvent,
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
      'Generates a take for the history as WAV, or as JSON lines with stream=true. A text that begins with <speak, or has text_format ssml, is SSML 1.1. With ref_audio it clones the voice of that recording. With the header Prefer: respond-async the answer is 202 with the id of a job that outlives the request.',
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
    events: TakeLine,
    media: ['audio/wav', 'application/x-ndjson', 'application/json'],
  }),
}
