// One link as a studio uses it: the calls of an agent over one socket.
import type { Socket } from 'node:net'
import type { Client, MethodDefinition } from '@grpc/grpc-js'
import type { Failure } from '#shared/protocol/failure.ts'
import type { Clock } from '#shared/runtime/clock.ts'
import { type AgentCalls, agentCodecs, type ExpectedPeer, type Link, mapAgentMethods } from '../rpc.ts'
import { type CallContext, callLatest, callRun, callStream, callUnary } from './calls.ts'
import { type Exchange, fitsExchange, openExchange } from './exchange.ts'

const DEFAULT_TIMEOUT_MS = 10_000

export type LinkParts = {
  readonly client: Client
  readonly socket: Socket
  readonly peer: ExpectedPeer
  readonly peerAddress: string
  readonly proven: Promise<void>
  /** Called for each reply. The first call of a link has one: an agent that refuses our certificate replies to nothing. */
  readonly answered: () => void
  readonly clock: Clock
}

/** The owner of the socket calls `close` when the socket ends; the link itself does not watch it. */
export function createLink({ client, socket, peer, peerAddress, proven, answered, clock }: LinkParts): Link {
  const closing = Promise.withResolvers<Failure>()
  let closedBy: Failure | null = null
  let exchange: Exchange | null = null
  const context: CallContext = { client, clock, open: new Set(), closedBy: () => closedBy }
  // Connect now rather than at the first call: the agent's end waits for it, and keepalives start with it.
  client.getChannel().getConnectivityState(true)
  return {
    ...callsOf(context, () => exchange, answered),
    openExchange() {
      if (!closedBy) exchange ??= openExchange(context, () => (exchange = null))
    },
    workerId: peer.workerId,
    peerAddress,
    proven,
    get isOpen() {
      return closedBy === null
    },
    closed: closing.promise,
    close(reason) {
      if (closedBy) return
      closedBy = reason
      for (const abandon of [...context.open]) abandon(reason)
      client.close()
      socket.destroy()
      closing.resolve(reason)
    },
  }
}

function callsOf(context: CallContext, exchangeOf: () => Exchange | null, answered: () => void): AgentCalls {
  type Codec = MethodDefinition<unknown, unknown>
  const callOf = {
    unary:
      (codec: Codec) =>
      async (request: unknown, timeoutMs = DEFAULT_TIMEOUT_MS) => {
        const reply = await callUnary(context, codec, request, timeoutMs)
        answered()
        return reply
      },
    stream: (codec: Codec) => (request: unknown, signal: AbortSignal) => callStream(context, codec, request, signal),
    latest: (codec: Codec, spacingMs: (request: unknown) => number) => (request: unknown, signal: AbortSignal) =>
      callLatest(context, codec, request, { signal, spacingMs: spacingMs(request) }),
    run:
      (): AgentCalls['run'] =>
      (header, reader, { isLarge = false } = {}) => {
        const exchange = isLarge || !fitsExchange(header) ? null : exchangeOf()
        return exchange ? exchange.run(header, reader) : callRun(context, { step: 'header', header }, reader)
      },
  }
  return mapAgentMethods((name, { kind, spacingMs = () => 0 }) =>
    callOf[kind](agentCodecs[name] as Codec, spacingMs as (request: unknown) => number),
  ) as unknown as AgentCalls
}
