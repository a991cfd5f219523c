// What may be asked of the agent that runs on this very machine, by its owner: the panel of the same machine and the command line ask
// over a private socket (shared/link/agent-control.ts). Whichever process owns the socket is this machine's lending agent: the headless
// daemon, or the studio's own agent.
import { z } from 'zod'

/** Moments are epoch seconds. */
export const LendingView = z.object({
  /** The owner wants to lend. */
  enabled: z.boolean(),
  /** A studio has accepted the session that stands now. */
  connected: z.boolean(),
  enrolled: z.boolean(),
  worker_id: z.string(),
  studio_name: z.string(),
  /** host:port of the studio; empty before the first join. */
  endpoint: z.string(),
  last_error: z.string(),
  /** Set from outside (STUDIO_WORKER_MODE): the switch cannot be moved here. */
  pinned: z.boolean(),
  /** Finishing what is held, taking nothing new. */
  draining: z.boolean(),
  /** Attempts held for the studio now. */
  held: z.int(),
  /** Whether it is the headless daemon or the studio's own agent that answers. */
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
  /** The id its panel is known by once its key is bound; empty before. */
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
  /** Others than this machine can reach it. */
  exposed: z.boolean(),
  startup_error: z.string().nullable(),
  /** Empty until it was started once. */
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

const nothing = z.strictObject({})
const line = (max: number) => z.string().max(max)
/** Question -> what it carries and what answers it. A refusal is a Failure whose message is for people. */
export const AGENT_CONTROL = {
  status: { request: nothing, reply: LendingView },
  /** Redeems the code and waits until the studio accepts the session (20 s). On failure the earlier enrolment goes on as it was. */
  join: { request: z.strictObject({ code: line(4096) }), reply: LendingView },
  lend: { request: z.strictObject({ enabled: z.boolean() }), reply: LendingView },
  /** Takes nothing new, finishes what is held, then stops lending; answers at once. */
  finish: { request: nothing, reply: LendingView },
  /** Stops lending and forgets the enrolment and its key. */
  leave: { request: nothing, reply: LendingView },
  inbound: { request: nothing, reply: InboundView },
  /** Empty bind and port 0 leave what is stored. */
  listen: { request: z.strictObject({ enabled: z.boolean(), bind: line(253), port: z.int().min(0).max(65_535) }), reply: InboundView },
  issueKey: { request: z.strictObject({ label: line(64) }), reply: IssuedKey },
  revokeKey: { request: z.strictObject({ key_id: line(64) }), reply: InboundView },
  disconnect: { request: z.strictObject({ session_id: line(64) }), reply: InboundView },
} as const

export type AgentQuestion = keyof typeof AGENT_CONTROL
/** One line each way. The request and the reply are parsed by the row of their question. */
export const QuestionLine = z.object({ question: z.string().max(64), request: z.unknown() })
export const AnswerLine = z.object({ reply: z.unknown(), failure: z.object({ code: z.string(), message: z.string() }).optional() })
export const isAgentQuestion = (question: string): question is AgentQuestion => Object.hasOwn(AGENT_CONTROL, question)
export type AgentRequest<Q extends AgentQuestion> = z.output<(typeof AGENT_CONTROL)[Q]['request']>
export type AgentReply<Q extends AgentQuestion> = z.output<(typeof AGENT_CONTROL)[Q]['reply']>
/** What the owner of the socket implements, and what its callers hold. Rejects with a Failure. */
export type AgentControl = { readonly [Q in AgentQuestion]: (request: AgentRequest<Q>) => Promise<AgentReply<Q>> }
