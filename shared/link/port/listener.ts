// The studio's one port for agents. The first byte selects the protocol: TLS is an enrolment, `S` the preamble of a session.
import type { Socket } from 'node:net'
import type { TLSSocket } from 'node:tls'
import type { handleUnaryCall } from '@grpc/grpc-js'
import { Failure } from '#shared/protocol/failure.ts'
import type { Clock } from '#shared/runtime/clock.ts'
import type { Log } from '#shared/runtime/log.ts'
import { type EnrolmentService, enrolmentDefinition, mapEnrolmentMethods } from '../rpc.ts'
import { remoteAddress, remoteHost } from '../transport/address.ts'
import { limitBytes } from '../transport/limit-bytes.ts'
import { ENROLMENT_OPTIONS, requireTls13 } from '../transport/options.ts'
import { peekUntil, readLine, TLS_HANDSHAKE_BYTE } from '../transport/peek.ts'
import { serveOn } from '../transport/serve.ts'
import { grpcStatusOf } from '../transport/status.ts'
import { createTlsServer } from '../transport/tls-server.ts'
import { type Acceptor, createAcceptor } from './acceptor.ts'
import { type AdmissionRates, createAdmission, isLocal, RATES } from './admission.ts'
import { createBuckets } from './bucket.ts'
import { HELLO_LIMIT_BYTES, serverNameOf } from './client-hello.ts'
import { createHandshakes, HANDSHAKES, type HandshakeLimits } from './handshakes.ts'
import {
  formatAnswer,
  formatLater,
  PREAMBLE_FIRST_BYTE,
  PREAMBLE_LIMIT_BYTES,
  parsePreamble,
  renewingWorkerIn,
  type SessionRefusal,
} from './preamble.ts'
import { UNPROVEN, type UnprovenLimits, type UnprovenPeer } from './unproven.ts'

/** The claim of an agent before it has authenticated. */
export type SessionHint = { readonly workerId: string; readonly address: string }

export type ListenerDeps = {
  readonly enrolment: EnrolmentService
  /** PEM. The chain is the studio's leaf followed by the authorities whose pins join codes carry. */
  readonly enrolmentTls: { readonly key: string; readonly certificateChain: string }
  /** Decides whether the session may begin TLS. */
  readonly admit: (hint: SessionHint) => Promise<'ok' | SessionRefusal>
  /** Takes over the socket. Resolves when the peer has proven its key; until then the limits of unproven connections apply. */
  readonly onSession: (socket: Socket, hint: SessionHint) => Promise<void>
  /** A caller that claims to be this enrolled machine was asked to come again after `ms`, because too many handshakes are under way. */
  readonly onLater?: (workerId: string, ms: number) => void
  readonly log: Log
  readonly clock: Clock
  readonly limits?: Partial<ListenerLimits>
}
export type ListenerLimits = {
  readonly unproven: UnprovenLimits
  /** Timeout of the first byte, the preamble, the hello and the handshake, each. */
  readonly preambleMs: number
  /** Everything that a peer may send on an enrolment connection after the handshake. A join needs about 3 KiB. One byte can cost 24: each frame of one byte takes ten, and about 240 in memory. */
  readonly enrolmentBytes: number
  readonly enrolmentBurst: number
  readonly enrolmentsPerMinute: number
  readonly rates: AdmissionRates
  readonly handshakes: HandshakeLimits
}
const LIMITS: ListenerLimits = {
  unproven: UNPROVEN,
  preambleMs: 5_000,
  enrolmentBytes: 16 * 1024,
  enrolmentBurst: 60,
  enrolmentsPerMinute: 20,
  rates: RATES,
  handshakes: HANDSHAKES,
}

export type AgentListener = Acceptor & {
  /** True while so many machines connect that some may wait for an answer. */
  readonly isCrowded: () => boolean
  /** Sets new keys for enrolment, from the next handshake on. */
  readonly setKeys: (tls: ListenerDeps['enrolmentTls']) => void
}

export function createAgentListener(deps: ListenerDeps): AgentListener {
  requireTls13()
  const { clock, log } = deps
  const limits = { ...LIMITS, ...deps.limits }
  const buckets = createBuckets({ burst: limits.enrolmentBurst, perMinute: limits.enrolmentsPerMinute, clock })
  const admission = createAdmission(limits.rates, clock)
  const handshakes = createHandshakes(limits.handshakes, clock)
  const limitExceeded = () => new Failure('QUEUE_FULL', 'Too many connections from this address. Wait a minute.')
  const tlsServer = createTlsServer({
    keyPem: deps.enrolmentTls.key,
    certificatePem: deps.enrolmentTls.certificateChain,
    clientAuthorityPem: null,
    handshakeMs: limits.preambleMs,
    log,
    onSecure: (secure) => serveEnrolment(secure, deps.enrolment, { take: buckets.take, maxBytes: limits.enrolmentBytes, clock, log }),
  })

  /** An enrolled machine names itself in its hello when it renews, so that unknown callers of its address neither displace nor limit it. */
  const claimedWorker = async (socket: Socket): Promise<string | null> => {
    const isEnough = (bytes: Buffer) => serverNameOf(bytes) !== undefined
    const hello = await peekUntil(socket, isEnough, { maxBytes: HELLO_LIMIT_BYTES, ms: limits.preambleMs, clock })
    const workerId = renewingWorkerIn(serverNameOf(hello) ?? '')
    return workerId === null || isUnknownCaller(await deps.admit({ workerId, address: remoteAddress(socket) })) ? null : workerId
  }
  const enrol = async (socket: Socket, peer: UnprovenPeer) => {
    const host = remoteHost(socket)
    const workerId = await claimedWorker(socket)
    if (workerId !== null) peer.claim(workerId)
    // Before the handshake: its signature is the most expensive thing that an unknown caller can trigger.
    if (!admission.handshake(host) && !(workerId !== null && admission.renewal(workerId, host))) throw limitExceeded()
    tlsServer.inject(socket)
  }
  const openSession = async (socket: Socket, peer: UnprovenPeer) => {
    const workerId = parsePreamble(await readLine(socket, { maxBytes: PREAMBLE_LIMIT_BYTES, ms: limits.preambleMs, clock }))
    if (workerId === null) throw new Failure('BAD_REQUEST', 'The preamble is malformed.')
    const hint = { workerId, address: remoteAddress(socket) }
    const answer = await deps.admit(hint)
    const host = remoteHost(socket)
    const refuse = (reason: string, line: string) => {
      log.info({ ...hint, reason }, 'session refused')
      socket.end(line)
    }
    if (isUnknownCaller(answer)) {
      if (!admission.unknownCaller(host)) throw limitExceeded()
    } else if (!admission.session(workerId, host)) return refuse('later', formatLater(admission.sessionAfter(workerId, host)))
    if (socket.destroyed) return
    if (!isUnknownCaller(answer)) peer.claim(workerId)
    if (answer !== 'ok') return refuse(answer, formatAnswer(answer))
    const begun = isLocal(host) ? null : handshakes.begin(workerId)
    if (typeof begun === 'number') {
      deps.onLater?.(workerId, begun * 1_000)
      return refuse('later', formatLater(begun))
    }
    if (begun) socket.once('close', begun.end)
    socket.write(formatAnswer('ok'))
    await deps.onSession(socket, hint)
    begun?.proven()
    peer.proven()
  }

  const acceptor = createAcceptor({
    limits: limits.unproven,
    firstByteMs: limits.preambleMs,
    clock,
    log,
    async onFirstByte(socket, firstByte, peer) {
      if (firstByte === TLS_HANDSHAKE_BYTE) await enrol(socket, peer)
      else if (firstByte === PREAMBLE_FIRST_BYTE) await openSession(socket, peer)
      else throw new Failure('BAD_REQUEST', 'The connection began with neither TLS nor a preamble.')
    },
  })
  return {
    ...acceptor,
    isCrowded: handshakes.isCrowded,
    setKeys: ({ key, certificateChain }) => tlsServer.setKeys({ keyPem: key, certificatePem: certificateChain }),
    close() {
      acceptor.close()
      tlsServer.cut()
    },
  }
}

const isUnknownCaller = (answer: 'ok' | SessionRefusal): boolean => answer === 'unknown' || answer === 'revoked'

type EnrolmentLimits = {
  readonly take: (address: string) => boolean
  readonly maxBytes: number
  readonly clock: Clock
  readonly log: Log
}
function serveEnrolment(secure: TLSSocket, service: EnrolmentService, { take, maxBytes, clock, log }: EnrolmentLimits): void {
  const from = { address: remoteHost(secure) }
  const throttled =
    <Request, Reply>(
      method: string,
      answer: (request: Request, from: { address: string }) => Promise<Reply>,
    ): handleUnaryCall<Request, Reply> =>
    (call, reply) => {
      if (!take(from.address)) return reply(grpcStatusOf(new Failure('QUEUE_FULL', 'Too many attempts from this address. Wait a minute.')))
      answer(call.request, from).then(
        (message) => reply(null, message),
        (error) => {
          if (!(error instanceof Failure)) log.error({ method, err: error }, 'an enrolment call failed unexpectedly')
          reply(grpcStatusOf(error))
        },
      )
    }
  const implement = (name: keyof EnrolmentService) =>
    throttled(name, service[name] as (request: unknown, from: { address: string }) => Promise<unknown>)
  limitBytes(secure, maxBytes, clock, () => log.warn(from, 'an enrolment connection sent too many bytes and was closed'))
  serveOn(secure, enrolmentDefinition, mapEnrolmentMethods(implement), ENROLMENT_OPTIONS)
}
