// A listening port that trusts nobody: few connections may wait unproven, each must say its first byte soon, and that byte decides.
import { createServer, type Socket } from 'node:net'
import type { Clock } from '#shared/runtime/clock.ts'
import type { Log } from '#shared/runtime/log.ts'
import { type Address, listenOn, remoteAddress, tune } from './address.ts'
import { peekByte } from './peek.ts'

export type Acceptor = {
  /** Resolves with the bound address, its real port included. */
  readonly listen: (address: Address) => Promise<Address>
  /** Null while it does not listen. */
  readonly address: () => Address | null
  /** Stops listening and cuts whoever still waits; connections that were welcomed stay. */
  readonly close: () => void
}

/** A connection counts as waiting until `welcome` settles. When it rejects, the connection is destroyed. */
export function createAcceptor(options: {
  readonly welcome: (socket: Socket, firstByte: number) => Promise<void>
  readonly maxWaiting: number
  readonly firstByteMs: number
  readonly clock: Clock
  readonly log: Log
}): Acceptor {
  const waiting = new Set<Socket>()
  let bound: Address | null = null

  const meet = async (socket: Socket) => {
    const { maxWaiting, firstByteMs, clock, log } = options
    socket.on('error', () => {})
    if (waiting.size >= maxWaiting) return void socket.destroy()
    waiting.add(tune(socket))
    socket.once('close', () => waiting.delete(socket))
    try {
      await options.welcome(socket, await peekByte(socket, firstByteMs, clock))
    } catch (error) {
      log.debug({ address: remoteAddress(socket), reason: String(error) }, 'a connection was turned away')
      socket.destroy()
    } finally {
      waiting.delete(socket)
    }
  }
  const server = createServer(meet)

  return {
    async listen(address) {
      bound = await listenOn(server, address)
      return bound
    },
    address: () => bound,
    close() {
      bound = null
      // Its own callback would wait for the welcomed connections too.
      server.close()
      for (const socket of waiting) socket.destroy()
    },
  }
}
