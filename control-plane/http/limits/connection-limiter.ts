// Bounds what connections can hold: their number, in total and per address, and the time in which a request must arrive. When a bound is
// reached, an idle or half-sent connection is closed: first those that never passed an access check, then the oldest, at the address with
// the most connections. So a flood does not keep others out, and the agent port and the disk always have descriptors left.
import type { IncomingMessage, RequestListener, Server, ServerResponse } from 'node:http'
import type { Socket } from 'node:net'
import { Failure } from '#shared/protocol/failure.ts'
import { createServer } from '#shared/runtime/builtin/http.ts'
import type { Clock } from '#shared/runtime/clock.ts'
import type { Log } from '#shared/runtime/log.ts'
import { answerRaw } from '../contract/errors.ts'
import type { NewRequestId } from '../contract/request-id.ts'
import type { ConnectionLimits } from './connection-limits.ts'
import { sourceOf } from './source.ts'
import { upgradesOnly } from './upgrades.ts'

type Connection = {
  readonly socket: Socket
  readonly network: string
  /** The last request; null before the first one. */
  request: IncomingMessage | null
  /** Responses that are not complete. */
  running: number
  /** Bytes that arrived before the current request. */
  bytesBefore: number
  /** A caller on it passed the access check of a route that is not open to everybody. */
  isTrusted: boolean
  isWebSocket: boolean
}
type Deps = {
  readonly limits: ConnectionLimits
  readonly keepAliveMs: number
  /** Other protocols that a client proposes are ignored. */
  readonly shouldUpgrade: (request: IncomingMessage) => boolean
  readonly newId: NewRequestId
  readonly clock: Clock
  readonly log: Log
}
export type ConnectionLimiter = ReturnType<typeof createConnectionLimiter>

const LOGGED_EVERY_MS = 60_000

export function createConnectionLimiter({ limits, keepAliveMs, shouldUpgrade, newId, clock, log }: Deps) {
  /** By network; a set has the order in which its connections became idle. */
  const networks = new Map<string, Set<Connection>>()
  const connections = new WeakMap<Socket, Connection>()
  let count = 0
  let loggedAt = Number.NEGATIVE_INFINITY

  function add(socket: Socket): void {
    const network = sourceOf(socket.remoteAddress ?? '')
    const own = networks.get(network)
    if (own && own.size >= limits.perAddress && !endOne([own])) return refuse(socket, 'Too many connections from this address are open.')
    if (count >= limits.total && !endOne([...networks.values()].sort((a, b) => b.size - a.size)))
      return refuse(socket, 'Too many connections to the studio are open.')
    const connection = { socket, network, request: null, running: 0, bytesBefore: 0, isTrusted: false, isWebSocket: false }
    const set = networks.get(network) ?? new Set()
    networks.set(network, set.add(connection))
    connections.set(socket, connection)
    count++
    socket.once('close', () => remove(connection))
  }

  function remove(connection: Connection): void {
    const set = networks.get(connection.network)
    if (!set?.delete(connection)) return
    count--
    if (set.size === 0) networks.delete(connection.network)
  }

  /** Ends one connection that can be closed, if there is one: from the first set that has one. */
  function endOne(sets: readonly Set<Connection>[]): boolean {
    logFull()
    for (const isTrusted of [false, true])
      for (const set of sets)
        for (const connection of set) {
          if (connection.isTrusted !== isTrusted || isBusy(connection)) continue
          connection.socket.destroy()
          remove(connection) // the close event comes later
          return true
        }
    return false
  }

  function refuse(socket: Socket, message: string): void {
    socket.on('error', () => socket.destroy())
    answerRaw(socket, new Failure('QUEUE_FULL', message), newId())
  }

  /** At most once a minute, because a caller decides how often it happens. */
  function logFull(): void {
    if (clock.mono() - loggedAt < LOGGED_EVERY_MS) return
    loggedAt = clock.mono()
    log.warn(
      { connections: count, addresses: networks.size },
      'the limit of HTTP connections is reached; idle and half-sent ones are ended',
    )
  }

  function begin(request: IncomingMessage, response: ServerResponse): void {
    const connection = connections.get(request.socket)
    if (!connection) return
    connection.request = request
    connection.running++
    response.once('close', () => {
      connection.running--
      connection.bytesBefore = connection.socket.bytesRead
      const set = networks.get(connection.network)
      if (set?.delete(connection)) set.add(connection) // now the last one to become idle
    })
    if (hasBody(request)) limitBody(connection, request, response)
  }

  /** Ends the connection when the body arrives too slowly. */
  function limitBody({ socket, bytesBefore }: Connection, request: IncomingMessage, response: ServerResponse): void {
    const startedAt = clock.mono()
    let forget = () => {}
    const check = () => {
      if (request.complete || socket.destroyed) return
      const received = socket.bytesRead - bytesBefore
      const allowedMs = Math.min(
        limits.bodyMs + (received / limits.bodyBytesPerSecond) * 1_000,
        limits.requestMs + (received / limits.fastBytesPerSecond) * 1_000,
      )
      const leftMs = allowedMs - (clock.mono() - startedAt)
      if (leftMs > 0) forget = clock.after(Math.ceil(leftMs), check)
      else if (response.headersSent) socket.destroy()
      else answerRaw(socket, new Failure('REQUEST_TIMEOUT', 'The body of the request did not arrive in time.'), newId())
    }
    forget = clock.after(limits.bodyMs, check)
    // Not an event of the socket, which lives for many requests.
    request.once('close', () => forget())
  }

  return {
    /** A server whose connections are bounded. */
    serve(handler: RequestListener): Server {
      const server = createServer({
        headersTimeout: limits.headersMs,
        requestTimeout: 0, // limitBody knows how much arrived
        connectionsCheckingInterval: limits.headersCheckMs,
        keepAliveTimeout: keepAliveMs,
        ...upgradesOnly(shouldUpgrade),
      })
      return server.on('connection', add).on('request', begin).on('request', handler)
    },
    /** The caller passed the access check of a route that is not open: this connection is kept while a request on it runs. */
    trust(socket: Socket): void {
      const connection = connections.get(socket)
      if (connection) connection.isTrusted = true
    },
    /** Same as `trust`, for a connection that became a WebSocket. */
    trustWebSocket(socket: Socket): void {
      const connection = connections.get(socket)
      if (connection) connection.isWebSocket = true
    },
  }
}

const isBusy = ({ isTrusted, isWebSocket, running, request }: Connection): boolean =>
  isWebSocket || (isTrusted && running > 0 && request?.complete === true)

const hasBody = ({ headers }: IncomingMessage): boolean =>
  headers['transfer-encoding'] !== undefined || (headers['content-length'] ?? '0') !== '0'
