// The methods of both services, one row each. The client, the server and their types derive from these tables; a row without a method in
// proto/, or the reverse, fails when the program starts.
import { join } from 'node:path'
import type { GrpcObject, MethodDefinition, ServiceClientConstructor, ServiceDefinition } from '@grpc/grpc-js'
import { loadPackageDefinition } from '@grpc/grpc-js'
import { loadSync, type MessageTypeDefinition } from '@grpc/proto-loader'
import type { Failure, FailureCode } from '#shared/protocol/failure.ts'
import type {
  AddModelRequest,
  CommitRequest,
  ConsentRequest,
  DescribeRequest,
  Description,
  DrainReply,
  DrainRequest,
  Empty,
  ForgetVoicesRequest,
  Identity,
  InstallEvent,
  InstallRequest,
  InventoryReply,
  LogLine,
  LogsRequest,
  ModelRequest,
  PutFileRequest,
  RedeemRequest,
  RemoveModelReply,
  RenewRequest,
  Snapshot,
  StopInstallReply,
  UnloadReply,
  UnloadRequest,
  WatchRequest,
} from '#shared/protocol/messages.ts'
import type { ExchangeInput, ExchangeOutput, InputWant, RunEvent, RunHeader, RunInput, RunOutput } from '#shared/protocol/run-messages.ts'
import { boundFields } from './transport/bounded.ts'

/**
 * `unary`: one request, one reply. `stream`: every message in order; a slow reader slows the server down. `latest`: as `stream`, but the
 * client keeps only the newest message for a slow reader. `run`: the two-way call of one attempt. `exchange`: of many.
 */
type Kind = 'unary' | 'stream' | 'latest' | 'run' | 'exchange'
type Method<K extends Kind, Request, Reply> = {
  readonly kind: K
  readonly types?: (request: Request) => Reply
  /** Of `latest`: the client accepts a message at most once in this time, in milliseconds, and slows a faster server down. */
  readonly spacingMs?: (request: Request) => number
}
type Methods = { readonly [name: string]: Method<Kind, never, unknown> }

const unary = <Request, Reply>(): Method<'unary', Request, Reply> => ({ kind: 'unary' })
const stream = <Request, Reply>(): Method<'stream', Request, Reply> => ({ kind: 'stream' })
const latest = <Request, Reply>(spacingMs: (request: Request) => number): Method<'latest', Request, Reply> => ({
  kind: 'latest',
  spacingMs,
})

/** A reply of type void is an empty message on the wire. */
export const AGENT_METHODS = {
  describe: unary<DescribeRequest, Description>(),
  /** A snapshot may come early, but a fast agent must not keep its studio busy: one a second for the usual interval of five. */
  watch: latest<WatchRequest, Snapshot>(({ interval_ms }) => interval_ms / 5),
  run: { kind: 'run' } as Method<'run', RunInput, RunOutput>,
  commit: unary<CommitRequest, void>(),
  consent: unary<ConsentRequest, void>(),
  /** Replies when the recordings are deleted and the engines were told. */
  forgetVoices: unary<ForgetVoicesRequest, void>(),
  drain: unary<DrainRequest, DrainReply>(),
  /** Replies when the new certificate is stored. */
  rotate: unary<Empty, void>(),
  /** Replies when the processes have ended. A busy engine stays loaded, and the reason says so. */
  unload: unary<UnloadRequest, UnloadReply>(),
  logs: stream<LogsRequest, LogLine>(),
  inventory: unary<Empty, InventoryReply>(),
  /** The last event reports how it ended. The installation continues when the call ends. */
  install: stream<InstallRequest, InstallEvent>(),
  stopInstall: unary<ModelRequest, StopInstallReply>(),
  removeModel: unary<ModelRequest, RemoveModelReply>(),
  putFile: unary<PutFileRequest, void>(),
  /** The last event reports how it ended. The work continues when the call ends. */
  addModel: stream<AddModelRequest, InstallEvent>(),
} as const satisfies Methods

/** Methods of the agent that the link itself calls and serves: another way for `run`. */
const LINK_METHODS = { exchange: { kind: 'exchange' } as Method<'exchange', ExchangeInput, ExchangeOutput> } as const satisfies Methods

export const ENROLMENT_METHODS = {
  redeem: unary<RedeemRequest, Identity>(),
  renew: unary<RenewRequest, Identity>(),
} as const satisfies Methods

/** One value per row of a table. */
export const mapMethods = <Table extends Methods, T>(table: Table, make: (name: keyof Table & string) => T) =>
  Object.fromEntries(Object.keys(table).map((name) => [name, make(name)])) as { [Name in keyof Table]: T }

type Implementation<M, Caller> =
  M extends Method<'run', infer _Request, infer _Reply>
    ? (call: ServedRun) => Promise<void>
    : M extends Method<'unary', infer Request, infer Reply>
      ? (request: Request, caller: Caller) => Promise<Reply>
      : M extends Method<'stream' | 'latest', infer Request, infer Reply>
        ? (request: Request, caller: Caller) => AsyncIterable<Reply>
        : never

type Call<M> =
  M extends Method<'run', infer _Request, infer _Reply>
    ? (header: RunHeader, reader: RunReader, options?: RunOptions) => RunCall
    : M extends Method<'unary', infer Request, infer Reply>
      ? (request: Request, timeoutMs?: number) => Promise<Reply>
      : M extends Method<'stream' | 'latest', infer Request, infer Reply>
        ? (request: Request, signal: AbortSignal) => AsyncIterable<Reply>
        : never

/** The caller of an agent. `pin`: SHA-256 of its key's SPKI, lower-case hex, checked before any method runs. */
export type Peer = { readonly pin: string; readonly signal: AbortSignal }

/**
 * The handlers of an agent. A thrown Failure reaches the studio with its code and message; anything else becomes UNKNOWN. A stream is
 * pulled only while its reader keeps up, and must end when `peer.signal` aborts. `run` ends its call when it settles.
 */
export type AgentService = { readonly [Name in keyof typeof AGENT_METHODS]: Implementation<(typeof AGENT_METHODS)[Name], Peer> }

/** The handlers of enrolment. `address` is for limits and the audit log, never for trust. A thrown Failure reaches the caller. */
export type EnrolmentService = {
  readonly [Name in keyof typeof ENROLMENT_METHODS]: Implementation<(typeof ENROLMENT_METHODS)[Name], { readonly address: string }>
}

/** The calls of a studio to one agent. A stream ends when its signal aborts and throws when the link is lost. Rejections are Failures. */
export type AgentCalls = { readonly [Name in keyof typeof AGENT_METHODS]: Call<(typeof AGENT_METHODS)[Name]> }

/** One connection to one agent. It never reconnects: a new socket is a new link. */
export type Link = AgentCalls & {
  readonly workerId: string
  readonly peerAddress: string
  readonly isOpen: boolean
  /** From now on, `run` shares one call for the attempts that fit. Only for agents with the feature `exchange`. */
  readonly openExchange: () => void
  /** Resolves when the agent has proven its key. Rejects when the connection ends first. */
  readonly proven: Promise<void>
  /** Resolves, once, with the reason. Never rejects. */
  readonly closed: Promise<Failure>
  /** Ends every call with the reason and frees the socket. A second close does nothing. */
  readonly close: (reason: Failure) => void
}

/** The agent that the studio expects: its certificate must name the worker and carry one of the pinned keys. */
export type ExpectedPeer = {
  readonly workerId: string
  readonly pins: ReadonlySet<string>
  /** The name in its certificate where it differs from the worker id: a listening machine serves many controllers under one name. */
  readonly subject?: string
}

/** One `run` at the agent, on a call of its own or on the exchange. The header arrived; otherwise the service would not have received it. */
export type ServedRun = {
  readonly peer: Peer
  readonly header: RunHeader
  /** Every input after the header. Ends with the call, never throws. */
  readonly inputs: AsyncIterable<RunInput>
  /** False when the reader is behind: await `drained()` before the next write. A write after the end is ignored. */
  readonly write: (output: RunOutput) => boolean
  /** Resolves when there is room again or the call is over. */
  readonly drained: () => Promise<void>
  /** Aborts when the call is over for any reason: ended, cancelled, link lost. */
  readonly signal: AbortSignal
  readonly end: () => void
  readonly fail: (code: FailureCode, message: string) => void
}

/** Callbacks rather than an iterator: `run` is the hot path. None of them may throw. */
export type RunReader = {
  readonly output: (events: RunEvent[]) => void
  /** The agent asks for the inputs of the task. */
  readonly wanted?: (want: InputWant) => void
  /** Last callback, exactly once: null when the agent ended the call without an error. */
  readonly end: (error: Failure | null) => void
}

/** `isLarge`: many output bytes are expected, so the run starts on a call of its own rather than moving there later. */
export type RunOptions = { readonly isLarge?: boolean }

export type RunCall = {
  /** False when the agent is behind. Only a sender of chunks has to wait; the other steps are few and small. Ignored after the end. */
  readonly write: (input: RunInput) => boolean
  /** Resolves when there is room again or the call is over. */
  readonly drained: () => Promise<void>
  /** No more inputs; outputs still arrive. */
  readonly end: () => void
  /** Ends the call at both ends; `reader.end` follows with CANCELLED. The work continues: write a cancel step to stop it. */
  readonly cancel: () => void
  /** Flow control then slows the agent down, so memory stays bounded. */
  readonly pause: () => void
  readonly resume: () => void
}

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
const find = (path: string): unknown => path.split('.').reduce<unknown>((from, name) => (from as GrpcObject)[name], loaded)
const serviceAt = (packageName: string, name: string): ServiceDefinition =>
  boundFields(
    (find(`${packageName}.${name}`) as ServiceClientConstructor).service,
    (message) => find(`${packageName}.${message}`) as MessageTypeDefinition<object, object>,
  )
export const agentDefinition = serviceAt('voice.agent.v1', 'Agent')
export const enrolmentDefinition = serviceAt('voice.enrolment.v1', 'Enrolment')

type Codec<M> = M extends Method<Kind, infer Request, infer Reply> ? MethodDefinition<Request, Reply> : never

/** The codecs and paths of a service by the names of its table. Throws when the table and the service have different methods. */
function codecsOf<Table extends Methods>(table: Table, service: ServiceDefinition) {
  const definitions = new Map(Object.values(service).map((method) => [method.originalName, method]))
  const rows = Object.entries(table).map(([name, { kind }]) => {
    const definition = definitions.get(name)
    if (definition?.requestStream !== (kind === 'run' || kind === 'exchange') || definition.responseStream !== (kind !== 'unary'))
      throw new Error(`The method ${name} has no counterpart in the proto file.`)
    return [name, definition]
  })
  if (rows.length !== definitions.size) throw new Error('A method of the proto file is missing in its table.')
  return Object.fromEntries(rows) as { readonly [Name in keyof Table]: Codec<Table[Name]> }
}
export const agentCodecs = codecsOf({ ...AGENT_METHODS, ...LINK_METHODS }, agentDefinition)
export const enrolmentCodecs = codecsOf(ENROLMENT_METHODS, enrolmentDefinition)
