// A listening port for untrusted connections: it limits those that have not proven a key, and each must send its first byte soon. That byte
// selects the protocol.
import { createServer, type Socket } from 'node:net'
import type { Clock } from '#shared/runtime/clock.ts'
import type { Log } from '#shared/runtime/log.ts'
import { type Address, listenOn, remoteAddress, tune } from '../transport/address.ts'
import { peekByte } from '../transport/peek.ts'
import { createUnproven, type UnprovenLimits, type UnprovenPeer } from './unproven.ts'

export type Acceptor = {
  /** Resolves with the bound address, its real port included. */
  readonly listen: (address: Address) => Promise<Address>
  /** Null while it does not listen. */
  readonly address: () => Address | null
  /** Stops listening and cuts unproven connections; proven ones stay open. */
  readonly close: () => void
}

/** When `onFirstByte` rejects, the connection is destroyed. */
export function createAcceptor(options: {
  readonly onFirstByte: (socket: Socket, firstByte: number, peer: UnprovenPeer) => Promise<void>
  readonly limits: UnprovenLimits
  readonly firstByteMs: number
  readonly clock: Clock
  readonly log: Log
}): Acceptor {
  const { limits, firstByteMs, clock, log } = options
  const unproven = createUnproven(limits, clock)
  let bound: Address | null = null

  const server = createServer(async (socket) => {
    socket.on('error', () => {})
    const peer = unproven.add(tune(socket))
    try {
      await options.onFirstByte(socket, await peekByte(socket, firstByteMs, clock), peer)
    } catch (error) {
      log.debug({ address: remoteAddress(socket), reason: String(error) }, 'connection refused')
      socket.destroy()
    }
  })

  return {
    async listen(address) {
      bound = await listenOn(server, address)
      return bound
    },
    address: () => bound,
    close() {
      bound = null
      // Without its callback, which would also wait for the accepted connections.
      server.close()
      unproven.cut()
    },
  }
}
