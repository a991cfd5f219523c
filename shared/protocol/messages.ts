// What a decoded message must look like before either program believes it: lengths, ranges and words that protobuf cannot say.
// A peer is never trusted to be polite, on either side.
import { z } from 'zod'
import { Failure } from './failure.ts'

const Id = z.string().regex(/^[A-Za-z0-9_-]{1,64}$/)
const Name = z.string().max(200)
const Text = z.string().max(2000)
const Code = z.string().regex(/^[A-Z_]{1,64}$/)
const Count = z.number().int().min(0).max(Number.MAX_SAFE_INTEGER)
const Share = z.number().min(-1).max(1)
const Bytes = z.instanceof(Uint8Array)

const Voice = z.object({ id: Name, name: Name, language: z.string().max(32) })
const Capability = z.object({
  engine: z.string().regex(/^[a-z0-9][a-z0-9._-]{0,63}$/),
  model: z.string().max(128),
  operation: z.string().regex(/^[a-z][a-z_]{0,31}$/),
  implementation: Name,
  stands_in: Text,
  languages: z.array(z.string().max(32)).max(1000),
  voices: z.array(Voice).max(5000),
  cloning: z.boolean(),
  supported: z.boolean(),
  installed: z.boolean(),
  downloaded: z.boolean(),
  device: z.string().max(64),
  sample_rate: z.number().int().min(0).max(768_000),
  permits: z.number().int().min(0).max(1024),
  model_digest: z.string().regex(/^[0-9a-f]{0,64}$/),
  memory_bytes: Count,
})
const Gpu = z.object({
  vendor: Name,
  model: Name,
  backend: Name,
  memory_bytes: Count,
  free_memory_bytes: Count,
  driver_version: Name,
  compute_capability: Name,
})
const Host = z.object({ hostname: Name, os: Name, arch: Name, cpu_count: Count, memory_bytes: Count, gpus: z.array(Gpu).max(64) })

/** What an agent says of itself. */
export const DescriptionMessage = z.object({
  agent_version: z.string().max(64),
  features: z.array(z.string().max(64)).max(256),
  host: Host,
  capabilities: z.array(Capability).max(1000),
  generation: Count,
  protocol: z.number().int().min(0).max(1000),
  instance: z.string().regex(/^[0-9a-f]{0,64}$/),
  inventory: Count,
})
export type DescriptionMessage = z.output<typeof DescriptionMessage>

export const HELD_PHASES = ['loading', 'running', 'done', 'failed', 'cancelled'] as const
export const SnapshotMessage = z.object({
  held: z.array(z.object({ attempt_id: Id, task_id: Id, epoch: Count, phase: z.enum(HELD_PHASES), last_seq: Count })).max(10_000),
  resident_models: z.array(Name).max(1000),
  free_memory_bytes: Count,
  free_disk_bytes: Count,
  draining: z.boolean(),
  beat: Count,
  inventory: Count,
})
export type SnapshotMessage = z.output<typeof SnapshotMessage>

const seq = Count
/** One event of an attempt; `fact` tells which of the others is there. */
export const EventMessage = z.discriminatedUnion('fact', [
  z.object({ seq, fact: z.literal('accepted') }),
  z.object({ seq, fact: z.literal('declined'), declined: z.object({ code: Code, message: Text }) }),
  z.object({ seq, fact: z.literal('loading'), loading: z.object({ progress: Share, detail: Text }) }),
  z.object({ seq, fact: z.literal('running') }),
  z.object({ seq, fact: z.literal('progress'), progress: z.object({ progress: Share, stage: Text, keepalive: z.boolean() }) }),
  z.object({ seq, fact: z.literal('output'), output: z.object({ part: Count, offset: Count, payload: Bytes }) }),
  z.object({
    seq,
    fact: z.literal('completed'),
    completed: z.object({ result_json: Bytes, sha256: Bytes, size: Count }),
  }),
  z.object({ seq, fact: z.literal('failed'), failed: z.object({ code: Code, message: Text }) }),
])
export type EventMessage = z.output<typeof EventMessage>

export const INPUT_LIMITS = { count: 8, bytes: 64 * 1024 * 1024, chunkBytes: 256 * 1024 }
const InputName = z.string().regex(/^[a-z][a-z0-9_]{0,31}$/, 'is not the name of an input')
const InputRef = z.object({
  name: InputName,
  size: Count.max(INPUT_LIMITS.bytes, 'is larger than 64 MiB'),
  sha256: Bytes.refine((bytes) => bytes.length === 32, 'is not a SHA-256'),
})
export type InputRef = z.output<typeof InputRef>
export const InputChunkMessage = z.object({
  name: InputName,
  offset: Count,
  payload: Bytes.refine((bytes) => bytes.length > 0 && bytes.length <= INPUT_LIMITS.chunkBytes, 'has not between 1 byte and 256 KiB'),
})
export type InputChunkMessage = z.output<typeof InputChunkMessage>
export const InputWantMessage = z.object({ name: InputName, offset: Count })
export type InputWantMessage = z.output<typeof InputWantMessage>

/** What a studio asks an agent to do: names and parameters, never a path, a URL or code. */
export const HeaderMessage = z.object({
  task_id: Id,
  attempt_id: Id,
  epoch: Count.min(1),
  engine: z.string().regex(/^[a-z0-9][a-z0-9._-]{0,63}$/, 'is not the name of an engine'),
  model: z
    .string()
    .max(128)
    .regex(/^(?!.*\.\.)[A-Za-z0-9][A-Za-z0-9._-]*(\/[A-Za-z0-9][A-Za-z0-9._-]*)?$|^$/, 'is not the name of a model'),
  operation: z.string().regex(/^[a-z][a-z_]{0,31}$/),
  model_digest: z.string().regex(/^[0-9a-f]{0,64}$/),
  params_json: Bytes.refine((bytes) => bytes.length <= 1024 * 1024, 'is larger than 1 MiB'),
  consent_id: z.string().max(64),
  deadline_ms_left: z
    .number()
    .int()
    .min(1)
    .max(24 * 3600_000),
  from_seq: Count,
  traceparent: z.string().max(128),
  inputs: z
    .array(InputRef)
    .max(INPUT_LIMITS.count)
    .refine((inputs) => new Set(inputs.map(({ name }) => name)).size === inputs.length, 'names an input twice'),
})
export type HeaderMessage = z.output<typeof HeaderMessage>
export const VerdictMessage = z.object({ attempt_id: Id, epoch: Count, committed: z.boolean() })
export const CommitMessage = z.object({ verdicts: z.array(VerdictMessage).max(10_000) })
export const ConsentMessage = z.object({ consent_id: z.string().max(64) })
export const DrainMessage = z.object({ drain: z.boolean(), deadline_ms: Count.max(24 * 3600_000) })
export const UnloadMessage = z.object({ engine: z.string().regex(/^([a-z0-9][a-z0-9._-]{0,63})?$/, 'is not the name of an engine') })
export const UnloadedMessage = z.object({ unloaded: z.array(Name).max(1000), reason: Text })
export type UnloadedMessage = z.output<typeof UnloadedMessage>

export const LOG_LIMITS = { lines: 1000, message: 2000, fields: 8192 }
export const LogsMessage = z.object({ last: z.number().int().min(0).max(LOG_LIMITS.lines), follow: z.boolean() })
export const LogLineMessage = z.object({
  at: Count,
  level: z.string().regex(/^[a-z]{1,10}$/),
  message: z.string().max(LOG_LIMITS.message),
  fields_json: z.string().max(LOG_LIMITS.fields),
})
export type LogLineMessage = z.output<typeof LogLineMessage>

/** An id of the catalogue; whether there is such a model is for the agent to say. */
const ModelId = z
  .string()
  .regex(/^[A-Za-z0-9][A-Za-z0-9._-]{0,95}\/[A-Za-z0-9][A-Za-z0-9._-]{0,95}(:[a-z0-9]{1,16})?$/, 'is not the id of a model')
export const ModelMessage = z.object({ id: ModelId })
export const InstallMessage = z.object({ id: ModelId, consent_id: z.string().max(64) })
const Small = z.number().int().min(0).max(0xffff_ffff)
const StoredModel = z.object({
  id: ModelId,
  supported: z.boolean(),
  installed: z.boolean(),
  incomplete: z.boolean(),
  installing: z.boolean(),
  size_bytes: Count,
  files: Small,
})
export const InventoryMessage = z.object({ models: z.array(StoredModel).max(1000) })
export const INSTALL_PHASES = [
  'install_start',
  'resolving',
  'install_plan',
  'start',
  'progress',
  'done',
  'aggregate',
  'install_retry',
  'install_done',
  'install_error',
  'install_cancelled',
] as const
export const InstallEventMessage = z.object({
  phase: z.enum(INSTALL_PHASES),
  file: z.string().max(300),
  downloaded: Count,
  total: Count,
  rate: Count,
  eta_seconds: Small,
  files_done: Small,
  files_total: Small,
  cached: Count,
  attempt: Small,
  code: z.string().regex(/^[A-Z_]{0,64}$/),
  message: Text,
})
export type InstallEventMessage = z.output<typeof InstallEventMessage>

/** Throws a Failure with `code` that names the first field that is wrong; the value itself is never repeated. */
export function parseMessage<T>(
  schema: z.ZodType<T>,
  message: unknown,
  code: 'INVALID_TASK_PARAMS' | 'AUTH_FAILED' | 'UNKNOWN' = 'UNKNOWN',
): T {
  const parsed = schema.safeParse(message)
  if (parsed.success) return parsed.data
  const issue = parsed.error.issues[0]!
  throw new Failure(code, `the peer sent a message that is not allowed: ${issue.path.join('.')} ${issue.message}`)
}
