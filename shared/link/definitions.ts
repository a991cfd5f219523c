// The words of the link: every message as it is on the wire, and what each end offers its own program. The services are loaded
// from proto/ once; the types are written by hand because they say more (unions, units) than generated ones and cost no build step.
import { join } from 'node:path'
import type { GrpcObject, ServiceClientConstructor, ServiceDefinition } from '@grpc/grpc-js'
import { loadPackageDefinition } from '@grpc/grpc-js'
import { loadSync, type MessageTypeDefinition } from '@grpc/proto-loader'
import type { Failure, FailureCode } from '#shared/protocol/failure.ts'
import { boundFields } from './bounded.ts'

/** Version of the meaning of agent.proto; both ends send it and refuse what they do not know. */
export const PROTOCOL_VERSION = 1
/** Of an agent that takes tasks with inputs. */
export const INPUTS_FEATURE = 'inputs'
/** The most bytes one message may have in either direction. */
export const MESSAGE_LIMIT_BYTES = 4 * 1024 * 1024

const loaded = loadPackageDefinition(
  loadSync(['voice/agent/v1/agent.proto', 'voice/enrolment/v1/enrolment.proto'], {
    includeDirs: [join(import.meta.dirname, '../../proto')],
    keepCase: true,
    longs: Number,
    enums: String,
    defaults: true,
    oneofs: true,
  }),
)
const at = (path: string): unknown => path.split('.').reduce<unknown>((from, name) => (from as GrpcObject)[name], loaded)
const serviceAt = (packaged: string, name: string): ServiceDefinition =>
  boundFields(
    (at(`${packaged}.${name}`) as ServiceClientConstructor).service,
    (message) => at(`${packaged}.${message}`) as MessageTypeDefinition<object, object>,
  )
export const agentDefinition = serviceAt('voice.agent.v1', 'Agent')
export const enrolmentDefinition = serviceAt('voice.enrolment.v1', 'Enrolment')

// A oneof arrives as its name (`step: 'header'`) beside the chosen field. Written messages may leave the name out, the types ask for it
// so that one type serves both directions.
type OneOf<Name extends string, Choices> = { [K in keyof Choices & string]: { [N in Name]: K } & { [F in K]: Choices[K] } }[keyof Choices &
  string]
export type Empty = Record<string, never>

export type DescribeRequest = { studio_version: string; features: string[] }
export type Description = {
  agent_version: string
  features: string[]
  /** Null only when a peer left it out. */
  host: Host | null
  capabilities: Capability[]
  generation: number
  protocol: number
  instance: string
  /** Counts the changes of the models here; a snapshot with another number asks for a new description. */
  inventory: number
}
export type Host = { hostname: string; os: string; arch: string; cpu_count: number; memory_bytes: number; gpus: Gpu[] }
export type Gpu = {
  vendor: string
  model: string
  backend: string
  memory_bytes: number
  free_memory_bytes: number
  driver_version: string
  compute_capability: string
}
export type Capability = {
  engine: string
  model: string
  operation: string
  implementation: string
  /** Empty when the named engine itself runs. */
  stands_in: string
  languages: string[]
  voices: Voice[]
  cloning: boolean
  supported: boolean
  installed: boolean
  downloaded: boolean
  device: string
  /** Hz; 0 when there is no audio. */
  sample_rate: number
  permits: number
  /** Lower-case hex; empty when not downloaded. */
  model_digest: string
  /** What loading the model takes; 0 when that is not known. */
  memory_bytes: number
}
export type Voice = { id: string; name: string; language: string }

export type WatchRequest = { interval_ms: number }
export type Snapshot = {
  held: Held[]
  resident_models: string[]
  /** 0 when the agent cannot tell; the same for the disk. */
  free_memory_bytes: number
  free_disk_bytes: number
  draining: boolean
  beat: number
  inventory: number
}
export type Held = { attempt_id: string; task_id: string; epoch: number; phase: string; last_seq: number }

export type RunInput = OneOf<'step', { header: RunHeader; cancel: Empty; commit: Empty; input: InputChunk }>
/** At most 256 KiB of payload. */
export type InputChunk = { name: string; offset: number; payload: Buffer }
/** `sha256`: 32 bytes. */
export type InputRef = { name: string; size: number; sha256: Uint8Array }
/** Where the agent wants the inputs from, in the order of the header. */
export type InputWant = { name: string; offset: number }
export type RunHeader = {
  task_id: string
  attempt_id: string
  epoch: number
  engine: string
  model: string
  operation: string
  model_digest: string
  /** UTF-8 JSON. */
  params_json: Buffer
  consent_id: string
  /** Budget left when the header was written. */
  deadline_ms_left: number
  /** The newest event the studio has; 0 from the start. */
  from_seq: number
  traceparent: string
  inputs: InputRef[]
}
/** `wanted`: the agent asks for the inputs, at most once per call. */
export type RunOutput = { events: RunEvent[]; wanted?: InputWant | null }
export type RunEvent = { seq: number } & OneOf<'fact', Facts>
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
export type CommitRequest = { verdicts: ProbeResult[] }
export type ProbeResult = { attempt_id: string; epoch: number; committed: boolean }
export type ConsentRequest = { consent_id: string }
export type DrainRequest = { drain: boolean; deadline_ms: number }
export type DrainReply = { held: number }
export type UnloadRequest = { engine: string }
export type UnloadReply = { unloaded: string[]; reason: string }
/** `last`: at most 1000 of the lines so far; `follow`: and then every new one. */
export type LogsRequest = { last: number; follow: boolean }
/** `at` in epoch milliseconds of the agent; `fields_json` is a JSON object. */
export type LogLine = { at: number; level: string; message: string; fields_json: string }

export type StoredModel = {
  id: string
  supported: boolean
  installed: boolean
  incomplete: boolean
  installing: boolean
  size_bytes: number
  files: number
}
export type InventoryReply = { models: StoredModel[] }
export type ModelRequest = { id: string }
export type InstallRequest = { id: string; consent_id: string }
/** What does not belong to the phase is '' or 0; see agent.proto. */
export type InstallEvent = {
  phase: string
  file: string
  downloaded: number
  total: number
  rate: number
  eta_seconds: number
  files_done: number
  files_total: number
  cached: number
  attempt: number
  code: string
  message: string
}
/** What of an event the phase does not tell. */
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
export type Identity = {
  worker_id: string
  certificate_pem: string
  authority_pem: string
  studio_pins: string[]
  studio_name: string
  generation: number
}

/** The caller as the agent knows it. `pin`: SHA-256 of its key's SPKI, lower-case hex, checked before any method is entered. */
export type Peer = { readonly pin: string; readonly signal: AbortSignal }

/** What an agent answers. A thrown Failure reaches the studio with its code and message; anything else becomes UNKNOWN. */
export type AgentService = {
  readonly describe: (request: DescribeRequest, peer: Peer) => Promise<Description>
  /** Pulled only while the reader keeps up: a slow one misses snapshots. Must end when `peer.signal` aborts. */
  readonly watch: (request: WatchRequest, peer: Peer) => AsyncIterable<Snapshot>
  /** The call ends when it settles, if it has not ended before; a rejection becomes the status of the call. */
  readonly run: (call: ServedRun) => Promise<void>
  readonly commit: (request: CommitRequest, peer: Peer) => Promise<void>
  readonly consent: (request: ConsentRequest, peer: Peer) => Promise<void>
  readonly drain: (request: DrainRequest, peer: Peer) => Promise<DrainReply>
  /** Answers when the new certificate is kept. */
  readonly rotate: (request: Empty, peer: Peer) => Promise<void>
  /** Answers when the processes are gone. An engine at work stays, and the reason says so. */
  readonly unload: (request: UnloadRequest, peer: Peer) => Promise<UnloadReply>
  /** Pulled only while the reader keeps up. Must end when `peer.signal` aborts. */
  readonly logs: (request: LogsRequest, peer: Peer) => AsyncIterable<LogLine>
  readonly inventory: (request: Empty, peer: Peer) => Promise<InventoryReply>
  /** The last event tells how it ended. Must end when `peer.signal` aborts; the installation goes on. */
  readonly install: (request: InstallRequest, peer: Peer) => AsyncIterable<InstallEvent>
  readonly stopInstall: (request: ModelRequest, peer: Peer) => Promise<StopInstallReply>
  readonly removeModel: (request: ModelRequest, peer: Peer) => Promise<RemoveModelReply>
}

/** One `Run` call at the agent. The first input is a header, or the call was refused before the service saw it. */
export type ServedRun = {
  readonly peer: Peer
  readonly header: RunHeader
  /** Whatever follows the header; ends with the call, never throws. */
  readonly inputs: AsyncIterable<RunInput>
  /** False: the reader is behind, await `drained()` before the next. Writing after the end is ignored. */
  readonly write: (output: RunOutput) => boolean
  /** Resolves when there is room again or the call is over. */
  readonly drained: () => Promise<void>
  /** Aborts when the call is over for any reason: ended, cancelled, link lost. */
  readonly signal: AbortSignal
  readonly end: () => void
  readonly fail: (code: FailureCode, message: string) => void
}

/** Who answers the enrolment calls. `address` is for limits and the audit log, never for trust. A thrown Failure reaches the caller. */
export type EnrolmentService = {
  readonly redeem: (request: RedeemRequest, from: { readonly address: string }) => Promise<Identity>
  readonly renew: (request: RenewRequest, from: { readonly address: string }) => Promise<Identity>
}

/** Whom the studio expects at the other end; the certificate must name the worker and carry one of the pinned keys. */
export type ExpectedPeer = {
  readonly workerId: string
  readonly pins: ReadonlySet<string>
  /** The name in its certificate, where that is not the id the studio knows it by: a machine that listens serves many panels. */
  readonly subject?: string
}

/** One connection to one agent. It never comes back: a new socket is a new link. Every rejection is a Failure. */
export type Link = {
  readonly workerId: string
  readonly peerAddress: string
  readonly isOpen: boolean
  /** Resolves, once, with the reason. Never rejects. */
  readonly closed: Promise<Failure>
  readonly describe: (request: DescribeRequest, timeoutMs?: number) => Promise<Description>
  /** Ends when the signal aborts; throws when the link is lost. Only the newest snapshot is kept for a slow reader. */
  readonly watch: (request: WatchRequest, signal: AbortSignal) => AsyncIterable<Snapshot>
  readonly run: (header: RunHeader, reader: RunReader) => RunCall
  readonly commit: (request: CommitRequest, timeoutMs?: number) => Promise<void>
  readonly consent: (request: ConsentRequest, timeoutMs?: number) => Promise<void>
  readonly drain: (request: DrainRequest, timeoutMs?: number) => Promise<DrainReply>
  readonly rotate: (timeoutMs?: number) => Promise<void>
  readonly unload: (request: UnloadRequest, timeoutMs?: number) => Promise<UnloadReply>
  /** Every line, in order; a slow reader slows the agent. Ends when the signal aborts; throws when the link is lost. */
  readonly logs: (request: LogsRequest, signal: AbortSignal) => AsyncIterable<LogLine>
  readonly inventory: (timeoutMs?: number) => Promise<InventoryReply>
  /** Every event, in order. Ends when the signal aborts; throws when the link is lost. The installation goes on either way. */
  readonly install: (request: InstallRequest, signal: AbortSignal) => AsyncIterable<InstallEvent>
  readonly stopInstall: (request: ModelRequest, timeoutMs?: number) => Promise<StopInstallReply>
  readonly removeModel: (request: ModelRequest, timeoutMs?: number) => Promise<RemoveModelReply>
  /** Ends every call with the reason and frees the socket. Closing twice is nothing. */
  readonly close: (reason: Failure) => void
}

/** Callbacks rather than an iterator: `Run` is the hot path. None of them may throw. */
export type RunReader = {
  readonly output: (events: RunEvent[]) => void
  /** The agent asks for the inputs of the task. */
  readonly wanted?: (want: InputWant) => void
  /** Last callback, exactly once: null when the agent ended the call in peace. */
  readonly end: (error: Failure | null) => void
}

export type RunCall = {
  /** False: the agent is behind. Only who sends chunks has to wait, the other steps are few and small; after the end they are ignored. */
  readonly write: (input: RunInput) => boolean
  /** Resolves when there is room again or the call is over. */
  readonly drained: () => Promise<void>
  /** No more inputs; outputs still come. */
  readonly end: () => void
  /** Tears the call down here and there; `end` follows with CANCELLED. It does not stop the work: write a cancel step for that. */
  readonly cancel: () => void
  /** A slow consumer pauses; the agent is then slowed by flow control, memory stays bounded. */
  readonly pause: () => void
  readonly resume: () => void
}
