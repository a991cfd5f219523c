// WebSockets. A handshake passes the same gate as a request: a wrong Host or Origin is refused before it becomes a socket, a missing API key
// closes it with 1008. A route takes the messages of its clients one by one, or has them ignored.
import { setMaxListeners } from 'node:events'
import type { IncomingMessage, Server } from 'node:http'
import type { Socket } from 'node:net'
import type { Duplex } from 'node:stream'
import { type WebSocket, WebSocketServer } from 'ws'
import { asClient } from '#control-plane/clients/client.ts'
import { createPlaces } from '#control-plane/clients/places.ts'
import { Failure } from '#shared/protocol/failure.ts'
import type { Clock } from '#shared/runtime/clock.ts'
import type { Log } from '#shared/runtime/log.ts'
import type { ClientOf } from '../access/client-of.ts'
import type { AccessGate } from '../access/gate.ts'
import type { BasePath } from '../contract/base-path.ts'
import { hasSeveralHosts, type Principal } from '../contract/caller.ts'
import type { SocketContract } from '../contract/contract.ts'
import { fromServer, messageFor } from '../contract/errors.ts'
import { type NewRequestId, REQUEST_ID } from '../contract/request-id.ts'
import { strictMessage } from '../describe/strict-events.ts'
import type { NewWork } from '../limits/new-work.ts'
import { messagesOf, type SocketMessage } from './messages.ts'

export type SocketClient = {
  /** Aborted when the client has disconnected, was signed out, or the studio stops. */
  readonly signal: AbortSignal
  /** Query of the handshake, without the ticket. */
  readonly query: URLSearchParams
  /** Reading stops while no message is taken. Empty for a route that receives nothing. Throws REQUEST_TIMEOUT. */
  readonly messages: AsyncIterable<SocketMessage>
}
export type SocketRoute = {
  readonly contract: SocketContract
  /** Connections of one client at once. */
  readonly connectionsPerClient: number
  /** Limits for messages of its clients; null: messages are ignored. */
  readonly receives: {
    /** Bytes of one message. A larger one closes the socket with 1009. */
    readonly mostBytes: number
    /** Longest silence of a client while a message is awaited. */
    readonly idleMs: number
  } | null
  /** The frames for one client, text or bytes, until the signal aborts. Throws Failure, which becomes the reason of the close. */
  readonly frames: (client: SocketClient) => AsyncIterable<string | Uint8Array>
}
type Parts = {
  readonly sockets: readonly SocketRoute[]
  /** In development, a message that its contract does not describe closes the socket. */
  readonly checkReplies: boolean
  readonly base: Pick<BasePath, 'removedFrom'>
  readonly gate: AccessGate
  readonly clientOf: ClientOf
  /** Called for a connection that passed the gate and becomes a WebSocket. */
  readonly accepted: (connection: Socket) => void
  readonly newId: NewRequestId
  /** Routes that receive messages are work. */
  readonly work: NewWork
  readonly clock: Clock
  readonly log: Log
}

/** Bytes of one message to a route that ignores messages. */
const IGNORED_BYTES = 4 * 1024
/** A client that has not answered a ping when the next one is due is disconnected. */
const ALIVE_EVERY_MS = 30_000
const REASON_BYTES = 100
const NORMAL = 1000
const POLICY = 1008
/** "Service Restart": clients connect again, also after a stop that its owner did not announce as a restart. */
const RESTART = 1012
const TRY_LATER = 1013
const SIGNED_OUT = 'The client was signed out.'
const STOPPING = 'The studio is stopping. If it starts again, connect again in a few seconds.'

/** Only these requests leave HTTP; other protocols that a client proposes are answered as ordinary requests. */
export const isSocketRequest = ({ headers }: IncomingMessage): boolean => headers.upgrade?.toLowerCase() === 'websocket'

export type Sockets = {
  /** Ends the routes that receive messages and have not come to their end by themselves; the others end with their source. */
  readonly beginStop: () => void
  readonly terminate: () => void
}

/** Serves the sockets on the server. */
export function mountSockets(
  server: Server,
  { sockets, checkReplies, base, gate, clientOf, accepted, newId, work, clock, log }: Parts,
): Sockets {
  const stopping = new AbortController()
  setMaxListeners(0, stopping.signal)
  setMaxListeners(0, work.draining)
  const endpoints = new Map(
    sockets.map((route) => {
      const maxPayload = route.receives?.mostBytes ?? IGNORED_BYTES
      return [route, new WebSocketServer({ noServer: true, maxPayload, perMessageDeflate: false })]
    }),
  )
  const placesAt = new Map(
    sockets.map((route) => [route, createPlaces({ perClient: route.connectionsPerClient, what: `connections to ${route.contract.path}` })]),
  )

  server.on('upgrade', (request: IncomingMessage, stream: Duplex, head: Buffer) => {
    stream.on('error', () => stream.destroy()) // until ws takes over, a reset would be unhandled
    void open(request, stream, head)
  })

  async function open(request: IncomingMessage, stream: Duplex, head: Buffer): Promise<void> {
    if (hasSeveralHosts(request.rawHeaders)) return refuse(stream, '400 Bad Request', newId())
    const { path, ticket, query } = addressOf(base.removedFrom(request.url ?? ''))
    const route = sockets.find((one) => one.contract.path === path)
    const { socket: connection, method = '', headers } = request
    const isReading = route?.contract.forReaders === true
    const caller = {
      connection,
      method,
      headers,
      isSocket: true as const,
      isReading,
      ...(ticket !== null && { ticket: { text: ticket, path } }),
    }
    const access = route?.contract.access ?? 'open'
    const admitted = await gate(access, caller)
      .then(async (principal) => ({ principal, client: await clientOf(principal, { ...caller, access }) }))
      .catch((error: unknown) => Failure.from(error))
    if (!route) return refuse(stream, admitted instanceof Failure ? '403 Forbidden' : '404 Not Found', newId())
    if (admitted instanceof Failure && admitted.code !== 'UNAUTHORIZED') return refuse(stream, '403 Forbidden', newId())
    endpoints.get(route)!.handleUpgrade(request, stream, head, (socket) => {
      socket.on('error', () => socket.terminate())
      if (admitted instanceof Failure) return socket.close(POLICY, reasonOf(admitted))
      const { principal, client } = admitted
      const places = placesAt.get(route)!
      const full = (route.receives && work.refusal()) ?? places.refusal(client)
      if (full) return socket.close(TRY_LATER, reasonOf(full))
      const leave = places.take(1, client)
      accepted(connection)
      const end = route.receives ? work.begin() : () => {}
      void asClient(client, () => serve(socket, route, query, principal.ended)).finally(() => {
        leave()
        end()
      })
    })
  }

  async function serve(socket: WebSocket, route: SocketRoute, query: URLSearchParams, ended: Principal['ended']): Promise<void> {
    const { contract, receives, frames } = route
    const { path } = contract
    const gone = new AbortController()
    const end = () => gone.abort()
    ended?.addEventListener('abort', end)
    if (ended?.aborted) end()
    if (receives) stopping.signal.addEventListener('abort', end)
    socket.on('close', end)
    const messages = receives
      ? messagesOf(socket, { clock, idleMs: receives.idleMs, signal: gone.signal, last: work.draining })
      : NO_MESSAGES
    const stopWatching = watch(socket)
    try {
      // The next frame is taken only when this one has left, so a client that does not read holds one frame here.
      for await (const frame of frames({ signal: gone.signal, query, messages }))
        await sent(socket, checkReplies && contract.frames ? strictMessage(contract.frames, frame) : frame)
      close(socket, ended, receives === null ? [RESTART, STOPPING] : [NORMAL, ''])
    } catch (error) {
      const failure = fromServer(error)
      if (!gone.signal.aborted) log[failure.code === 'UNKNOWN' ? 'error' : 'info']({ path, err: failure.message }, 'a socket was closed')
      close(socket, ended, [TRY_LATER, reasonOf(failure)])
    } finally {
      stopWatching()
      ended?.removeEventListener('abort', end)
      stopping.signal.removeEventListener('abort', end)
    }
  }

  /** `otherwise`: code and reason where neither the user nor the studio ended it. */
  function close(socket: WebSocket, ended: Principal['ended'], otherwise: readonly [number, string]): void {
    // A paused socket would not read the reply of the client, and would stay until it is terminated.
    socket.resume()
    if (ended?.aborted) socket.close(POLICY, SIGNED_OUT)
    else if (work.draining.aborted) socket.close(RESTART, STOPPING)
    else socket.close(...otherwise)
  }

  /** Ends connections whose client has disappeared without closing them. */
  function watch(socket: WebSocket): () => void {
    let isAlive = true
    let forget = () => {}
    socket.on('pong', () => {
      isAlive = true
    })
    const check = () => {
      // The answer of a client cannot be read while its messages wait.
      if (!isAlive && !socket.isPaused) return socket.terminate()
      isAlive = false
      socket.ping()
      forget = clock.after(ALIVE_EVERY_MS, check)
    }
    forget = clock.after(ALIVE_EVERY_MS, check)
    return () => forget()
  }

  return {
    beginStop: () => stopping.abort(),
    terminate() {
      for (const { clients } of endpoints.values()) for (const socket of clients) socket.terminate()
    },
  }
}

async function* nothing(): AsyncGenerator<never> {}
const NO_MESSAGES: AsyncIterable<SocketMessage> = { [Symbol.asyncIterator]: nothing }

const sent = (socket: WebSocket, frame: string | Uint8Array): Promise<void> =>
  new Promise((resolve, reject) => socket.send(frame, (error) => (error ? reject(error) : resolve())))

function refuse(stream: Duplex, status: string, id: string): void {
  stream.end(`HTTP/1.1 ${status}\r\n${REQUEST_ID}: ${id}\r\nConnection: close\r\nContent-Length: 0\r\n\r\n`)
}

/** The path of a handshake, its query, and the ticket of the query; null without one. */
function addressOf(url: string): {
  readonly path: string
  readonly query: URLSearchParams
  readonly ticket: string | null
} {
  const [path = '', text = ''] = url.split('?')
  const query = new URLSearchParams(text)
  const ticket = query.get('ws_ticket')
  query.delete('ws_ticket')
  return { path, query, ticket }
}

/** A close frame has room for 123 bytes. */
const reasonOf = (failure: Failure): string =>
  messageFor(failure)
    .replace(/[^\x20-\x7e]/g, '?')
    .slice(0, REASON_BYTES)
