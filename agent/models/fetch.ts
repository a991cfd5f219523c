// One GET, redirects followed within limits, the token shown to its own host only, and no wait without an end: a server that stalls is
// given up. What a server says is never believed here, only passed on.
import { type IncomingMessage, request as plainRequest } from 'node:http'
import { request as tlsRequest } from 'node:https'
import { Failure } from '#shared/protocol/failure.ts'
import type { Clock } from '#shared/runtime/clock.ts'
import { allowedUrl, mayHaveToken } from './address.ts'

export type Fetched = {
  readonly status: number
  readonly headers: IncomingMessage['headers']
  readonly body: IncomingMessage
  readonly url: URL
}
export type Fetch = (url: URL, more: { readonly signal: AbortSignal; readonly from?: number }) => Promise<Fetched>
export type FetchDeps = {
  /** The server of the models. */
  readonly base: URL
  readonly token: string | null
  readonly clock: Clock
  readonly version: string
  /** The longest wait for the head of an answer, and for the next bytes of its body. */
  readonly stallMs: number
}
const REDIRECTS = 5

/** A status of the server that is not what was asked for. */
export class Refusal extends Error {
  readonly status: number
  constructor(status: number) {
    super(`the server answered ${status}`)
    this.name = 'Refusal'
    this.status = status
  }
}

export function createFetch({ base, token, clock, version, stallMs }: FetchDeps): Fetch {
  function once(url: URL, from: number, signal: AbortSignal): Promise<IncomingMessage> {
    return new Promise((resolve, reject) => {
      const call = (url.protocol === 'https:' ? tlsRequest : plainRequest)(url, {
        // One connection for each file: what a server leaves on a kept connection must not become the next file.
        agent: false,
        signal,
        headers: {
          'user-agent': `voice-studio/${version}`,
          // A body that is packed on the way would have neither the size nor the offsets of the file.
          'accept-encoding': 'identity',
          ...(from > 0 && { range: `bytes=${from}-` }),
          ...(token !== null && mayHaveToken(url, base) && { authorization: `Bearer ${token}` }),
        },
      })
      const forget = clock.after(stallMs, () => call.destroy(stalled(stallMs)))
      call.once('response', (answer) => {
        forget()
        resolve(answer)
      })
      call.on('error', (error) => {
        forget()
        reject(error)
      })
      call.end()
    })
  }

  return async (address, { signal, from = 0 }) => {
    let url = allowedUrl(address.href)
    for (let turns = 0; ; turns++) {
      const answer = await once(url, from, signal)
      answer.on('error', () => {}) // told to whoever reads it; nobody may be reading yet
      const status = answer.statusCode ?? 0
      if (status < 300 || status >= 400) {
        watchOver(answer, clock, stallMs)
        return { status, headers: answer.headers, body: answer, url }
      }
      answer.destroy()
      if (!answer.headers.location) throw new Refusal(status)
      if (turns >= REDIRECTS) throw new Failure('BAD_REQUEST', `the server of the models redirects more than ${REDIRECTS} times`)
      url = allowedUrl(answer.headers.location, url)
    }
  }
}

/** Breaks a body off that has brought nothing for too long, as long as somebody waits for it. */
function watchOver(body: IncomingMessage, clock: Clock, stallMs: number): void {
  let forget = () => {}
  const arm = () => {
    forget()
    forget = clock.after(stallMs, () => void (body.readableLength > 0 ? arm() : body.destroy(stalled(stallMs))))
  }
  arm()
  body.on('readable', arm)
  body.once('close', () => forget())
}

const stalled = (ms: number) => new Error(`nothing came for ${Math.round(ms / 1000)} s`)

/** The whole body, which may have at most `limit` bytes. */
export async function readBody({ body }: Fetched, limit: number): Promise<Buffer> {
  const pieces: Buffer[] = []
  let length = 0
  for await (const piece of body as AsyncIterable<Buffer>) {
    length += piece.length
    if (length > limit) throw new Failure('BAD_REQUEST', 'the server of the models sent an answer that is too long')
    pieces.push(piece)
  }
  return Buffer.concat(pieces)
}
