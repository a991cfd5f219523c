// `/v1/realtime`: the events of the studio, and the session as it reports it.
import { z } from 'zod'
import type { SocketContract } from '#control-plane/http/contract/contract.ts'

const AudioFormat = z.object({ type: z.enum(['audio/pcm', 'audio/pcmu', 'audio/pcma']), rate: z.int().optional() })
/** Silence of that length ends a turn. Null: the client commits. */
const TurnDetection = z
  .object({ type: z.literal('server_vad'), threshold: z.number(), prefix_padding_ms: z.int(), silence_duration_ms: z.int() })
  .nullable()
const Transcription = z.object({ model: z.string(), language: z.string().nullable(), prompt: z.string() })
const Session = z.object({
  id: z.string(),
  object: z.literal('realtime.transcription_session'),
  type: z.literal('transcription'),
  audio: z.object({
    input: z.object({
      format: AudioFormat,
      transcription: Transcription,
      turn_detection: TurnDetection,
      /** Not available. */
      noise_reduction: z.null(),
    }),
  }),
})
export type RealtimeSession = z.output<typeof Session>

const Problem = z.object({ type: z.string(), code: z.string(), message: z.string(), param: z.string().nullable() })
export type RealtimeProblem = z.output<typeof Problem>
const Item = z.object({
  id: z.string(),
  object: z.literal('realtime.item'),
  type: z.literal('message'),
  status: z.literal('completed'),
  role: z.literal('user'),
  content: z.tuple([z.object({ type: z.literal('input_audio'), transcript: z.null() })]),
})
const event = <const Type extends string, Fields extends z.ZodRawShape>(type: Type, fields: Fields) =>
  z.object({ event_id: z.string(), type: z.literal(type), ...fields })
const ofItem = { item_id: z.string(), content_index: z.literal(0) }
const inOrder = { previous_item_id: z.string().nullable() }
const TRANSCRIPTION = 'conversation.item.input_audio_transcription'

export const RealtimeEvent = z.discriminatedUnion('type', [
  event('session.created', { session: Session }),
  event('session.updated', { session: Session }),
  event('input_audio_buffer.speech_started', { item_id: z.string(), audio_start_ms: z.int() }),
  event('input_audio_buffer.speech_stopped', { item_id: z.string(), audio_end_ms: z.int() }),
  event('input_audio_buffer.committed', { item_id: z.string(), ...inOrder }),
  event('input_audio_buffer.cleared', {}),
  event('conversation.item.added', { item: Item, ...inOrder }),
  event('conversation.item.done', { item: Item, ...inOrder }),
  event(`${TRANSCRIPTION}.delta`, { ...ofItem, delta: z.string() }),
  event(`${TRANSCRIPTION}.completed`, {
    ...ofItem,
    transcript: z.string(),
    /** The one that the recogniser found; absent if it names none. */
    languages: z.array(z.object({ code: z.string() })).optional(),
    usage: z.object({ type: z.literal('duration'), seconds: z.number() }),
  }),
  event(`${TRANSCRIPTION}.failed`, { ...ofItem, error: Problem }),
  event('error', { error: Problem.extend({ event_id: z.string().nullable() }) }),
])
export type RealtimeEvent = z.output<typeof RealtimeEvent>

export const RealtimeQuery = z.object({
  /** Only `transcription` is served. */
  intent: z.string().max(64).default('transcription'),
  model: z.string().max(200).default(''),
})

export const realtimeSocket: SocketContract = {
  id: 'dictation.realtime',
  path: '/v1/realtime',
  access: 'consume',
  summary: 'Transcribes sound while it arrives, as the realtime transcription sessions of the public API do.',
  messages:
    'Both sides send JSON. The client sends session.update, input_audio_buffer.append with base64 (16-bit PCM of 24 kHz, or G.711 of 8 kHz), input_audio_buffer.commit and input_audio_buffer.clear. Conversations are not served.',
  query: RealtimeQuery,
  frames: RealtimeEvent,
}
