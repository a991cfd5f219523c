// Receive windows and the byte budget of authenticated sessions, for which grpc-js has no options. Node publishes every new stream together
// with its HTTP/2 session.
import { subscribe } from 'node:diagnostics_channel'
import { type ClientHttp2Session, type ClientHttp2Stream, constants, type ServerHttp2Session, type ServerHttp2Stream } from 'node:http2'
import type { TLSSocket } from 'node:tls'

const KIB = 1024
/** Unread bytes of one stream. */
export const STREAM_WINDOW_BYTES = 1024 * KIB
const CONNECTION_WINDOW_BYTES = 8 * 1024 * KIB
/** Received bytes of one session that are not yet a complete message in the hands of a handler. */
export const SESSION_BYTES = 64 * 1024 * KIB
/** Memory that Node needs for a piece of data, however small. */
const PIECE_BYTES = 256

const SESSION = Symbol('session')
type Limits = { readonly isServer: boolean }
type Marked = { [SESSION]?: Limits }
type Session = ServerHttp2Session | ClientHttp2Session
type Stream = ServerHttp2Stream | ClientHttp2Stream
/** `incomplete`: bytes of the message that is not complete; `counted`: what the total includes for this stream. */
type Held = { incomplete: number; counted: number }
type Budget = { readonly streams: Map<Stream, Held>; total: number; readonly countsUnread: boolean }
const budgets = new WeakMap<Session, Budget>()
let isWatching = false

/**
 * Call it before the socket gets its HTTP/2 session. A client chooses its calls and how fast it reads each, so that only incomplete messages
 * count against the peer; a server also counts unread ones.
 */
export function limitSession(socket: TLSSocket, limits: Limits): void {
  Object.assign(socket, { [SESSION]: limits } satisfies Marked)
  if (isWatching) return
  isWatching = true
  for (const channel of ['http2.server.stream.created', 'http2.client.stream.created'])
    subscribe(channel, (message) => {
      const { stream } = message as { stream: Stream }
      const session = stream.session as Session | undefined
      if (!session || session.destroyed) return
      const marked = (session.socket as Marked)[SESSION]
      if (marked) watch(stream, budgetOf(session, marked))
    })
}

function budgetOf(session: Session, { isServer }: Limits): Budget {
  const existing = budgets.get(session)
  if (existing) return existing
  if (isServer) {
    // The default of 64 KiB slows a distant sender down. A client has an option for its windows.
    session.setLocalWindowSize(CONNECTION_WINDOW_BYTES)
    session.settings({ initialWindowSize: STREAM_WINDOW_BYTES })
  }
  const budget: Budget = { streams: new Map(), total: 0, countsUnread: isServer }
  budgets.set(session, budget)
  return budget
}

/** Ends the stream whose data exceed the budget: a message that never becomes complete would stay in memory as long as the peer likes. */
function watch(stream: Stream, budget: Budget): void {
  const count = createMessageCounter()
  const push = stream.push.bind(stream)
  const held: Held = { incomplete: 0, counted: 0 }
  budget.streams.set(stream, held)
  stream.once('close', () => {
    budget.total -= held.counted
    budget.streams.delete(stream)
  })
  // Every received piece passes here, whether or not the handler reads. A listener for `data` would take the data away from the library.
  stream.push = (piece: Buffer | null, encoding?: BufferEncoding) => {
    if (piece !== null && budget.streams.has(stream)) {
      held.incomplete = count(piece)
      const unread = budget.countsUnread ? stream.readableLength + piece.length : 0
      const counted = Math.max(held.incomplete, unread)
      budget.total += counted - held.counted
      held.counted = counted
      if (budget.total > SESSION_BYTES) recount(budget)
      if (budget.total > SESSION_BYTES) stream.close(constants.NGHTTP2_CANCEL)
    }
    return push(piece, encoding)
  }
}

/** Streams that were read since their last piece hold less than was counted then. */
function recount(budget: Budget): void {
  budget.total = 0
  for (const [stream, held] of budget.streams) {
    held.counted = Math.max(held.incomplete, budget.countsUnread ? stream.readableLength : 0)
    budget.total += held.counted
  }
}

/** Returns, piece by piece, the memory of the message that is not complete yet: a flag, four bytes of length, the content. */
export function createMessageCounter(): (piece: Uint8Array) => number {
  let prefix = 0
  let length = 0
  let missing = 0
  let held = 0
  return (piece) => {
    held += PIECE_BYTES
    for (let at = 0; at < piece.length; ) {
      if (missing > 0) {
        const taken = Math.min(missing, piece.length - at)
        missing -= taken
        at += taken
        held += taken
      } else {
        if (prefix > 0) length = length * 256 + piece[at]!
        prefix += 1
        at += 1
        if (prefix < 5) continue
        missing = length
        prefix = 0
        length = 0
      }
      if (missing === 0 && prefix === 0) held = 0
    }
    return held
  }
}
