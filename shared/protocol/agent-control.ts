// The requests of this machine's owner to its agent, from the web page and the command line over a private socket
// (shared/link/agent-control.ts). The process that owns the socket is the lending agent: the daemon, or the studio's own agent.
import { z } from 'zod'
import { characters } from './fields/characters.ts'

/** Times are epoch seconds. */
export const LendingView = z.object({
  /** The owner's switch. */
  enabled: z.boolean(),
  /** A studio has accepted the current session. */
  connected: z.boolean(),
  /** The studio may send text and audio here; null while it is unknown. Absent from an agent of version 0.5.0 or older. */
  approved: z.boolean().nullable().optional(),
  enrolled: z.boolean(),
  worker_id: z.string(),
  studio_name: z.string(),
  /** host:port of the studio; empty before the first join. */
  endpoint: z.string(),
  last_error: z.string(),
  /** Set by STUDIO_WORKER_MODE: the switch cannot be changed. */
  pinned: z.boolean(),
  /** Finishing held attempts, accepting no new ones. */
  draining: z.boolean(),
  /** Attempts held for the studio. */
  held: z.int(),
  /** True for the daemon, false for the studio's own agent. */
  daemon: z.boolean(),
  pid: z.int(),
})
export type LendingView = z.output<typeof LendingView>

const Key = z.object({
  key_id: z.string(),
  label: z.string(),
  created_at: z.number(),
  last_seen_at: z.number(),
  last_seen_peer: z.string(),
  revoked: z.boolean(),
  /** The id of its controller once the key is bound; empty before. */
  worker_id: z.string(),
})
const InboundSession = z.object({
  session_id: z.string(),
  key_id: z.string(),
  label: z.string(),
  peer: z.string(),
  connected_at: z.number(),
  tasks_run: z.int(),
})
const InboundEvent = z.object({
  at: z.number(),
  kind: z.enum(['connected', 'disconnected', 'kicked', 'rejected']),
  label: z.string(),
  peer: z.string(),
  detail: z.string(),
})
export const InboundView = z.object({
  enabled: z.boolean(),
  running: z.boolean(),
  bind: z.string(),
  port: z.int(),
  /** Other machines can reach it. */
  exposed: z.boolean(),
  startup_error: z.string().nullable(),
  /** Empty before the first start. */
  tls_fingerprint: z.string(),
  keys: z.array(Key),
  sessions: z.array(InboundSession),
  /** Newest first, the last 200. */
  events: z.array(InboundEvent),
})
export type InboundView = z.output<typeof InboundView>
export const IssuedKey = z.object({
  key_id: z.string(),
  label: z.string(),
  connection_string: z.string(),
  exposed: z.boolean(),
  shown_once: z.literal(true),
})
export type IssuedKey = z.output<typeof IssuedKey>

/** The disk space that other studios may use for models, in bytes. */
export const SpaceView = z.object({
  /** Null when neither the owner chose it nor the free space is known. */
  limit_bytes: z.number().nullable(),
  /** The owner chose it; otherwise it is half of what would be free without these models. */
  chosen: z.boolean(),
  /** Limit for one studio. */
  share_bytes: z.number().nullable(),
  used_bytes: z.number(),
  /** Bytes of files of models that a studio may send at a time; 0 for none, as with an older agent. */
  files_bytes: z.number().default(0),
})
export type SpaceView = z.output<typeof SpaceView>

const NoFields = z.strictObject({})
const textUpTo = (max: number) => z.string().max(max)
/** Method -> its request and reply. A refusal is a Failure whose message is for people. */
export const AGENT_CONTROL = {
  status: { request: NoFields, reply: LendingView },
  /** Redeems the code and waits until the studio accepts the session (20 s). On failure the earlier enrolment stays in use. */
  join: { request: z.strictObject({ code: textUpTo(4096) }), reply: LendingView },
  lend: { request: z.strictObject({ enabled: z.boolean() }), reply: LendingView },
  /** Accepts no new work, finishes held attempts, then stops lending. Replies at once. */
  finish: { request: NoFields, reply: LendingView },
  /** Stops lending and deletes the enrolment and its key. */
  leave: { request: NoFields, reply: LendingView },
  space: { request: NoFields, reply: SpaceView },
  /** Null: half of the free space. Models that are there already stay. */
  lendSpace: { request: z.strictObject({ bytes: z.int().min(0).nullable() }), reply: SpaceView },
  /** Bytes of files of models that a studio may send at a time; 0 for none. */
  lendFiles: { request: z.strictObject({ bytes: z.int().min(0) }), reply: SpaceView },
  /** Removes the models of other studios that are not in use. */
  clearSpace: { request: NoFields, reply: SpaceView.extend({ freed_bytes: z.number() }) },
  inbound: { request: NoFields, reply: InboundView },
  /** Empty bind and port 0 keep the stored values. */
  listen: { request: z.strictObject({ enabled: z.boolean(), bind: textUpTo(253), port: z.int().min(0).max(65_535) }), reply: InboundView },
  issueKey: { request: z.strictObject({ label: characters(64) }), reply: IssuedKey },
  revokeKey: { request: z.strictObject({ key_id: textUpTo(64) }), reply: InboundView },
  disconnect: { request: z.strictObject({ session_id: textUpTo(64) }), reply: InboundView },
} as const

export type ControlMethod = keyof typeof AGENT_CONTROL
/** The file that names the pipe of an agent on Windows, and has the key that both ends prove. */
export const ControlPipe = z.strictObject({
  pipe: z.string().regex(/^voice-studio-[0-9a-f]{64}$/),
  key: z.string().regex(/^[0-9a-f]{64}$/),
})
export type ControlPipe = z.output<typeof ControlPipe>

/** One line in each direction. The row of the method parses the request and the reply. */
export const QuestionLine = z.object({ question: z.string().max(64), request: z.unknown().optional() })
export const AnswerLine = z.object({
  reply: z.unknown().optional(),
  failure: z.object({ code: z.string(), message: z.string() }).optional(),
})
export const isControlMethod = (method: string): method is ControlMethod => Object.hasOwn(AGENT_CONTROL, method)
export type ControlRequest<Q extends ControlMethod> = z.output<(typeof AGENT_CONTROL)[Q]['request']>
export type ControlReply<Q extends ControlMethod> = z.output<(typeof AGENT_CONTROL)[Q]['reply']>
/** Implemented by the owner of the socket and by its client. Rejects with a Failure. */
export type AgentControl = { readonly [Q in ControlMethod]: (request: ControlRequest<Q>) => Promise<ControlReply<Q>> }

/**
 * Server that an agent downloads models from. The studio changes it at run time for its own agent, over the private channel between parent
 * and child; a running download keeps its server.
 */
export const DownloadSource = z.object({
  /** Server with the layout of the Hugging Face hub. */
  url: z.url().max(2048),
  token: z.string().max(512).nullable(),
  /** The server that the token belongs to. No other origin receives it, `url` included. */
  tokenUrl: z.url().max(2048),
})
export type DownloadSource = z.output<typeof DownloadSource>

/** The message that carries it; also a part of the invitation. */
export const SourceMessage = z.object({ downloadSource: DownloadSource })

/** The proxies of the studio for its own agent, as the variables that Node reads; empty without any. They may contain passwords. */
export const ProxyEnvironment = z.partialRecord(
  z.enum(['HTTP_PROXY', 'HTTPS_PROXY', 'NO_PROXY', 'NODE_USE_ENV_PROXY']),
  z.string().max(4096),
)
export type ProxyEnvironment = z.output<typeof ProxyEnvironment>
/** The message that carries them, on the same channel and in the invitation. */
export const ProxyMessage = z.object({ proxies: ProxyEnvironment })
/** The message that ends the studio's own agent as SIGTERM does; Windows has no signals that a program can handle. On the same channel. */
export const FinishMessage = z.object({ finish: z.literal(true) })
export type FinishMessage = z.output<typeof FinishMessage>
