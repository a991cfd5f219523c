// Creates gRPC clients over existing sockets. The library can only dial addresses, so it dials a private Unix socket, and its credentials
// then replace that placeholder with the real socket. No byte passes through the placeholder.
import { rmSync } from 'node:fs'
import { createServer } from 'node:net'
import type { TLSSocket } from 'node:tls'
import { ChannelCredentials, Client, credentials, type experimental } from '@grpc/grpc-js'
import { localAddress, socketFolder } from '#shared/runtime/socket-folder.ts'
import { CHANNEL_OPTIONS } from '../transport/options.ts'
import { limitSession } from '../transport/session-limits.ts'

export type ChannelFactory = {
  readonly path: string
  /** A client whose only connection is this socket. It waits for `secured` and never reconnects. */
  readonly open: (secured: Promise<TLSSocket>) => Client
  readonly close: () => void
}

export function createChannelFactory(): ChannelFactory {
  const folder = socketFolder('voice-link-')
  const path = localAddress(folder, 'door')
  const server = createServer((placeholder) => placeholder.on('error', () => {}).resume())
  server.unref().listen(path)
  return {
    path,
    open: (secured) => new Client(`unix:${path}`, new SocketCredentials(secured), CHANNEL_OPTIONS),
    close() {
      server.close()
      rmSync(folder, { recursive: true, force: true })
    },
  }
}

// A class because the library's extension point for connections is an abstract class.
class SocketCredentials extends ChannelCredentials {
  #secured: Promise<TLSSocket> | null

  constructor(secured: Promise<TLSSocket>) {
    super()
    this.#secured = secured
  }

  override _isSecure(): boolean {
    return true
  }

  override _equals(other: ChannelCredentials): boolean {
    return other === this
  }

  override _createSecureConnector(): experimental.SecureConnector {
    return {
      connect: async (visitor) => {
        visitor.destroy()
        const secured = this.#secured
        this.#secured = null
        if (!secured) throw new Error('The link is closed.')
        const socket = await secured
        // The library checks only for the event, which comes later.
        if (socket.destroyed) throw new Error('The link is closed.')
        limitSession(socket, { isServer: false })
        return { socket, secure: true }
      },
      waitForReady: () => Promise.resolve(),
      getCallCredentials: () => credentials.createEmpty(),
      destroy: () => {},
    }
  }
}
