// The studio's end: creates a Link over a socket to an agent, dialled or accepted. It performs TLS as client before gRPC gets the socket, so
// that a refusal keeps its own reason.
import { X509Certificate } from 'node:crypto'
import type { Socket } from 'node:net'
import tls, { type TLSSocket } from 'node:tls'
import { namesSubject } from '#shared/pki/inspect.ts'
import { pinOf } from '#shared/pki/pin.ts'
import { Failure } from '#shared/protocol/failure.ts'
import type { Clock } from '#shared/runtime/clock.ts'
import type { Log } from '#shared/runtime/log.ts'
import type { ExpectedPeer, Link } from '../rpc.ts'
import { type Address, connectTo, remoteAddress } from '../transport/address.ts'
import { requireTls13 } from '../transport/options.ts'
import { createChannelFactory } from './channel.ts'
import { createLink } from './link.ts'

/** PEM. `certificate` is followed by its chain; `authority` contains the only roots for agent certificates. */
export type StudioKeys = { readonly key: string; readonly certificate: string; readonly authority: string }
export type StudioLinksDeps = StudioKeys & {
  readonly log: Log
  readonly clock: Clock
  readonly limits?: { readonly handshakeMs?: number; readonly connectMs?: number }
}
export type StudioLinks = {
  /** Takes over a socket whose agent waits for our TLS. If TLS fails, the link closes with the reason. Throws WORKER_DISCONNECTED for a closed one. */
  readonly adopt: (socket: Socket, peer: ExpectedPeer) => Link
  /** Resolves when the agent has authenticated. Rejects with WORKER_UNREACHABLE or AUTH_FAILED. */
  readonly dial: (address: Address, peer: ExpectedPeer) => Promise<Link>
  /** Applies from the next link on; open links keep their keys. */
  readonly setKeys: (keys: StudioKeys) => void
  /** Closes every link and removes the placeholder socket. */
  readonly close: () => void
}

export function createStudioLinks(deps: StudioLinksDeps): StudioLinks {
  requireTls13()
  const { clock } = deps
  const channels = createChannelFactory()
  const links = new Set<Link>()
  const contextOf = ({ key, certificate, authority }: StudioKeys) =>
    tls.createSecureContext({ key, cert: certificate, ca: authority, minVersion: 'TLSv1.3' })
  let context = contextOf(deps)

  const open = (socket: Socket, peer: ExpectedPeer): { link: Link; secured: Promise<TLSSocket> } => {
    // Node would wrap a socket without a handle in its adapter for streams, whose assertions end the process (see limit-bytes.ts).
    if (socket.destroyed) throw new Failure('WORKER_DISCONNECTED', 'The connection was closed before it was secured.')
    const secure = tls.connect({
      socket,
      secureContext: context,
      servername: 'agent.voice.studio',
      ALPNProtocols: ['h2'],
      checkServerIdentity: (_name, certificate) => refusalOf(new X509Certificate(certificate.raw), peer),
    })
    const secured = new Promise<TLSSocket>((resolve, reject) => {
      secure.once('secureConnect', () => resolve(secure))
      secure.once('close', () => reject(new Error('The connection was closed.')))
    })
    const proven = secured.then(() => {})
    proven.catch(() => {}) // only some callers wait for it
    const client = channels.open(secured)
    let isAnswered = false
    const answered = () => {
      isAnswered = true
    }
    const link = createLink({ client, socket: secure, peer, peerAddress: remoteAddress(socket), proven, answered, clock })
    const cancelTimer = clock.after(deps.limits?.handshakeMs ?? 10_000, () =>
      link.close(new Failure('WORKER_UNREACHABLE', 'The agent did not finish the handshake in time.')),
    )
    secure.once('secureConnect', cancelTimer)
    secure.on('error', (error) => link.close(reasonOf(error, secure)))
    for (const side of [secure, socket]) side.once('close', () => link.close(lost(isAnswered)))
    socket.on('error', () => {})
    links.add(link)
    void link.closed.then((reason) => {
      cancelTimer()
      links.delete(link)
      socket.destroy()
      deps.log.info({ workerId: peer.workerId, reason: reason.message }, 'link closed')
    })
    return { link, secured }
  }

  return {
    adopt: (socket, peer) => open(socket, peer).link,
    async dial(address, peer) {
      const socket = await connectTo(address, { clock, timeoutMs: deps.limits?.connectMs ?? 10_000 })
      const { link, secured } = open(socket, peer)
      const lost = await Promise.race([secured.then(() => null), link.closed])
      if (lost) throw lost
      return link
    },
    setKeys(keys) {
      context = contextOf(keys)
    },
    close() {
      for (const link of links) link.close(new Failure('WORKER_DISCONNECTED', 'The studio is stopping.'))
      channels.close()
    },
  }
}

function refusalOf(certificate: X509Certificate, peer: ExpectedPeer): Failure | undefined {
  if (!peer.pins.has(pinOf(certificate))) return new Failure('AUTH_FAILED', `The key of ${peer.workerId} does not match its pin.`)
  if (!namesSubject(certificate, 'worker', peer.subject ?? peer.workerId))
    return new Failure('AUTH_FAILED', `The certificate does not belong to ${peer.workerId}.`)
  return undefined
}

/** A TLS server checks our certificate after our handshake and may just disconnect, so only its log distinguishes a refusal from a fault. */
function lost(isAnswered: boolean): Failure {
  return new Failure(
    'WORKER_DISCONNECTED',
    isAnswered
      ? 'The connection to the agent was lost.'
      : 'The agent closed the connection before it answered. It may not accept our certificate; see its log.',
  )
}

function reasonOf(error: NodeJS.ErrnoException, socket: TLSSocket): Failure {
  if (error instanceof Failure) return error
  // We refused the chain, or the peer sent a TLS alert about ours.
  const refused = Boolean(socket.authorizationError) || error.code?.startsWith('ERR_SSL')
  return new Failure(refused ? 'AUTH_FAILED' : 'WORKER_DISCONNECTED', `The connection to the agent failed: ${error.message}`, {
    cause: error,
  })
}
