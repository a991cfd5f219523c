// The agent's end of every link: serves AgentService on whatever socket it is given, to studios whose key is pinned at the moment of each call.
import type { Socket } from 'node:net'
import type { TLSSocket } from 'node:tls'
import { inspectAuthority } from '#shared/pki/inspect.ts'
import { pinOf } from '#shared/pki/pin.ts'
import { Failure } from '#shared/protocol/failure.ts'
import type { Clock } from '#shared/runtime/clock.ts'
import type { Log } from '#shared/runtime/log.ts'
import { remoteAddress } from './address.ts'
import { serveAgent } from './agent-calls.ts'
import { type AgentService, agentDefinition } from './definitions.ts'
import { createGate } from './gate.ts'
import { requireTls13 } from './options.ts'
import { serveOn } from './serve.ts'

export type AgentEndpointDeps = {
  /** PEM, all three. `authority` is the only root a studio's certificate may come from. */
  readonly key: string
  readonly certificate: string
  readonly authority: string
  /** Asked on every call: a pin taken out of the set ends the use of links that already stand. */
  readonly studioPins: () => ReadonlySet<string>
  readonly service: AgentService
  readonly log: Log
  readonly clock: Clock
  readonly limits?: { readonly handshakeMs?: number; readonly maxHandshakes?: number }
}
export type AgentEndpoint = {
  /** Takes the socket over, dialled or accepted: it speaks TLS as server, then gRPC. */
  readonly inject: (socket: Socket) => void
  /** New calls are refused with WORKER_DRAINING, those under way may end within the grace, then every socket is cut. */
  readonly stop: (graceMs: number) => Promise<void>
}

export function createAgentEndpoint(deps: AgentEndpointDeps): AgentEndpoint {
  requireTls13()
  inspectAuthority(deps.authority, deps.clock.now())
  const links = new Set<{ readonly settled: () => Promise<void> }>()
  let stopping: Promise<void> | null = null

  const admit = (pin: string): Failure | null => {
    if (stopping) return new Failure('WORKER_DRAINING', 'The agent is stopping.')
    return deps.studioPins().has(pin) ? null : new Failure('AUTH_FAILED', 'The key of the studio is not pinned by this agent.')
  }
  const onSecure = (socket: TLSSocket) => {
    const pin = pinOf(socket.getPeerX509Certificate()!)
    const calls = serveAgent(deps.service, pin, () => admit(pin), deps.log)
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
  }
  const gate = createGate({
    keyPem: deps.key,
    certificatePem: deps.certificate,
    clientAuthorityPem: deps.authority,
    handshakeMs: deps.limits?.handshakeMs ?? 10_000,
    maxHandshakes: deps.limits?.maxHandshakes ?? 64,
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
