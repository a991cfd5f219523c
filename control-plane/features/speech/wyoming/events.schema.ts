// Schemas of the events of a client. Unknown fields are dropped.
import { z } from 'zod'

/** UTF-16 units of one text, and of all chunks of a text that arrives in parts. */
export const TEXT_CHARS = 100_000

const word = (most: number) =>
  z
    .string()
    .max(most)
    .nullish()
    .transform((text) => text || null)
const Manner = z.object({
  voice: z
    .object({ name: word(128), language: word(35), speaker: word(64) })
    .nullish()
    .transform((voice) => voice ?? { name: null, language: null, speaker: null }),
  text_format: z
    .enum(['text', 'ssml'])
    .nullish()
    .transform((format) => format ?? null),
})
/** The voice and the format of a text. */
export type Manner = z.output<typeof Manner>
const text = z.string().max(TEXT_CHARS)

/** By type. */
export const WYOMING_REQUESTS = {
  ping: z.object({ text: word(4096) }),
  synthesize: Manner.extend({ text }),
  'synthesize-start': Manner,
  'synthesize-chunk': z.object({ text }),
  'synthesize-stop': z.object({}),
  transcribe: z.object({ language: word(35) }),
  'audio-start': z.object({ rate: z.int().min(8_000).max(96_000), width: z.literal(2), channels: z.int().min(1).max(2) }),
  'audio-stop': z.object({}),
} as const
export type WyomingSound = z.output<(typeof WYOMING_REQUESTS)['audio-start']>
