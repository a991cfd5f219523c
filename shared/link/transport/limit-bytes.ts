// A connection of an unauthenticated peer that may send only so many bytes. The count includes everything: headers, settings, and frames that
// no stream ever gets, each of which costs memory or time.
//
// The HTTP/2 session must read from the TLS socket itself. A stream in between would be written through Node's adapter for streams, whose
// assertions fail on a busy machine (nodejs/node issues 35384 and 59780) and end the process.
import { subscribe } from 'node:diagnostics_channel'
import type { ServerHttp2Stream } from 'node:http2'
import type { TLSSocket } from 'node:tls'
import type { Clock } from '#shared/runtime/clock.ts'

/** Frames that reach no stream keep no memory, so they may exceed the limit for this long. */
const LOOK_MS = 20
const CHECK = Symbol('check')
type Marked = { [CHECK]?: () => void }
let isWatching = false

/**
 * Destroys the socket, after `onExceeded`, as soon as the peer has sent more than `maxBytes` to its streams, or at most LOOK_MS later for
 * other frames. Call it before the socket gets its HTTP/2 session.
 */
export function limitBytes(socket: TLSSocket, maxBytes: number, clock: Clock, onExceeded: () => void): void {
  const check = () => {
    if (socket.destroyed || socket.bytesRead <= maxBytes) return
    onExceeded()
    socket.destroy()
  }
  let forget = () => {}
  const look = () => {
    check()
    if (!socket.destroyed) forget = clock.after(LOOK_MS, look)
  }
  Object.assign(socket, { [CHECK]: check } satisfies Marked)
  socket.once('close', () => forget())
  watchStreams()
  look()
}

/** Checks at every piece of data that a stream receives. Node publishes every new stream together with its session. */
function watchStreams(): void {
  if (isWatching) return
  isWatching = true
  subscribe('http2.server.stream.created', (message) => {
    const { stream } = message as { stream: ServerHttp2Stream }
    const check = (stream.session?.socket as Marked | undefined)?.[CHECK]
    if (!check) return
    const push = stream.push.bind(stream)
    stream.push = (piece: Buffer | null, encoding?: BufferEncoding) => {
      check()
      return push(piece, encoding)
    }
  })
}
