// A second port of the same HTTP server, for devices of the local network. Its connections are handed to the server, so they share its
// limits, and are marked, so that the gate treats no sender on it as local.
import type { Server as HttpServer } from 'node:http'
import { createServer, type Server, type Socket } from 'node:net'
import { Failure } from '#shared/protocol/failure.ts'
import { createSerialQueue } from '#shared/runtime/serial-queue.ts'
import type { PeerConnection } from '../contract/caller.ts'

export type SharedPort = ReturnType<typeof createSharedPort>
type Open = { readonly listener: Server; readonly port: number; readonly sockets: Set<Socket> }

const EVERY_INTERFACE = '0.0.0.0'
/** Ports that are tried from the first one on. */
export const PORTS_TRIED = 20

export function createSharedPort() {
  const marked = new WeakSet<PeerConnection>()
  const inOrder = createSerialQueue()
  let server: HttpServer | null = null
  let open: Open | null = null

  function accept(socket: Socket, sockets: Set<Socket>): void {
    marked.add(socket)
    sockets.add(socket)
    socket.once('close', () => sockets.delete(socket))
    if (server) server.emit('connection', socket)
    else socket.destroy()
  }

  async function listen(first: number): Promise<Open> {
    for (let port = first; port < first + PORTS_TRIED && port <= 65_535; port++) {
      const sockets = new Set<Socket>()
      // The options that an HTTP server gives its own listener.
      const listener = createServer({ allowHalfOpen: true, noDelay: true }, (socket) => accept(socket, sockets))
      if (await hasBound(listener, port)) return { listener, port, sockets }
    }
    throw new Failure('CONFLICT', `None of the ports ${first} to ${first + PORTS_TRIED - 1} is free. Set another first port for sharing.`)
  }

  return {
    /** The server that serves the connections. */
    attach(httpServer: HttpServer): void {
      server = httpServer
    },
    isShared: (connection: PeerConnection): boolean => marked.has(connection),
    /** Null while it is closed. */
    port: (): number | null => open?.port ?? null,
    /** The port; an open one is kept. Throws CONFLICT when none of 20 ports is free or the system refuses. */
    open: (first: number): Promise<number> =>
      inOrder(async () => {
        open ??= await listen(first)
        return open.port
      }),
    /** Ends the connections of the port as well: their senders may no longer use the studio. */
    close: (): Promise<void> =>
      inOrder(async () => {
        if (open === null) return
        const { listener, sockets } = open
        open = null
        const closed = new Promise<void>((resolve) => listener.close(() => resolve()))
        for (const socket of sockets) socket.destroy()
        await closed
      }),
  }
}

/** False when the port is taken. Throws CONFLICT for other problems. */
const hasBound = (listener: Server, port: number): Promise<boolean> =>
  new Promise((resolve, reject) => {
    listener.once('error', (error: NodeJS.ErrnoException) => {
      if (error.code === 'EADDRINUSE' || error.code === 'EACCES') resolve(false)
      else reject(new Failure('CONFLICT', `The system does not open port ${port} (${error.code}).`, { cause: error }))
    })
    listener.listen({ host: EVERY_INTERFACE, port }, () => resolve(true))
  })
