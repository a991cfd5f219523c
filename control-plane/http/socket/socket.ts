// WebSockets that only send. A handshake passes the same gate as a request: a wrong Host or Origin is refused before it becomes a socket,
// a missing API key closes it with 1008. What clients send is read and ignored.
import type { IncomingMessage, Server } from 'node:http'
import type { Socket } from 'node:net'
import type { Duplex } from 'node:stream'
import { type WebSocket, WebSocketServer } from 'ws'
import { Failure } from '#shared/protocol/failure.ts'
import type { Clock } from '#shared/runtime/clock.ts'
import type { Log } from '#shared/runtime/log.ts'
import type { Principal } from '../access/caller.ts'
import type { AccessGate } from '../access/gate.ts'
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
const SIGNED_OUT = 'The client was signed out.'

/** Only these requests leave HTTP; other protocols that a client proposes are answered as ordinary requests. */
export const isSocketRequest = ({ headers }: IncomingMessage): boolean => headers.upgrade?.toLowerCase() === 'websocket'

/** Serves the sockets on the server. The returned function closes all of them. */
export function mountSockets(server: Server, { sockets, gate, accepted, clock, log }: Parts): () => void {
  const endpoint = new WebSocketServer({ noServer: true, maxPayload: MESSAGE_BYTES, perMessageDeflate: false })

  server.on('upgrade', (request: IncomingMessage, stream: Duplex, head: Buffer) => {
    stream.on('error', () => stream.destroy()) // until ws takes over, a reset would be unhandled
    void open(request, stream, head)
  })

  async function open(request: IncomingMessage, stream: Duplex, head: Buffer): Promise<void> {
    const { path, ticket } = addressOf(request)
    const route = sockets.find((one) => one.path === path)
    const { socket: connection, method = '', headers } = request
    const caller = { connection, method, headers, ...(ticket !== null && { ticket: { text: ticket, path } }) }
    const admitted = await gate(route?.access ?? 'open', caller).catch((error: unknown) => Failure.from(error))
    if (!route) return refuse(stream, admitted instanceof Failure ? '403 Forbidden' : '404 Not Found')
    if (admitted instanceof Failure && admitted.code !== 'UNAUTHORIZED') return refuse(stream, '403 Forbidden')
    endpoint.handleUpgrade(request, stream, head, (socket) => {
      socket.on('error', () => socket.terminate())
      if (admitted instanceof Failure) socket.close(POLICY, reasonOf(admitted))
      else {
        accepted(connection)
        void serve(socket, route, admitted)
      }
    })
  }

  async function serve(socket: WebSocket, { path, frames }: SocketRoute, { signIn }: Principal): Promise<void> {
    const gone = new AbortController()
    const end = () => gone.abort()
    signIn?.ended.addEventListener('abort', end)
    socket.on('close', () => {
      signIn?.ended.removeEventListener('abort', end)
      end()
    })
    const stopWatching = watch(socket)
    try {
      // The next frame is taken only when this one has left, so a client that does not read holds one frame here.
      for await (const frame of frames(gone.signal)) await sent(socket, frame)
      if (signIn?.ended.aborted) socket.close(POLICY, SIGNED_OUT)
      else socket.close(GOING_AWAY, 'The studio is stopping.')
    } catch (error) {
      const failure = Failure.from(error)
      if (signIn?.ended.aborted) return socket.close(POLICY, SIGNED_OUT)
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

/** The path of a handshake, and the ticket of its query; null without one. */
function addressOf({ url = '' }: IncomingMessage): { readonly path: string; readonly ticket: string | null } {
  const [path = '', query = ''] = url.split('?')
  return { path, ticket: new URLSearchParams(query).get('ws_ticket') }
}

/** A close frame has room for 123 bytes. */
const reasonOf = ({ message }: Failure): string => message.replace(/[^\x20-\x7e]/g, '?').slice(0, REASON_BYTES)
