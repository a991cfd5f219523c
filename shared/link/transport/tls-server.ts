// The TLS server side on sockets that come from elsewhere: dialled by us, accepted by us, or already half read. It is ours rather than the
// gRPC library's because only here the oldest TLS version, the time for a handshake and the reason of a refusal can be had.
import type { Socket } from 'node:net'
import tls, { type TLSSocket } from 'node:tls'
import type { Log } from '#shared/runtime/log.ts'
import { remoteAddress } from './address.ts'

export type GateOptions = {
  readonly keyPem: string
  /** The leaf, and behind it whatever the peer shall see too. */
  readonly certificatePem: string
  /** The only root client certificates may come from; null asks for none. */
  readonly clientAuthorityPem: string | null
  readonly handshakeMs: number
  /** Handshakes under way at once; more sockets are destroyed at once. */
  readonly maxHandshakes: number
  readonly log: Log
  readonly onSecure: (secure: TLSSocket) => void
}
export type Gate = {
  readonly inject: (raw: Socket) => void
  /** From the next handshake on; connections that stand are not touched. */
  readonly show: (keys: { readonly keyPem: string; readonly certificatePem: string }) => void
  /** Cuts every socket that ever came through and is still open. */
  readonly cut: () => void
}

export function createGate(options: GateOptions): Gate {
  const sockets = new Set<Socket>()
  let handshakes = 0
  const demanded = options.clientAuthorityPem !== null
  const server = tls.createServer({
    key: options.keyPem,
    cert: options.certificatePem,
    ca: options.clientAuthorityPem ?? undefined,
    requestCert: demanded,
    rejectUnauthorized: demanded,
    minVersion: 'TLSv1.3',
    ALPNProtocols: ['h2'],
    handshakeTimeout: options.handshakeMs,
  })
  // Exactly one of these two follows every injected socket.
  server.on('secureConnection', (secure) => {
    handshakes -= 1
    secure.on('error', (error) => options.log.debug({ reason: error.message }, 'a secure connection broke'))
    options.onSecure(secure)
  })
  server.on('tlsClientError', (error, secure) => {
    handshakes -= 1
    // An unwanted certificate ends as a bare hang-up; only this field knows why.
    const reason = String(secure.authorizationError ?? error.message)
    options.log.warn({ address: remoteAddress(secure), reason }, 'a secure connection was refused')
    secure.destroy()
  })
  return {
    inject(raw) {
      if (raw.destroyed) return
      if (handshakes >= options.maxHandshakes) return void raw.destroy()
      handshakes += 1
      sockets.add(raw)
      raw.once('close', () => sockets.delete(raw)).on('error', () => {})
      server.emit('connection', raw)
    },
    show: ({ keyPem, certificatePem }) =>
      server.setSecureContext({
        key: keyPem,
        cert: certificatePem,
        ca: options.clientAuthorityPem ?? undefined,
        minVersion: 'TLSv1.3',
      }),
    cut() {
      for (const raw of sockets) raw.destroy()
    },
  }
}
