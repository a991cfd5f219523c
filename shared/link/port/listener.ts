// The studio's one port for agents. The first byte tells what a connection wants: TLS is an enrolment, `S` the preamble of a session.
import type { Socket } from 'node:net'
import type { TLSSocket } from 'node:tls'
import type { handleUnaryCall } from '@grpc/grpc-js'
import { Failure } from '#shared/protocol/failure.ts'
import type { Clock } from '#shared/runtime/clock.ts'
import type { Log } from '#shared/runtime/log.ts'
import { ENROLMENT_METHODS, type EnrolmentService, enrolmentDefinition, mapMethods } from '../rpc.ts'
import { remoteAddress, remoteHost } from '../transport/address.ts'
import { requireTls13 } from '../transport/options.ts'
import { peekUntil, readLine, TLS_HANDSHAKE_BYTE } from '../transport/peek.ts'
import { serveOn } from '../transport/serve.ts'
import { statusOf } from '../transport/status.ts'
import { createGate } from '../transport/tls-server.ts'
import { type Acceptor, createAcceptor } from './acceptor.ts'
import { type AdmissionRates, createAdmission, RATES } from './admission.ts'
import { createBuckets } from './bucket.ts'
import { HELLO_LIMIT_BYTES, serverNameOf } from './client-hello.ts'
import {
  formatAnswer,
  PREAMBLE_FIRST_BYTE,
  PREAMBLE_LIMIT_BYTES,
  parsePreamble,
  renewingWorkerIn,
  type SessionRefusal,
} from './preamble.ts'

/** What an agent claims before it has proven anything. */
export type SessionHint = { readonly workerId: string; readonly address: string }

export type ListenerDeps = {
  readonly enrolment: EnrolmentService
  /** PEM. The chain is the studio's leaf followed by the authorities whose pins join codes carry. */
  readonly enrolmentTls: { readonly key: string; readonly certificateChain: string }
  /** Asked before the agent is told whether TLS may begin. */
  readonly admit: (hint: SessionHint) => Promise<'ok' | SessionRefusal>
  /** Owns the socket from here on; the agent waits for our TLS. */
  readonly onSession: (socket: Socket, hint: SessionHint) => void
  readonly log: Log
  readonly clock: Clock
  readonly limits?: Partial<ListenerLimits>
}
export type ListenerLimits = {
  /** Connections that have proven nothing yet, enrolments included. */
  readonly maxWaiting: number
  /** The same from one address. */
  readonly maxWaitingPerHost: number
  readonly preambleMs: number
  readonly enrolmentMs: number
  readonly enrolmentBurst: number
  readonly enrolmentsPerMinute: number
  readonly rates: AdmissionRates
}
const LIMITS: ListenerLimits = {
  maxWaiting: 256,
  maxWaitingPerHost: 128,
  preambleMs: 5_000,
  enrolmentMs: 30_000,
  enrolmentBurst: 60,
  enrolmentsPerMinute: 20,
  rates: RATES,
}

export type Listener = Acceptor & {
  /** New keys for enrolment, from the next handshake on. */
  readonly show: (tls: ListenerDeps['enrolmentTls']) => void
}

export function createListener(deps: ListenerDeps): Listener {
  requireTls13()
  const { clock, log } = deps
  const limits = { ...LIMITS, ...deps.limits }
  const buckets = createBuckets({ burst: limits.enrolmentBurst, perMinute: limits.enrolmentsPerMinute, clock })
  const admission = createAdmission(limits.rates, clock)
  const limited = () => new Failure('QUEUE_FULL', 'Too many connections from this address.')
  const gate = createGate({
    keyPem: deps.enrolmentTls.key,
    certificatePem: deps.enrolmentTls.certificateChain,
    clientAuthorityPem: null,
    handshakeMs: limits.preambleMs,
    maxHandshakes: limits.maxWaiting,
    log,
    onSecure: (secure) => serveEnrolment(secure, deps.enrolment, buckets.take, log),
  })

  /** A machine that is enrolled says so in its hello, and renews although strangers have used up what its address may. */
  const mayRenew = async (socket: Socket): Promise<boolean> => {
    const isEnough = (bytes: Buffer) => serverNameOf(bytes) !== undefined
    const hello = await peekUntil(socket, isEnough, { maxBytes: HELLO_LIMIT_BYTES, ms: limits.preambleMs, clock })
    const workerId = renewingWorkerIn(serverNameOf(hello) ?? '')
    if (workerId === null || isStranger(await deps.admit({ workerId, address: remoteAddress(socket) }))) return false
    return admission.renewal(workerId, remoteHost(socket))
  }
  const enrol = async (socket: Socket) => {
    // Before the handshake: a signature costs more than everything else that a stranger can ask for.
    if (!admission.handshake(remoteHost(socket)) && !(await mayRenew(socket))) throw limited()
    const forget = clock.after(limits.enrolmentMs, () => socket.destroy())
    gate.inject(socket)
    if (!socket.closed) await new Promise((resolve) => socket.once('close', resolve))
    forget()
  }
  const openSession = async (socket: Socket) => {
    const workerId = parsePreamble(await readLine(socket, { maxBytes: PREAMBLE_LIMIT_BYTES, ms: limits.preambleMs, clock }))
    if (workerId === null) throw new Failure('BAD_REQUEST', 'The preamble is malformed.')
    const hint = { workerId, address: remoteAddress(socket) }
    const answer = await deps.admit(hint)
    const host = remoteHost(socket)
    if (!(isStranger(answer) ? admission.stranger(host) : admission.session(workerId, host))) throw limited()
    if (socket.destroyed) return
    if (answer !== 'ok') {
      log.info({ ...hint, reason: answer }, 'a session was refused')
      return void socket.end(formatAnswer(answer))
    }
    socket.write(formatAnswer('ok'))
    deps.onSession(socket, hint)
  }

  const acceptor = createAcceptor({
    maxWaiting: limits.maxWaiting,
    maxWaitingPerHost: limits.maxWaitingPerHost,
    firstByteMs: limits.preambleMs,
    clock,
    log,
    async welcome(socket, firstByte) {
      if (firstByte === TLS_HANDSHAKE_BYTE) await enrol(socket)
      else if (firstByte === PREAMBLE_FIRST_BYTE) await openSession(socket)
      else throw new Failure('BAD_REQUEST', 'The connection began with neither TLS nor a preamble.')
    },
  })
  return {
    ...acceptor,
    show: ({ key, certificateChain }) => gate.show({ keyPem: key, certificatePem: certificateChain }),
    close() {
      acceptor.close()
      gate.cut()
    },
  }
}

const isStranger = (answer: 'ok' | SessionRefusal): boolean => answer === 'unknown' || answer === 'revoked'

function serveEnrolment(secure: TLSSocket, service: EnrolmentService, take: (address: string) => boolean, log: Log): void {
  const from = { address: remoteHost(secure) }
  const limited =
    <Request, Reply>(
      method: string,
      answer: (request: Request, from: { address: string }) => Promise<Reply>,
    ): handleUnaryCall<Request, Reply> =>
    (call, reply) => {
      if (!take(from.address)) return reply(statusOf(new Failure('QUEUE_FULL', 'Too many attempts from this address; wait a minute.')))
      answer(call.request, from).then(
        (message) => reply(null, message),
        (error) => {
          if (!(error instanceof Failure)) log.error({ method, err: error }, 'an enrolment call failed unexpectedly')
          reply(statusOf(error))
        },
      )
    }
  const handlerOf = (name: keyof EnrolmentService) =>
    limited(name, service[name] as (request: unknown, from: { address: string }) => Promise<unknown>)
  serveOn(secure, enrolmentDefinition, mapMethods(ENROLMENT_METHODS, handlerOf))
}
