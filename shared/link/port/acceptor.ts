// A listening port for untrusted connections: it limits unauthenticated connections, in total and per address, and each must send its first
// byte soon. That byte selects the protocol.
import { createServer, type Socket } from 'node:net'
import type { Clock } from '#shared/runtime/clock.ts'
import type { Log } from '#shared/runtime/log.ts'
import { type Address, listenOn, remoteAddress, remoteHost, tune } from '../transport/address.ts'
import { peekByte } from '../transport/peek.ts'
import { limitKey } from './admission.ts'

export type Acceptor = {
  /** Resolves with the bound address, its real port included. */
  readonly listen: (address: Address) => Promise<Address>
  /** Null while it does not listen. */
  readonly address: () => Address | null
  /** Stops listening and cuts waiting connections; accepted ones stay open. */
  readonly close: () => void
}

/** A connection counts as waiting until `onFirstByte` settles. When it rejects, the connection is destroyed. */
export function createAcceptor(options: {
  readonly onFirstByte: (socket: Socket, firstByte: number) => Promise<void>
  readonly maxWaiting: number
  /** Limit per address; beyond it, the connection that has been silent longest is destroyed. */
  readonly maxWaitingPerHost?: number
  readonly firstByteMs: number
  readonly clock: Clock
  readonly log: Log
}): Acceptor {
  const waiting = new Set<Socket>()
  const silent = new Set<Socket>() // in order of arrival
  const hosts = new Map<string, number>()
  let bound: Address | null = null

  const accept = async (socket: Socket) => {
    const { maxWaiting, firstByteMs, clock, log } = options
    socket.on('error', () => {})
    if (waiting.size >= maxWaiting) return void socket.destroy()
    const host = limitKey(remoteHost(socket))
    if ((hosts.get(host) ?? 0) >= (options.maxWaitingPerHost ?? maxWaiting) && !makeRoom(host)) return void socket.destroy()
    waiting.add(tune(socket))
    silent.add(socket)
    hosts.set(host, (hosts.get(host) ?? 0) + 1)
    socket.once('close', () => forget(socket, host))
    try {
      const firstByte = await peekByte(socket, firstByteMs, clock)
      silent.delete(socket)
      await options.onFirstByte(socket, firstByte)
    } catch (error) {
      log.debug({ address: remoteAddress(socket), reason: String(error) }, 'connection refused')
      socket.destroy()
    } finally {
      forget(socket, host)
    }
  }
  function forget(socket: Socket, host: string): void {
    silent.delete(socket)
    if (!waiting.delete(socket)) return
    const left = hosts.get(host)! - 1
    if (left > 0) hosts.set(host, left)
    else hosts.delete(host)
  }
  /** An agent sends its first byte at once, so the oldest silent connection is the least likely to be one. */
  function makeRoom(host: string): boolean {
    for (const socket of silent) {
      if (limitKey(remoteHost(socket)) !== host) continue
      forget(socket, host)
      socket.destroy()
      return true
    }
    return false
  }
  const server = createServer(accept)

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
      for (const socket of waiting) socket.destroy()
    },
  }
}
