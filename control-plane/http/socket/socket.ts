// WebSockets that only send. A handshake passes the same gate as a request: a wrong Host or Origin is refused before it becomes a socket,
// a missing API key closes it with 1008. What clients send is read and ignored.
import type { IncomingMessage, Server } from 'node:http'
import type { Socket } from 'node:net'
import type { Duplex } from 'node:stream'
import { type WebSocket, WebSocketServer } from 'ws'
import { Failure } from '#shared/protocol/failure.ts'
import type { Clock } from '#shared/runtime/clock.ts'
import type { Log } from '#shared/runtime/log.ts'
import type { AccessGate } from '../access.ts'
import type { Access } from '../contract.ts'

export type SocketRoute = {
  readonly path: string
  readonly access: Access
  /** The text frames for one client until the signal aborts. Throws Failure when there is no room for it. */
  readonly frames: (signal: AbortSignal) => AsyncIterable<string>
}
type Parts = {
  readonly sockets: readonly SocketRoute[]
  readonly gate: AccessGate
  /** Called for a connection that passed the gate and becomes a WebSocket. */
  readonly accepted: (connection: Socket) => void
  readonly clock: Clock
  readonly log: Log
}

/** Of one message from a client. */
const MESSAGE_BYTES = 4 * 1024
/** A client that has not answered a ping when the next one is due is disconnected. */
const ALIVE_EVERY_MS = 30_000
const REASON_BYTES = 100
const POLICY = 1008
const GOING_AWAY = 1001
const TRY_LATER = 1013

/** Only these requests leave HTTP; other protocols that a client proposes are answered as ordinary requests. */
export const isSocketRequest = ({ headers }: IncomingMessage): boolean => headers.upgrade?.toLowerCase() === 'websocket'

/** Serves the sockets on the server. The returned function closes all of them. */
export function mountSockets(server: Server, { sockets, gate, accepted, clock, log }: Parts): () => void {
  const endpoint = new WebSocketServer({ noServer: true, maxPayload: MESSAGE_BYTES, perMessageDeflate: false })

  server.on('upgrade', (request: IncomingMessage, stream: Duplex, head: Buffer) => {
    stream.on('error', () => stream.destroy()) // until ws takes over, a reset would be unhandled
    const route = sockets.find(({ path }) => path === request.url?.split('?')[0])
    const refusal = refused(route, request)
    if (refusal && refusal.code !== 'UNAUTHORIZED') return refuse(stream, refusal.code === 'NOT_FOUND' ? '404 Not Found' : '403 Forbidden')
    endpoint.handleUpgrade(request, stream, head, (socket) => {
      socket.on('error', () => socket.terminate())
      if (refusal) return socket.close(POLICY, reasonOf(refusal))
      accepted(request.socket)
      void serve(socket, route!)
    })
  })

  function refused(route: SocketRoute | undefined, { socket, method = '', headers }: IncomingMessage): Failure | null {
    try {
      gate(route?.access ?? 'open', { address: socket.remoteAddress ?? '', method, headers })
    } catch (error) {
      return Failure.from(error)
    }
    return route ? null : new Failure('NOT_FOUND', 'There is no such socket.')
  }

  async function serve(socket: WebSocket, { path, frames }: SocketRoute): Promise<void> {
    const gone = new AbortController()
    socket.on('close', () => gone.abort())
    const stopWatching = watch(socket)
    try {
      // The next frame is taken only when this one has left, so a client that does not read holds one frame here.
      for await (const frame of frames(gone.signal)) await sent(socket, frame)
      socket.close(GOING_AWAY, 'The studio is stopping.')
    } catch (error) {
      const failure = Failure.from(error)
      if (!gone.signal.aborted) log.info({ path, err: failure.message }, 'a socket was closed')
      socket.close(TRY_LATER, reasonOf(failure))
    } finally {
      stopWatching()
    }
  }

  /** Ends connections whose client has disappeared without closing them. */
  function watch(socket: WebSocket): () => void {
    let isAlive = true
    let forget = () => {}
    socket.on('pong', () => {
      isAlive = true
    })
    const check = () => {
      if (!isAlive) return socket.terminate()
      isAlive = false
      socket.ping()
      forget = clock.after(ALIVE_EVERY_MS, check)
    }
    forget = clock.after(ALIVE_EVERY_MS, check)
    return () => forget()
  }

  return () => {
    for (const socket of endpoint.clients) socket.terminate()
  }
}

const sent = (socket: WebSocket, frame: string): Promise<void> =>
  new Promise((resolve, reject) => socket.send(frame, (error) => (error ? reject(error) : resolve())))

function refuse(stream: Duplex, status: string): void {
  stream.end(`HTTP/1.1 ${status}\r\nConnection: close\r\nContent-Length: 0\r\n\r\n`)
}

/** A close frame has room for 123 bytes. */
const reasonOf = ({ message }: Failure): string => message.replace(/[^\x20-\x7e]/g, '?').slice(0, REASON_BYTES)
