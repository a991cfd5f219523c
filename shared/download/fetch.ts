// One GET: follows a limited number of redirects, sends the token to its own origin only, and aborts when the server stalls. Callers must
// verify the body.
import type { IncomingMessage } from 'node:http'
import { request as tlsRequest } from 'node:https'
import { Failure } from '#shared/protocol/failure.ts'
import { request as plainRequest } from '#shared/runtime/builtin/http.ts'
import type { Clock } from '#shared/runtime/clock.ts'
import { allowedUrl, mayHaveToken } from './allowed-url.ts'

export type Fetched = {
  readonly status: number
  readonly headers: IncomingMessage['headers']
  readonly body: IncomingMessage
  readonly url: URL
}
export type Fetch = (url: URL, more: { readonly signal: AbortSignal; readonly from?: number }) => Promise<Fetched>
export type FetchDeps = {
  /** The server that the token belongs to. */
  readonly base: URL
  readonly token: string | null
  readonly clock: Clock
  readonly version: string
  /** Longest wait for the response headers, and for the next bytes of the body. */
  readonly stallMs: number
}
const REDIRECTS = 5

/** The server answered with an unexpected status. */
export class HttpRefusal extends Error {
  readonly status: number
  constructor(status: number) {
    super(`The server answered with status ${status}.`)
    this.name = 'Refusal'
    this.status = status
  }
}

export function createFetch({ base, token, clock, version, stallMs }: FetchDeps): Fetch {
  function once(url: URL, from: number, signal: AbortSignal): Promise<IncomingMessage> {
    return new Promise((resolve, reject) => {
      const call = (url.protocol === 'https:' ? tlsRequest : plainRequest)(url, {
        signal,
        headers: {
          // One connection per file: bytes left on a reused connection must not become part of the next file. An agent of its own would
          // do the same, but would not use the proxy.
          connection: 'close',
          'user-agent': `voice-studio/${version}`,
          // A compressed body would have neither the size nor the offsets of the file.
          'accept-encoding': 'identity',
          ...(from > 0 && { range: `bytes=${from}-` }),
          ...(token !== null && mayHaveToken(url, base) && { authorization: `Bearer ${token}` }),
        },
      })
      const cancelTimer = clock.after(stallMs, () => call.destroy(stalled(stallMs)))
      call.once('response', (answer) => {
        cancelTimer()
        resolve(answer)
      })
      call.on('error', (error) => {
        cancelTimer()
        reject(error)
      })
      call.end()
    })
  }

  return async (address, { signal, from = 0 }) => {
    let url = allowedUrl(address.href)
    for (let redirects = 0; ; redirects++) {
      const answer = await once(url, from, signal)
      answer.on('error', () => {}) // the reader receives it too, but may not be reading yet
      const status = answer.statusCode ?? 0
      if (status < 300 || status >= 400) {
        abortOnStall(answer, clock, stallMs)
        requireSpeed(answer, clock)
        return { status, headers: answer.headers, body: answer, url }
      }
      answer.destroy()
      if (!answer.headers.location) throw new HttpRefusal(status)
      if (redirects >= REDIRECTS) throw new Failure('BAD_REQUEST', `The server redirected more than ${REDIRECTS} times.`)
      url = allowedUrl(answer.headers.location, url)
    }
  }
}

/** Aborts a body that has delivered nothing for too long while a reader waits for it. */
function abortOnStall(body: IncomingMessage, clock: Clock, stallMs: number): void {
  let cancelTimer = () => {}
  const arm = () => {
    cancelTimer()
    cancelTimer = clock.after(stallMs, () => void (body.readableLength > 0 ? arm() : body.destroy(stalled(stallMs))))
  }
  arm()
  body.on('readable', arm)
  body.once('close', () => cancelTimer())
}

/**
 * Aborts a body that arrives with less than 1 KiB a second for a minute: at such a speed nothing is ever complete, and a new request, which
 * continues with the next byte, may reach a better server. A reader that is slow itself is not interrupted.
 */
function requireSpeed(body: IncomingMessage, clock: Clock): void {
  let cancelTimer = () => {}
  const arm = () => {
    // A connection carries one file.
    const before = body.socket.bytesRead
    cancelTimer = clock.after(WINDOW_MS, () => {
      if (body.readableLength > 0 || body.socket.bytesRead - before >= WINDOW_BYTES) arm()
      else body.destroy(new Error(`the server sent less than ${SLOWEST_KIB} KiB a second for ${WINDOW_MS / 1000} s`))
    })
  }
  arm()
  body.once('close', () => cancelTimer())
}
const WINDOW_MS = 60_000
const SLOWEST_KIB = 1
const WINDOW_BYTES = (SLOWEST_KIB * 1024 * WINDOW_MS) / 1000

const stalled = (ms: number) => new Error(`the server sent nothing for ${Math.round(ms / 1000)} s`)

/** The whole body, at most `limit` bytes. Throws BAD_REQUEST for a longer one. */
export async function readBody({ body }: Fetched, limit: number): Promise<Buffer> {
  const pieces: Buffer[] = []
  let length = 0
  for await (const piece of body as AsyncIterable<Buffer>) {
    length += piece.length
    if (length > limit) throw new Failure('BAD_REQUEST', 'The server sent a response that is too long.')
    pieces.push(piece)
  }
  return Buffer.concat(pieces)
}
