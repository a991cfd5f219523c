// The messages of both services, except those of a run: the schema that a program applies to a decoded message, and the type of the
// message on the wire. Protobuf checks neither lengths nor ranges, and neither program trusts its peer.
import { z } from 'zod'
import { cleanJson, cleanLine, lineField } from './fields/clean-text.ts'
import { INSTALL_CODES, saidCode } from './fields/peer-codes.ts'
import { parseJson } from './json.ts'
import { CountField, IdField, MomentField, NameField, TextField } from './message-fields.ts'

/** Version of the meaning of agent.proto. Both ends send it and refuse any other. */
export const PROTOCOL_VERSION = 1
/** Feature of an agent that accepts tasks with inputs. */
export const INPUTS_FEATURE = 'inputs'

/** Feature of an agent that forgets single recordings on request. */
export const FORGET_VOICES_FEATURE = 'forget-voices'

/** Feature of an agent that serves many attempts over one call. */
export const EXCHANGE_FEATURE = 'exchange'
/** The agent changes the order of the installations of a caller: `next` of an install request. */
export const INSTALL_NEXT_FEATURE = 'install-next'
/** The agent takes files of models: the call PutFile. */
export const OWN_FILES_FEATURE = 'own-files'

/** Reply or request without a field. */
export type Empty = Record<string, never>

const Voice = z.object({
  id: NameField,
  name: NameField,
  language: lineField(32),
  /** Languages in which it speaks when a task names no voice: `*` for all, '' for a task without a language. */
  default_for: z.array(lineField(32)).max(64).optional(),
})
const Capability = z.object({
  engine: z.string().regex(/^[a-z0-9][a-z0-9._-]{0,63}$/),
  model: lineField(128),
  operation: z.string().regex(/^[a-z][a-z_]{0,31}$/),
  implementation: NameField,
  /** Empty when the named engine itself runs. */
  stands_in: TextField,
  languages: z.array(lineField(32)).max(1000),
  voices: z.array(Voice).max(5000),
  cloning: z.boolean(),
  supported: z.boolean(),
  installed: z.boolean(),
  downloaded: z.boolean(),
  device: lineField(64),
  /** Hz; 0 without audio. */
  sample_rate: z.number().int().min(0).max(768_000),
  permits: z.number().int().min(0).max(1024),
  /** SHA-256, lower-case hex; empty when not downloaded. */
  model_digest: z.string().regex(/^[0-9a-f]{0,64}$/),
  /** Needed to load the model; 0 when unknown. */
  memory_bytes: CountField,
  /** Accepts the parameter `partial` of recognition. */
  continues: z.boolean().optional(),
  /** Accepts the parameter `stream` of recognition. */
  streams: z.boolean().optional(),
  /** An alphabet that this studio does not know counts as none. */
  phones: z.enum(['', 'ipa', 'cmu']).optional().catch(''),
  /** ISO 15924. */
  scripts: z
    .array(z.string().regex(/^[A-Z][a-z]{3}$/))
    .max(200)
    .optional(),
})
const Gpu = z.object({
  vendor: NameField,
  model: NameField,
  backend: NameField,
  memory_bytes: CountField,
  free_memory_bytes: CountField,
  driver_version: NameField,
  compute_capability: NameField,
})
const UnusableGpu = z.object({ model: NameField, reason: TextField })
export type UnusableGpu = z.output<typeof UnusableGpu>
const Host = z.object({
  hostname: NameField,
  os: NameField,
  arch: NameField,
  cpu_count: CountField,
  memory_bytes: CountField,
  /** Those that engines can use. */
  gpus: z.array(Gpu).max(64),
  /** Those that are present but cannot be used. Absent from older agents. */
  unusable_gpus: z.array(UnusableGpu).max(64).optional(),
})

export type DescribeRequest = { studio_version: string; features: string[] }
/** Describes an agent and its machine. */
export const DescriptionMessage = z.object({
  agent_version: lineField(64),
  features: z.array(lineField(64)).max(256),
  host: Host,
  capabilities: z.array(Capability).max(1000),
  generation: CountField,
  protocol: z.number().int().min(0).max(1000),
  instance: z.string().regex(/^[0-9a-f]{0,64}$/),
  /** Counts the changes of the installed models; a snapshot with another number asks for a new description. */
  inventory: CountField,
})
export type DescriptionMessage = z.output<typeof DescriptionMessage>
/** `host` is null only when the peer left it out. */
export type Description = Omit<DescriptionMessage, 'host'> & { host: DescriptionMessage['host'] | null }
export type CapabilityMessage = z.output<typeof Capability>
export type Gpu = z.output<typeof Gpu>

export const HELD_PHASES = ['loading', 'running', 'done', 'failed', 'cancelled'] as const
const HeldMessage = z.object({ attempt_id: IdField, task_id: IdField, epoch: CountField, phase: z.enum(HELD_PHASES), last_seq: CountField })
export type Held = z.output<typeof HeldMessage>
/** `interval_ms` 0 leaves the interval to the agent. */
export type WatchRequest = { interval_ms: number }
export const SnapshotMessage = z.object({
  held: z.array(HeldMessage).max(10_000),
  resident_models: z.array(NameField).max(1000),
  /** 0 when the agent cannot measure it; the same for the disk. */
  free_memory_bytes: CountField,
  free_disk_bytes: CountField,
  draining: z.boolean(),
  /** True if the receiver asked for the drain, and not the owner of the machine. */
  drain_requested: z.boolean().optional(),
  beat: CountField,
  inventory: CountField,
})
export type SnapshotMessage = z.output<typeof SnapshotMessage>
export type Snapshot = z.input<typeof SnapshotMessage>

const VerdictMessage = z.object({ attempt_id: IdField, epoch: CountField, committed: z.boolean() })
export const CommitMessage = z.object({ verdicts: z.array(VerdictMessage).max(10_000) })
export type CommitRequest = z.input<typeof CommitMessage>
export const ConsentMessage = z.object({ consent_id: z.string().max(64) })
export type ConsentRequest = z.input<typeof ConsentMessage>
export const FORGOTTEN_LIMIT = 256
export const ForgetVoicesMessage = z.object({
  sha256: z.array(z.instanceof(Uint8Array).refine(({ length }) => length === 32, 'is not a SHA-256')).max(FORGOTTEN_LIMIT),
})
/** `sha256`: of the recordings. */
export type ForgetVoicesRequest = z.input<typeof ForgetVoicesMessage>
export const DrainMessage = z.object({ drain: z.boolean(), deadline_ms: CountField.max(24 * 3600_000) })
export type DrainRequest = z.input<typeof DrainMessage>
/** Attempts that still run or are not committed. */
export type DrainReply = { held: number }
export const UnloadMessage = z.object({ engine: z.string().regex(/^([a-z0-9][a-z0-9._-]{0,63})?$/, 'is not the name of an engine') })
export type UnloadRequest = z.input<typeof UnloadMessage>
export const UnloadedMessage = z.object({ unloaded: z.array(NameField).max(1000), reason: TextField })
export type UnloadedMessage = z.output<typeof UnloadedMessage>
export type UnloadReply = z.input<typeof UnloadedMessage>

export const LOG_LIMITS = { lines: 1000, message: 2000, fields: 8192 }
/** `last`: how many of the existing lines, at most 1000; `follow`: then every new one. */
export const LogsMessage = z.object({ last: z.number().int().min(0).max(LOG_LIMITS.lines), follow: z.boolean() })
export type LogsRequest = z.input<typeof LogsMessage>
const LogFields = z.record(z.string(), z.unknown())
/** `at` in epoch milliseconds of the agent; 0 for a line about the log itself. */
export const LogLineMessage = z
  .object({
    at: MomentField,
    level: z.string().regex(/^[a-z]{1,10}$/),
    message: lineField(LOG_LIMITS.message),
    fields_json: z.string().max(LOG_LIMITS.fields),
  })
  .transform(({ fields_json, ...line }, context) => {
    const { data } = LogFields.safeParse(jsonOf(fields_json))
    if (data) return { ...line, fields: data }
    context.issues.push({ code: 'custom', message: 'is not a JSON object', path: ['fields_json'], input: fields_json })
    return z.NEVER
  })
export type LogLineMessage = z.output<typeof LogLineMessage>
export type LogLine = z.input<typeof LogLineMessage>

/** An id of the catalogue. The agent decides whether such a model exists. */
const ModelId = z
  .string()
  .regex(/^[A-Za-z0-9][A-Za-z0-9._-]{0,95}\/[A-Za-z0-9][A-Za-z0-9._-]{0,95}(:[a-z0-9]{1,16})?$/, 'is not the id of a model')
export const ModelMessage = z.object({ id: ModelId })
export type ModelRequest = z.input<typeof ModelMessage>
export const InstallMessage = z.object({ id: ModelId, consent_id: z.string().max(64), next: z.boolean().default(false) })
export type InstallRequest = z.input<typeof InstallMessage>
const Small = z.number().int().min(0).max(0xffff_ffff)
const OwnModelMessage = z.object({
  label: lineField(200),
  role: z.enum(['TTS', 'ASR']),
  engine: z.string().regex(/^[a-z0-9][a-z0-9._-]{0,63}$/),
  model: z.string().regex(/^own-[A-Za-z0-9][A-Za-z0-9._-]{0,59}$/),
})
export const PUT_BYTES = 256 * 1024
export const PutFileMessage = z.object({
  addition: z.string().regex(/^[0-9a-f]{32}$/),
  index: Small,
  /** OWN_LIMITS.nameLength of shared/models. */
  name: z.string().min(1).max(1000),
  offset: CountField,
  payload: z.instanceof(Uint8Array).refine((bytes) => bytes.length <= PUT_BYTES, 'is too large'),
  total: CountField,
  consent_id: z.string().max(64),
})
export type PutFileRequest = z.input<typeof PutFileMessage>
export const AddModelMessage = z.object({
  addition: z.string().regex(/^[0-9a-f]{32}$/),
  name: z.string().max(60),
  engine: z.string().max(64),
  consent_id: z.string().max(64),
})
export type AddModelRequest = z.input<typeof AddModelMessage>
const StoredModelMessage = z.object({
  id: ModelId,
  supported: z.boolean(),
  installed: z.boolean(),
  incomplete: z.boolean(),
  installing: z.boolean(),
  size_bytes: CountField,
  files: Small,
  own: OwnModelMessage.nullish(),
})
export type StoredModel = z.output<typeof StoredModelMessage>
export const InventoryMessage = z.object({ models: z.array(StoredModelMessage).max(1000) })
export type InventoryReply = z.input<typeof InventoryMessage>
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
/** A field that does not belong to the phase is '' or 0; see agent.proto. */
export const InstallEventMessage = z.object({
  phase: z.enum(INSTALL_PHASES),
  file: lineField(300),
  downloaded: CountField,
  total: CountField,
  rate: CountField,
  eta_seconds: Small,
  files_done: Small,
  files_total: Small,
  cached: CountField,
  attempt: Small,
  code: z
    .string()
    .regex(/^[A-Z_]{0,64}$/)
    .transform((code): string => code && saidCode(code, INSTALL_CODES)),
  message: TextField,
})
export type InstallEventMessage = z.output<typeof InstallEventMessage>
export type InstallEvent = z.input<typeof InstallEventMessage>
/** The fields of an event that carries nothing but its phase. */
export const EMPTY_INSTALL_EVENT: Readonly<Omit<InstallEvent, 'phase'>> = {
  file: '',
  downloaded: 0,
  total: 0,
  rate: 0,
  eta_seconds: 0,
  files_done: 0,
  files_total: 0,
  cached: 0,
  attempt: 0,
  code: '',
  message: '',
}
/** A text without a limit of its own is limited by the size of the message. */
export const IdentityMessage = z.object({
  worker_id: IdField,
  certificate_pem: z.string(),
  authority_pem: z.string(),
  studio_pins: z.array(z.string().regex(/^[0-9a-f]{64}$/)).max(16),
  studio_name: NameField,
  generation: CountField,
})
export type StopInstallReply = { stopped: boolean }
export type RemoveModelReply = { freed_bytes: number }

export type RedeemRequest = {
  token_id: string
  secret: string
  csr_pem: string
  name: string
  hostname: string
  os: string
  arch: string
  agent_version: string
  protocol: number
}
export type RenewRequest = { worker_id: string; csr_pem: string; generation: number; nonce: string }
export type Identity = z.output<typeof IdentityMessage>

function jsonOf(text: string): unknown {
  try {
    return cleanJson(parseJson(new TextEncoder().encode(text), { bytes: 4 * LOG_LIMITS.fields }), cleanLine)
  } catch {
    return null
  }
}
