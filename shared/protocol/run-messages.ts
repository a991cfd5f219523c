// The schemas that a program applies to the decoded messages of one run, in both directions.
import { z } from 'zod'
import { ATTEMPT_CODES, codeField } from './fields/peer-codes.ts'
import type { Wire } from './generated/wire.ts'
import { CountField, fields, IdField, NameField, TextField } from './message-fields.ts'

const Code = codeField(ATTEMPT_CODES)
const Share = z.number().min(-1).max(1)
const Bytes = z.instanceof(Uint8Array)

const seq = CountField
/** One event of an attempt; `fact` names the field that is present. */
export const EventMessage = z.discriminatedUnion('fact', [
  z.object({ seq, fact: z.literal('accepted') }),
  z.object({ seq, fact: z.literal('declined'), declined: z.object({ code: Code, message: TextField }) }),
  z.object({ seq, fact: z.literal('loading'), loading: z.object({ progress: Share, detail: TextField }) }),
  /** An older agent names no machine. */
  z.object({ seq, fact: z.literal('running'), running: z.object({ machine: NameField.default('') }).default({ machine: '' }) }),
  z.object({ seq, fact: z.literal('progress'), progress: z.object({ progress: Share, stage: TextField, keepalive: z.boolean() }) }),
  z.object({ seq, fact: z.literal('output'), output: z.object({ part: CountField, offset: CountField, payload: Bytes }) }),
  z.object({
    seq,
    fact: z.literal('completed'),
    completed: z.object({ result_json: Bytes, sha256: Bytes, size: CountField }),
  }),
  z.object({ seq, fact: z.literal('failed'), failed: z.object({ code: Code, message: TextField }) }),
])
export type EventMessage = z.output<typeof EventMessage>

export const INPUT_LIMITS = { count: 8, bytes: 64 * 1024 * 1024, chunkBytes: 256 * 1024 }
const InputName = z.string().regex(/^[a-z][a-z0-9_]{0,31}$/, 'is not the name of an input')
const InputRefMessage = fields<'InputRef'>()({
  name: InputName,
  size: CountField.max(INPUT_LIMITS.bytes, 'is larger than 64 MiB'),
  sha256: Bytes.refine((bytes) => bytes.length === 32, 'is not a SHA-256'),
})
export const InputChunkMessage = fields<'InputChunk'>()({
  name: InputName,
  offset: CountField,
  payload: Bytes.refine((bytes) => bytes.length > 0 && bytes.length <= INPUT_LIMITS.chunkBytes, 'has not between 1 byte and 256 KiB'),
})
export type InputChunkMessage = z.output<typeof InputChunkMessage>
/** The inputs and offsets that the agent requests, in the order of the header. */
export const InputWantMessage = fields<'InputWant'>()({ name: InputName, offset: CountField })

/** Description of an attempt's work: names and parameters, never a path, a URL or code. */
export const HeaderMessage = fields<'RunHeader'>()({
  task_id: IdField,
  attempt_id: IdField,
  epoch: CountField.min(1),
  engine: z.string().regex(/^[a-z0-9][a-z0-9._-]{0,63}$/, 'is not the name of an engine'),
  model: z
    .string()
    .max(128)
    .regex(/^[A-Za-z0-9](?:[A-Za-z0-9_-]|\.(?!\.))*(?:\/[A-Za-z0-9](?:[A-Za-z0-9_-]|\.(?!\.))*)?$|^$/, 'is not the name of a model'),
  operation: z.string().regex(/^[a-z][a-z_]{0,31}$/),
  model_digest: z.string().regex(/^[0-9a-f]{0,64}$/),
  params_json: Bytes.refine((bytes) => bytes.length <= 1024 * 1024, 'is larger than 1 MiB'),
  consent_id: z.string().max(64),
  /** Time left when the header was written. */
  deadline_ms_left: z
    .number()
    .int()
    .min(1)
    .max(24 * 3600_000),
  /** The newest event that the studio has; 0 from the start. */
  from_seq: CountField,
  traceparent: z.string().max(128),
  inputs: z
    .array(InputRefMessage)
    .max(INPUT_LIMITS.count)
    .refine((inputs) => new Set(inputs.map(({ name }) => name)).size === inputs.length, 'names an input twice'),
  /** Older studios send neither. */
  priority: z.number().int().min(0).max(1).default(0),
  size: CountField.max(1e9).default(0),
})
export type HeaderMessage = z.output<typeof HeaderMessage>

/** `inlineBytes`: outputs of one run, as `weightOf` counts them. The others are per message, except `runs`, which are open at one time. */
export const EXCHANGE_LIMITS = { inlineBytes: 32 * 1024, frames: 256, bytes: 256 * 1024, runs: 1024 }

/** More than the fields of an event besides its texts and bytes. */
const EVENT_BYTES = 64
/** An upper bound of the encoded size for ASCII texts. Its constant part also keeps a full message far below the field limit. */
export function weightOf({ events }: Wire<'RunOutput'>): number {
  let bytes = EVENT_BYTES
  for (const event of events) bytes += EVENT_BYTES + contentOf(event)
  return bytes
}
function contentOf(event: Wire<'Event'>): number {
  switch (event.fact) {
    case 'output':
      return event.output.payload.length
    case 'completed':
      return event.completed.result_json.length + event.completed.sha256.length
    case 'declined':
      return event.declined.message.length
    case 'failed':
      return event.failed.message.length
    case 'loading':
      return event.loading.detail.length
    case 'progress':
      return event.progress.stage.length
    default:
      return 0
  }
}
