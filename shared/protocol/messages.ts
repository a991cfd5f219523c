// The schemas that a program applies to the decoded messages of both services, except those of a run. Protobuf checks neither lengths nor
// ranges, and neither program trusts its peer. The compiler requires a row for each field of the message.
import { z } from 'zod'
import { cleanJson, cleanLine, lineField } from './fields/clean-text.ts'
import { INSTALL_CODES, saidCode } from './fields/peer-codes.ts'
import type { Wire } from './generated/wire.ts'
import { parseJson } from './json.ts'
import { CountField, fields, IdField, MomentField, NameField, TextField } from './message-fields.ts'

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

const Voice = fields<'Voice'>()({
  id: NameField,
  name: NameField,
  language: lineField(32),
  /** Languages in which it speaks when a task names no voice: `*` for all, '' for a task without a language. */
  default_for: z.array(lineField(32)).max(64).optional(),
})
const Capability = fields<'Capability'>()({
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
/** Machines of a pool in its description. */
export const POOL_MACHINES = 5_000
const Gpu = fields<'Gpu'>()({
  vendor: NameField,
  model: NameField,
  backend: NameField,
  memory_bytes: CountField,
  free_memory_bytes: CountField,
  driver_version: NameField,
  compute_capability: NameField,
})
const UnusableGpu = fields<'UnusableGpu'>()({
  model: NameField,
  reason: TextField,
  /** A code of gpu-causes.ts, of this version or another one. Like the fix it is empty from older agents. */
  code: NameField.default(''),
  fix: TextField.default(''),
})
export type UnusableGpu = z.output<typeof UnusableGpu>
const Host = fields<'Host'>()({
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

const PoolMachine = fields<'PoolMachine'>()({
  name: NameField,
  gpu: NameField,
  version: lineField(64),
  state: z.enum(['ready', 'busy', 'draining', 'offline']).catch('offline'),
  permits: CountField.max(10_000),
  busy: CountField.max(10_000),
})
const Pool = fields<'Pool'>()({
  name: NameField,
  operator: NameField,
  contact: NameField,
  places: z.array(NameField).max(64),
  reads_inputs: z.boolean(),
  keeps: NameField,
  machines: z.array(PoolMachine).max(POOL_MACHINES),
})
export type PoolMessage = z.output<typeof Pool>
const PoolUse = fields<'PoolUse'>()({ own: CountField, others: CountField, free: CountField, studios: CountField, wait_ms: CountField })
export type PoolUseMessage = z.output<typeof PoolUse>

/** Describes an agent and its machine. */
export const DescriptionMessage = fields<'Description'>()({
  agent_version: lineField(64),
  features: z.array(lineField(64)).max(256),
  host: Host,
  capabilities: z.array(Capability).max(1000),
  generation: CountField,
  protocol: z.number().int().min(0).max(1000),
  instance: z.string().regex(/^[0-9a-f]{0,64}$/),
  /** Counts the changes of the installed models; a snapshot with another number asks for a new description. */
  inventory: CountField,
  /** Absent from a single machine. */
  pool: Pool.nullish(),
})
export type DescriptionMessage = z.output<typeof DescriptionMessage>
export type CapabilityMessage = z.output<typeof Capability>
export type Gpu = z.output<typeof Gpu>

export const HELD_PHASES = ['loading', 'running', 'done', 'failed', 'cancelled'] as const
const HeldMessage = fields<'Held'>()({
  attempt_id: IdField,
  task_id: IdField,
  epoch: CountField,
  phase: z.enum(HELD_PHASES),
  last_seq: CountField,
})
export type Held = z.output<typeof HeldMessage>
export const SnapshotMessage = fields<'Snapshot'>()({
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
  /** Absent from a single machine. */
  pool: PoolUse.nullish(),
})
export type SnapshotMessage = z.output<typeof SnapshotMessage>

const VerdictMessage = fields<'Verdict'>()({ attempt_id: IdField, epoch: CountField, committed: z.boolean() })
export const CommitMessage = fields<'CommitRequest'>()({ verdicts: z.array(VerdictMessage).max(10_000) })
export const ConsentMessage = fields<'ConsentRequest'>()({ consent_id: z.string().max(64) })
export const FORGOTTEN_LIMIT = 256
export const ForgetVoicesMessage = fields<'ForgetVoicesRequest'>()({
  sha256: z.array(z.instanceof(Uint8Array).refine(({ length }) => length === 32, 'is not a SHA-256')).max(FORGOTTEN_LIMIT),
})
export const DrainMessage = fields<'DrainRequest'>()({ drain: z.boolean(), deadline_ms: CountField.max(24 * 3600_000) })
export const UnloadMessage = fields<'UnloadRequest'>()({
  engine: z.string().regex(/^([a-z0-9][a-z0-9._-]{0,63})?$/, 'is not the name of an engine'),
})
export const UnloadedMessage = fields<'UnloadReply'>()({ unloaded: z.array(NameField).max(1000), reason: TextField })
export type UnloadedMessage = z.output<typeof UnloadedMessage>

export const LOG_LIMITS = { lines: 1000, message: 2000, fields: 8192 }
/** `last`: how many of the existing lines, at most 1000; `follow`: then every new one. */
export const LogsMessage = fields<'LogsRequest'>()({ last: z.number().int().min(0).max(LOG_LIMITS.lines), follow: z.boolean() })
const LogFields = z.record(z.string(), z.unknown())
/** `at` in epoch milliseconds of the agent; 0 for a line about the log itself. */
export const LogLineMessage = fields<'LogLine'>()({
  at: MomentField,
  level: z.string().regex(/^[a-z]{1,10}$/),
  message: lineField(LOG_LIMITS.message),
  fields_json: z.string().max(LOG_LIMITS.fields),
}).transform(({ fields_json, ...line }, context) => {
  const { data } = LogFields.safeParse(jsonOf(fields_json))
  if (data) return { ...line, fields: data }
  context.issues.push({ code: 'custom', message: 'is not a JSON object', path: ['fields_json'], input: fields_json })
  return z.NEVER
})
export type LogLineMessage = z.output<typeof LogLineMessage>

/** An id of the catalogue. The agent decides whether such a model exists. */
const ModelId = z
  .string()
  .regex(/^[A-Za-z0-9][A-Za-z0-9._-]{0,95}\/[A-Za-z0-9][A-Za-z0-9._-]{0,95}(:[a-z0-9]{1,16})?$/, 'is not the id of a model')
export const ModelMessage = fields<'ModelRequest'>()({ id: ModelId })
export const InstallMessage = fields<'InstallRequest'>()({ id: ModelId, consent_id: z.string().max(64), next: z.boolean().default(false) })
const Small = z.number().int().min(0).max(0xffff_ffff)
const OwnModelMessage = fields<'OwnModel'>()({
  label: lineField(200),
  role: z.enum(['TTS', 'ASR']),
  engine: z.string().regex(/^[a-z0-9][a-z0-9._-]{0,63}$/),
  model: z.string().regex(/^own-[A-Za-z0-9][A-Za-z0-9._-]{0,59}$/),
})
export const PUT_BYTES = 256 * 1024
export const PutFileMessage = fields<'PutFileRequest'>()({
  addition: z.string().regex(/^[0-9a-f]{32}$/),
  index: Small,
  /** OWN_LIMITS.nameLength of shared/models. */
  name: z.string().min(1).max(1000),
  offset: CountField,
  payload: z.instanceof(Uint8Array).refine((bytes) => bytes.length <= PUT_BYTES, 'is too large'),
  total: CountField,
  consent_id: z.string().max(64),
})
export const AddModelMessage = fields<'AddModelRequest'>()({
  addition: z.string().regex(/^[0-9a-f]{32}$/),
  name: z.string().max(60),
  engine: z.string().max(64),
  consent_id: z.string().max(64),
})
const StoredModelMessage = fields<'StoredModel'>()({
  id: ModelId,
  supported: z.boolean(),
  installed: z.boolean(),
  incomplete: z.boolean(),
  installing: z.boolean(),
  size_bytes: CountField,
  files: Small,
  own: OwnModelMessage.nullish(),
})
export const InventoryMessage = fields<'InventoryReply'>()({ models: z.array(StoredModelMessage).max(1000) })
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
export const InstallEventMessage = fields<'InstallEvent'>()({
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
/** The fields of an event that carries nothing but its phase. */
export const EMPTY_INSTALL_EVENT: Readonly<Omit<Wire<'InstallEvent'>, 'phase'>> = {
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
/** Addresses that a studio announces to its machines. */
export const ENDPOINT_LIMITS = { count: 4, chars: 262 }
/** A text without a limit of its own is limited by the size of the message. */
export const IdentityMessage = fields<'Identity'>()({
  worker_id: IdField,
  certificate_pem: z.string(),
  authority_pem: z.string(),
  studio_pins: z.array(z.string().regex(/^[0-9a-f]{64}$/)).max(16),
  studio_name: NameField,
  generation: CountField,
  /** Absent from older studios. */
  endpoints: z.array(lineField(ENDPOINT_LIMITS.chars)).max(ENDPOINT_LIMITS.count).default([]),
})

function jsonOf(text: string): unknown {
  try {
    return cleanJson(parseJson(new TextEncoder().encode(text), { bytes: 4 * LOG_LIMITS.fields }), cleanLine)
  } catch {
    return null
  }
}
