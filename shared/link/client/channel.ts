// A gRPC client over a socket that exists already. The library can only dial addresses, so it dials a door, a private unix socket, and its
// credentials then hand it the real socket in exchange for the one from the door. No byte passes through the door, nothing is relayed.
import { rmSync } from 'node:fs'
import { createServer } from 'node:net'
import { join } from 'node:path'
import type { TLSSocket } from 'node:tls'
import { ChannelCredentials, Client, credentials, type experimental } from '@grpc/grpc-js'
import { socketFolder } from '#shared/runtime/socket-folder.ts'
import { CHANNEL_OPTIONS } from '../transport/options.ts'

export type Door = {
  readonly path: string
  /** A client whose one connection is this socket; it waits for `secured`, and never connects again. */
  readonly open: (secured: Promise<TLSSocket>) => Client
  readonly close: () => void
}

export function createDoor(): Door {
  const folder = socketFolder('voice-link-')
  const path = join(folder, 'door')
  const server = createServer((visitor) => visitor.on('error', () => {}).resume())
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

// A class because the library demands one: its extension point for connections is this abstract class.
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
        if (!secured) throw new Error('the link is over')
        return { socket: await secured, secure: true }
      },
      waitForReady: () => Promise.resolve(),
      getCallCredentials: () => credentials.createEmpty(),
      destroy: () => {},
    }
  }
}
