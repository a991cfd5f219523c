// The messages of one run, in both directions: the schema that a program applies to a decoded message, and the type of the message on
// the wire. The types that carry a oneof or a Buffer are written by hand, because the encoder and the decoder differ there from a schema.
import { z } from 'zod'
import { ATTEMPT_CODES, codeField } from './fields/peer-codes.ts'
import { CountField, IdField, TextField } from './message-fields.ts'
import type { Empty } from './messages.ts'

const Code = codeField(ATTEMPT_CODES)
const Share = z.number().min(-1).max(1)
const Bytes = z.instanceof(Uint8Array)

// A oneof arrives as its name (`step: 'header'`) beside the chosen field. The encoder ignores the name; the types require it, so that one
// type serves both directions.
type OneOf<Name extends string, Choices> = { [K in keyof Choices & string]: { [N in Name]: K } & { [F in K]: Choices[K] } }[keyof Choices &
  string]

const seq = CountField
/** One event of an attempt; `fact` names the field that is present. */
export const EventMessage = z.discriminatedUnion('fact', [
  z.object({ seq, fact: z.literal('accepted') }),
  z.object({ seq, fact: z.literal('declined'), declined: z.object({ code: Code, message: TextField }) }),
  z.object({ seq, fact: z.literal('loading'), loading: z.object({ progress: Share, detail: TextField }) }),
  z.object({ seq, fact: z.literal('running') }),
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
export type Facts = {
  accepted: Empty
  declined: { code: string; message: string }
  loading: { progress: number; detail: string }
  running: Empty
  progress: { progress: number; stage: string; keepalive: boolean }
  /** At most 256 KiB of payload. */
  output: { part: number; offset: number; payload: Buffer }
  completed: { result_json: Buffer; sha256: Buffer; size: number }
  failed: { code: string; message: string }
}
export type RunEvent = { seq: number } & OneOf<'fact', Facts>

export const INPUT_LIMITS = { count: 8, bytes: 64 * 1024 * 1024, chunkBytes: 256 * 1024 }
const InputName = z.string().regex(/^[a-z][a-z0-9_]{0,31}$/, 'is not the name of an input')
const InputRefMessage = z.object({
  name: InputName,
  size: CountField.max(INPUT_LIMITS.bytes, 'is larger than 64 MiB'),
  sha256: Bytes.refine((bytes) => bytes.length === 32, 'is not a SHA-256'),
})
/** One input of a task; `sha256` has 32 bytes. */
export type InputRef = z.output<typeof InputRefMessage>
export const InputChunkMessage = z.object({
  name: InputName,
  offset: CountField,
  payload: Bytes.refine((bytes) => bytes.length > 0 && bytes.length <= INPUT_LIMITS.chunkBytes, 'has not between 1 byte and 256 KiB'),
})
export type InputChunkMessage = z.output<typeof InputChunkMessage>
/** At most 256 KiB of payload. */
export type InputChunk = { name: string; offset: number; payload: Buffer }
/** Where the agent wants the inputs from, in the order of the header. */
export const InputWantMessage = z.object({ name: InputName, offset: CountField })
export type InputWant = z.output<typeof InputWantMessage>

/** What an attempt computes: names and parameters, never a path, a URL or code. */
export const HeaderMessage = z.object({
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
})
export type HeaderMessage = z.output<typeof HeaderMessage>
/** `params_json` is UTF-8 JSON. */
export type RunHeader = Omit<HeaderMessage, 'params_json'> & { params_json: Buffer }
/** `resume`: the number of a run of the exchange, whose outputs continue on this call. */
export type RunInput = OneOf<'step', { header: RunHeader; cancel: Empty; commit: Empty; input: InputChunk; resume: { run: number } }>
/** `wanted`: the agent asks for the inputs, at most once per call. */
export type RunOutput = { events: RunEvent[]; wanted?: InputWant | null }

/** `inlineBytes`: outputs of one run, as `weightOf` counts them. The others are per message, except `runs`, which are open at one time. */
export const EXCHANGE_LIMITS = { inlineBytes: 32 * 1024, frames: 256, bytes: 256 * 1024, runs: 1024 }
/** `drop`: the studio no longer reads the run. */
export type InputFrame = { run: number } & OneOf<'step', { header: RunHeader; cancel: Empty; commit: Empty; end: Empty; drop: Empty }>
export type ExchangeInput = { frames: InputFrame[] }
/** `code` is empty for a run that ended without a failure. */
export type RunEnding = { code: string; message: string; reason: string }
/** `move`: the studio must resume the run on a call of its own. */
export type OutputFrame = { run: number } & OneOf<'step', { output: RunOutput; move: Empty; end: RunEnding }>
export type ExchangeOutput = { frames: OutputFrame[] }

/** More than the fields of an event besides its texts and bytes. */
const EVENT_BYTES = 64
/** An upper bound of the encoded size for ASCII texts. Its constant part also keeps a full message far below the field limit. */
export function weightOf({ events }: RunOutput): number {
  let bytes = EVENT_BYTES
  for (const event of events) bytes += EVENT_BYTES + contentOf(event)
  return bytes
}
function contentOf(event: RunEvent): number {
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
