// The events of a client of `/v1/realtime`. Unknown fields are dropped.
import { z } from 'zod'

/** Characters of one append: 8 seconds of PCM. */
const AUDIO_CHARS = 512 * 1024
const id = z
  .string()
  .max(128)
  .nullish()
  .transform((value) => value ?? null)

const milliseconds = (most: number) => z.number().min(0).max(most)
const ServerVad = z.object({
  type: z.literal('server_vad'),
  threshold: z.number().min(0).max(1).nullish(),
  prefix_padding_ms: milliseconds(5_000).nullish(),
  silence_duration_ms: milliseconds(10_000).nullish(),
})
const SemanticVad = z.object({ type: z.literal('semantic_vad'), eagerness: z.enum(['low', 'medium', 'high', 'auto']).nullish() })
const TurnDetection = z.discriminatedUnion('type', [ServerVad, SemanticVad])
const Transcription = z.object({
  model: z.string().max(200).nullish(),
  language: z.string().max(35).nullish(),
  prompt: z.string().max(10_000).nullish(),
})
const Format = z.discriminatedUnion('type', [
  z.object({ type: z.literal('audio/pcm'), rate: z.literal(24_000).nullish() }),
  z.object({ type: z.literal('audio/pcmu') }),
  z.object({ type: z.literal('audio/pcma') }),
])
const Input = z.object({
  format: Format.nullish(),
  transcription: Transcription.nullish(),
  /** null turns it off; absent leaves it unchanged. */
  turn_detection: TurnDetection.nullable().optional(),
})
export type RealtimeInput = z.output<typeof Input>

const OLD_FORMATS = { pcm16: 'audio/pcm', g711_ulaw: 'audio/pcmu', g711_alaw: 'audio/pcma' } as const
/** The session as it was written before the API left its beta. */
const OldSession = z
  .object({
    input_audio_format: z.enum(['pcm16', 'g711_ulaw', 'g711_alaw']).nullish(),
    input_audio_transcription: Transcription.nullish(),
    turn_detection: TurnDetection.nullable().optional(),
  })
  .transform(
    ({ input_audio_format: format, input_audio_transcription: transcription, turn_detection }): RealtimeInput => ({
      ...(format && { format: { type: OLD_FORMATS[format] } }),
      transcription,
      ...(turn_detection !== undefined && { turn_detection }),
    }),
  )

export const ClientEvent = z.discriminatedUnion('type', [
  z.object({
    type: z.literal('session.update'),
    event_id: id,
    session: z.object({ type: z.literal('transcription'), audio: z.object({ input: Input.nullish() }).nullish() }),
  }),
  z.object({ type: z.literal('transcription_session.update'), event_id: id, session: OldSession }),
  z.object({ type: z.literal('input_audio_buffer.append'), event_id: id, audio: z.string().min(1).max(AUDIO_CHARS) }),
  z.object({ type: z.literal('input_audio_buffer.commit'), event_id: id }),
  z.object({ type: z.literal('input_audio_buffer.clear'), event_id: id }),
])
export type ClientEvent = z.output<typeof ClientEvent>
/** For the answer to an event that is refused. */
export const EventHead = z.object({ event_id: id.catch(null), type: z.string().max(128).catch('') })
