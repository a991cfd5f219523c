// The agent's end of every link: serves AgentService on given sockets, to studios whose key is pinned at the time of each call.
import type { Socket } from 'node:net'
import type { TLSSocket } from 'node:tls'
import { inspectAuthority } from '#shared/pki/inspect.ts'
import { pinOf } from '#shared/pki/pin.ts'
import { Failure } from '#shared/protocol/failure.ts'
import { PING_MS } from '#shared/protocol/lease.ts'
import type { Clock } from '#shared/runtime/clock.ts'
import type { Log } from '#shared/runtime/log.ts'
import type { AgentService } from '../rpc.ts'
import { remoteAddress } from '../transport/address.ts'
import { requireTls13, SERVER_OPTIONS } from '../transport/options.ts'
import { serveOn } from '../transport/serve.ts'
import { limitSession } from '../transport/session-limits.ts'
import { createTlsServer } from '../transport/tls-server.ts'
import { serveAgent } from './agent-calls.ts'
import { servedDefinition } from './output-encoding.ts'

export type AgentEndpointDeps = {
  /** PEM. `authority` is the only root for studio certificates. */
  readonly key: string
  readonly certificate: string
  readonly authority: string
  /** Read on every call, so that removing a pin also stops open links. */
  readonly studioPins: () => ReadonlySet<string>
  readonly service: AgentService
  /** A studio has proven its key, which is not yet checked against the pins. Returns a function to call when the link ends. */
  readonly onLink?: (link: { readonly pin: string; readonly address: string; readonly cut: () => void }) => () => void
  readonly log: Log
  readonly clock: Clock
  readonly limits?: Partial<EndpointLimits>
}
export type EndpointLimits = {
  readonly handshakeMs: number
  /** A studio must make its first call within this time, */
  readonly firstCallMs: number
  /** and then at least every PING_MS. Otherwise it is gone, even if the socket is still open. */
  readonly silenceMs: number
}
const LIMITS: EndpointLimits = { handshakeMs: 10_000, firstCallMs: 5_000, silenceMs: 2 * PING_MS + 2_000 }

export type AgentEndpoint = {
  /** Takes over a dialled or accepted socket and serves TLS, then gRPC. */
  readonly inject: (socket: Socket) => void
  /** Refuses new calls with WORKER_DRAINING, lets running calls end within the grace period, then destroys every socket. */
  readonly stop: (graceMs: number) => Promise<void>
}

export function createAgentEndpoint(deps: AgentEndpointDeps): AgentEndpoint {
  requireTls13()
  inspectAuthority(deps.authority, deps.clock.now())
  const limits = { ...LIMITS, ...deps.limits }
  const links = new Set<{ readonly settled: () => Promise<void> }>()
  let stopping: Promise<void> | null = null

  const admit = (pin: string): Failure | null => {
    if (stopping) return new Failure('WORKER_DRAINING', 'The agent is stopping.')
    return deps.studioPins().has(pin) ? null : new Failure('AUTH_FAILED', 'The key of the studio is not pinned by this agent.')
  }
  /**
   * Ends a link whose studio went silent. The socket may stay open: half-open connections are not detected, and Node loses a reset that
   * arrives while the first bytes of an HTTP/2 session are written.
   */
  const endOnSilence = (socket: TLSSocket) => {
    const giveUp = () => {
      deps.log.warn({ address: remoteAddress(socket) }, 'the studio went silent; closing the link')
      socket.destroy()
    }
    let cancelTimer = deps.clock.after(limits.firstCallMs, giveUp)
    socket.once('close', () => cancelTimer())
    return () => {
      cancelTimer()
      if (!socket.destroyed) cancelTimer = deps.clock.after(limits.silenceMs, giveUp)
    }
  }
  const onSecure = (socket: TLSSocket) => {
    const pin = pinOf(socket.getPeerX509Certificate()!)
    const onCall = endOnSilence(socket)
    const calls = serveAgent({
      service: deps.service,
      pin,
      admit() {
        onCall()
        return admit(pin)
      },
      clock: deps.clock,
      log: deps.log,
    })
    limitSession(socket, { isServer: true })
    const serving = serveOn(socket, servedDefinition, calls.implementation, SERVER_OPTIONS)
    const closed = new Promise<void>((resolve) => socket.once('close', () => resolve()))
    // The last reply may still be in flight, so the connection ends gracefully.
    const settled = async () => {
      await Promise.race([calls.idle(), closed])
      serving.finish()
      await closed
    }
    const link = { settled }
    links.add(link)
    void closed.then(() => links.delete(link))
    deps.log.info({ address: remoteAddress(socket), pin: pin.slice(0, 12) }, 'studio connected')
    const over = deps.onLink?.({ pin, address: remoteAddress(socket), cut: () => void socket.destroy() })
    if (over) void closed.then(over)
  }
  const tlsServer = createTlsServer({
    keyPem: deps.key,
    certificatePem: deps.certificate,
    clientAuthorityPem: deps.authority,
    handshakeMs: limits.handshakeMs,
    log: deps.log,
    onSecure,
  })
  const drainThenCut = async (graceMs: number) => {
    const grace = new AbortController()
    const over = deps.clock.sleep(graceMs, grace.signal).catch(() => {})
    await Promise.race([over, Promise.all([...links].map((link) => link.settled()))])
    grace.abort()
    tlsServer.cut()
  }
  return {
    inject: (socket) => (stopping ? void socket.destroy() : tlsServer.inject(socket)),
    stop: (graceMs) => (stopping ??= drainThenCut(graceMs)),
  }
}
