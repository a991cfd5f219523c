// The methods of both services as programs call and serve them. Names, messages and streams come from proto/; only a method that is more than
// a reply or a stream of replies is named here.
import { join } from 'node:path'
import type { GrpcObject, MethodDefinition, ServiceClientConstructor, ServiceDefinition } from '@grpc/grpc-js'
import { loadPackageDefinition } from '@grpc/grpc-js'
import { loadSync, type MessageTypeDefinition } from '@grpc/proto-loader'
import type { Failure, FailureCode } from '#shared/protocol/failure.ts'
import type { AgentRpcs, EnrolmentRpcs, Wire } from '#shared/protocol/generated/wire.ts'
import { boundFields } from './transport/bounded.ts'

/** A method of the agent. The link itself calls and serves `exchange`: another way for `run`. */
export type AgentMethod = Exclude<keyof AgentRpcs, 'exchange'>
/**
 * `unary`: one request, one reply. `stream`: every message in order; a slow reader slows the server down. `latest`: as `stream`, but the
 * client keeps only the newest message for a slow reader, accepts a message at most once in `spacingMs` milliseconds and slows a faster
 * server down. `run`: the two-way call of one attempt.
 */
type Kind =
  | { readonly kind: 'unary' | 'stream' | 'run'; readonly spacingMs?: never }
  | { readonly kind: 'latest'; readonly spacingMs: (request: never) => number }

const AGENT_KINDS: { readonly [Name in AgentMethod]?: Kind } = {
  /** A snapshot may come early, but a fast agent must not keep its studio busy: one a second for the usual interval of five. */
  watch: { kind: 'latest', spacingMs: ({ interval_ms }: Wire<'WatchRequest'>) => interval_ms / 5 },
  run: { kind: 'run' },
}

type Unary = { streams: 'none' }
type Streaming = { streams: 'reply' }
type Rpc = { streams: string; request: unknown; reply: unknown }

type Implementation<M extends Rpc, Caller> = M extends Unary
  ? (request: M['request'], caller: Caller) => Promise<M['reply']>
  : M extends Streaming
    ? (request: M['request'], caller: Caller) => AsyncIterable<M['reply']>
    : (call: ServedRun) => Promise<void>

type Call<M extends Rpc> = M extends Unary
  ? (request: M['request'], timeoutMs?: number) => Promise<M['reply']>
  : M extends Streaming
    ? (request: M['request'], signal: AbortSignal) => AsyncIterable<M['reply']>
    : (header: Wire<'RunHeader'>, reader: RunReader, options?: RunOptions) => RunCall

/** The caller of an agent. `pin`: SHA-256 of its key's SPKI, lower-case hex, checked before any method runs. */
export type Peer = { readonly pin: string; readonly signal: AbortSignal }

/**
 * The handlers of an agent. A thrown Failure reaches the studio with its code and message; anything else becomes UNKNOWN. A stream is
 * pulled only while its reader keeps up, and must end when `peer.signal` aborts. `run` ends its call when it settles.
 */
export type AgentService = { readonly [Name in AgentMethod]: Implementation<AgentRpcs[Name], Peer> }

/** The handlers of enrolment. `address` is for limits and the audit log, never for trust. A thrown Failure reaches the caller. */
export type EnrolmentService = {
  readonly [Name in keyof EnrolmentRpcs]: Implementation<EnrolmentRpcs[Name], { readonly address: string }>
}

/** The calls of a studio to one agent. A stream ends when its signal aborts and throws when the link is lost. Rejections are Failures. */
export type AgentCalls = { readonly [Name in AgentMethod]: Call<AgentRpcs[Name]> }

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
  readonly header: Wire<'RunHeader'>
  /** Every input after the header. Ends with the call, never throws. */
  readonly inputs: AsyncIterable<Wire<'RunInput'>>
  /** False when the reader is behind: await `drained()` before the next write. A write after the end is ignored. */
  readonly write: (output: Wire<'RunOutput'>) => boolean
  /** Resolves when there is room again or the call is over. */
  readonly drained: () => Promise<void>
  /** Aborts when the call is over for any reason: ended, cancelled, link lost. */
  readonly signal: AbortSignal
  readonly end: () => void
  readonly fail: (code: FailureCode, message: string) => void
}

/** Callbacks rather than an iterator: `run` is the hot path. None of them may throw. */
export type RunReader = {
  readonly output: (events: Wire<'Event'>[]) => void
  /** The agent asks for the inputs of the task. */
  readonly wanted?: (want: Wire<'InputWant'>) => void
  /** Last callback, exactly once: null when the agent ended the call without an error. */
  readonly end: (error: Failure | null) => void
}

/** `isLarge`: many output bytes are expected, so the run starts on a call of its own rather than moving there later. */
export type RunOptions = { readonly isLarge?: boolean }

export type RunCall = {
  /** False when the agent is behind. Only a sender of chunks has to wait; the other steps are few and small. Ignored after the end. */
  readonly write: (input: Wire<'RunInput'>) => boolean
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

type Codecs<Rpcs extends Record<keyof Rpcs, Rpc>> = {
  readonly [Name in keyof Rpcs]: MethodDefinition<Rpcs[Name]['request'], Rpcs[Name]['reply']>
}
/** The codecs and paths of a service by the names of its methods. */
const codecsOf = (service: ServiceDefinition) =>
  Object.fromEntries(Object.values(service).map((method) => [method.originalName, method])) as unknown
export const agentCodecs = codecsOf(agentDefinition) as Codecs<AgentRpcs>
export const enrolmentCodecs = codecsOf(enrolmentDefinition) as Codecs<EnrolmentRpcs>

/** One value for each method of the agent. */
export function mapAgentMethods<T>(make: (name: AgentMethod, kind: Kind) => T): { readonly [Name in AgentMethod]: T } {
  const { exchange: _, ...codecs } = agentCodecs
  const names = Object.keys(codecs) as AgentMethod[]
  const kindOf = (name: AgentMethod): Kind => AGENT_KINDS[name] ?? { kind: codecs[name].responseStream ? 'stream' : 'unary' }
  return Object.fromEntries(names.map((name) => [name, make(name, kindOf(name))])) as { readonly [Name in AgentMethod]: T }
}
/** One value for each method of enrolment. */
export const mapEnrolmentMethods = <T>(make: (name: keyof EnrolmentService) => T) =>
  Object.fromEntries(Object.keys(enrolmentCodecs).map((name) => [name, make(name as keyof EnrolmentService)])) as {
    [Name in keyof EnrolmentService]: T
  }
