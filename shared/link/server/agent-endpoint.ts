// The agent's end of every link: serves AgentService on whatever socket it is given, to studios whose key is pinned at the moment of each call.
import type { Socket } from 'node:net'
import type { TLSSocket } from 'node:tls'
import { inspectAuthority } from '#shared/pki/inspect.ts'
import { pinOf } from '#shared/pki/pin.ts'
import { Failure } from '#shared/protocol/failure.ts'
import { PING_MS } from '#shared/protocol/lease.ts'
import type { Clock } from '#shared/runtime/clock.ts'
import type { Log } from '#shared/runtime/log.ts'
import { type AgentService, agentDefinition } from '../rpc.ts'
import { remoteAddress } from '../transport/address.ts'
import { requireTls13 } from '../transport/options.ts'
import { serveOn } from '../transport/serve.ts'
import { createGate } from '../transport/tls-server.ts'
import { serveAgent } from './agent-calls.ts'

export type AgentEndpointDeps = {
  /** PEM, all three. `authority` is the only root a studio's certificate may come from. */
  readonly key: string
  readonly certificate: string
  readonly authority: string
  /** Asked on every call: a pin taken out of the set ends the use of links that already stand. */
  readonly studioPins: () => ReadonlySet<string>
  readonly service: AgentService
  /** A studio has proven its key; nobody has asked yet whether it is pinned. Answers with what to call when the link is over. */
  readonly onLink?: (link: { readonly pin: string; readonly address: string; readonly cut: () => void }) => () => void
  readonly log: Log
  readonly clock: Clock
  readonly limits?: Partial<EndpointLimits>
}
export type EndpointLimits = {
  readonly handshakeMs: number
  readonly maxHandshakes: number
  /** A studio asks its first question at once, */
  readonly firstCallMs: number
  /** and the next ones at least every PING_MS. One that does not is gone, whatever the socket says. */
  readonly silenceMs: number
}
const LIMITS: EndpointLimits = { handshakeMs: 10_000, maxHandshakes: 64, firstCallMs: 5_000, silenceMs: 2 * PING_MS + 2_000 }

export type AgentEndpoint = {
  /** Takes the socket over, dialled or accepted: it speaks TLS as server, then gRPC. */
  readonly inject: (socket: Socket) => void
  /** New calls are refused with WORKER_DRAINING, those under way may end within the grace, then every socket is cut. */
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
   * Ends a link whose studio went silent. The socket alone does not tell: half-open connections stay, and Node loses a reset that arrives
   * while the first bytes of an HTTP/2 session are being written.
   */
  const watchOver = (socket: TLSSocket) => {
    const giveUp = () => {
      deps.log.warn({ address: remoteAddress(socket) }, 'the studio went silent; the link is given up')
      socket.destroy()
    }
    let forget = deps.clock.after(limits.firstCallMs, giveUp)
    socket.once('close', () => forget())
    return () => {
      forget()
      if (!socket.destroyed) forget = deps.clock.after(limits.silenceMs, giveUp)
    }
  }
  const onSecure = (socket: TLSSocket) => {
    const pin = pinOf(socket.getPeerX509Certificate()!)
    const asked = watchOver(socket)
    const calls = serveAgent(
      deps.service,
      pin,
      () => {
        asked()
        return admit(pin)
      },
      deps.log,
    )
    const serving = serveOn(socket, agentDefinition, calls.implementation)
    const closed = new Promise<void>((resolve) => socket.once('close', () => resolve()))
    // What the last call wrote is still on its way when it is over, so the connection ends rather than breaks.
    const settled = async () => {
      await Promise.race([calls.idle(), closed])
      serving.finish()
      await closed
    }
    const link = { settled }
    links.add(link)
    closed.then(() => links.delete(link))
    deps.log.info({ address: remoteAddress(socket), pin: pin.slice(0, 12) }, 'a studio is connected')
    const over = deps.onLink?.({ pin, address: remoteAddress(socket), cut: () => void socket.destroy() })
    if (over) closed.then(over)
  }
  const gate = createGate({
    keyPem: deps.key,
    certificatePem: deps.certificate,
    clientAuthorityPem: deps.authority,
    handshakeMs: limits.handshakeMs,
    maxHandshakes: limits.maxHandshakes,
    log: deps.log,
    onSecure,
  })
  const drainThenCut = async (graceMs: number) => {
    const grace = new AbortController()
    const over = deps.clock.sleep(graceMs, grace.signal).catch(() => {})
    await Promise.race([over, Promise.all([...links].map((link) => link.settled()))])
    grace.abort()
    gate.cut()
  }
  return {
    inject: (socket) => (stopping ? void socket.destroy() : gate.inject(socket)),
    stop: (graceMs) => (stopping ??= drainThenCut(graceMs)),
  }
}
