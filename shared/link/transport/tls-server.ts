// The TLS server side for existing sockets: dialled, accepted, or already partly read. The gRPC library's own server cannot set the minimum TLS
// version and the handshake timeout, or report why a handshake was refused.
import { constants } from 'node:crypto'
import type { Socket } from 'node:net'
import tls, { type TLSSocket } from 'node:tls'
import type { Log } from '#shared/runtime/log.ts'
import { remoteAddress } from './address.ts'

export type TlsServerOptions = {
  readonly keyPem: string
  /** The leaf, followed by further certificates for the peer. */
  readonly certificatePem: string
  /** The only root for client certificates; null requests none. */
  readonly clientAuthorityPem: string | null
  readonly handshakeMs: number
  readonly log: Log
  readonly onSecure: (secure: TLSSocket) => void
}
export type TlsServer = {
  readonly inject: (raw: Socket) => void
  /** Applies from the next handshake on; open connections keep their keys. */
  readonly setKeys: (keys: { readonly keyPem: string; readonly certificatePem: string }) => void
  /** Destroys every open socket. */
  readonly cut: () => void
}

export function createTlsServer(options: TlsServerOptions): TlsServer {
  const sockets = new Set<Socket>()
  const requiresCertificate = options.clientAuthorityPem !== null
  const contextOf = ({ keyPem, certificatePem }: { readonly keyPem: string; readonly certificatePem: string }) => ({
    key: keyPem,
    cert: certificatePem,
    ca: options.clientAuthorityPem ?? undefined,
    minVersion: 'TLSv1.3' as const,
    // A resumed session would skip the proof of the key. Without tickets a session can only be resumed from a store, and there is none.
    secureOptions: constants.SSL_OP_NO_TICKET,
  })
  const server = tls.createServer({
    ...contextOf(options),
    requestCert: requiresCertificate,
    rejectUnauthorized: requiresCertificate,
    ALPNProtocols: ['h2'],
    handshakeTimeout: options.handshakeMs,
  })
  server.on('secureConnection', (secure) => {
    secure.on('error', (error) => options.log.debug({ reason: error.message }, 'TLS connection failed'))
    options.onSecure(secure)
  })
  server.on('tlsClientError', (error, secure) => {
    // A refused certificate ends as a plain disconnect; only this field has the reason.
    const reason = String(secure.authorizationError ?? error.message)
    options.log.warn({ address: remoteAddress(secure), reason }, 'TLS connection refused')
    secure.destroy()
  })
  return {
    inject(raw) {
      if (raw.destroyed) return
      sockets.add(raw)
      raw.once('close', () => sockets.delete(raw)).on('error', () => {})
      server.emit('connection', raw)
    },
    setKeys: (keys) => server.setSecureContext(contextOf(keys)),
    cut() {
      for (const raw of sockets) raw.destroy()
    },
  }
}
