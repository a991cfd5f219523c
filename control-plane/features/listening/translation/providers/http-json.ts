// JSON requests to translation services: four at once for each service, limits on time and size, further attempts after failures that pass,
// and a pause after several failures in a row. Neither texts nor keys are logged, and redirects are not followed.
import { request as secureRequest } from 'node:https'
import { createTurns, type Turns } from '#control-plane/clients/turns.ts'
import { parseJson } from '#shared/protocol/json.ts'
import { request as plainRequest } from '#shared/runtime/builtin/http.ts'
import type { Clock } from '#shared/runtime/clock.ts'
import type { Random } from '#shared/runtime/random.ts'
import { ServiceFailure, type ServiceFailureKind } from './service.ts'

export type JsonRequest = {
  readonly method: 'GET' | 'POST'
  readonly url: string
  readonly headers: Readonly<Record<string, string>>
  /** Sent as JSON; undefined for none. */
  readonly body?: unknown
}
export type JsonReply = { readonly status: number; readonly value: unknown }
/** Kind of failure that a reply is; null for an answer. */
export type FailureKindOf = (reply: JsonReply) => ServiceFailureKind | null
type Received = JsonReply & { readonly retryAfterMs: number | null }
type Deps = { readonly clock: Clock; readonly random: Pick<Random, 'unit'>; readonly version: string }
export type HttpJson = ReturnType<typeof createHttpJson>

export const AT_ONCE = 4
const ATTEMPT_MS = 30_000
const DEADLINE_MS = 120_000
const ATTEMPTS = 4
const REPLY_BYTES = 4 * 1024 * 1024
const FIRST_PAUSE_MS = 500
const LONGEST_PAUSE_MS = 30_000
const BREAKER = { failures: 5, pauseMs: 60_000 } as const
const PASSING: ReadonlySet<ServiceFailureKind> = new Set(['busy', 'network'])

/** A key is not sent over an unencrypted network. */
const isPrivate = ({ protocol, hostname }: URL): boolean =>
  protocol === 'https:' || (protocol === 'http:' && /^(localhost|127(\.\d{1,3}){3}|\[::1\])$/.test(hostname))

/** The kind for a status that has no further meaning for a service. */
export function kindOfHttpStatus(status: number): ServiceFailureKind | null {
  if (status >= 200 && status < 300) return null
  if (status === 401 || status === 403) return 'auth'
  if (status === 429 || status === 529) return 'busy'
  if (status === 408 || status >= 500) return 'network'
  return status >= 400 ? 'request' : 'invalid'
}

export function createHttpJson({ clock, random, version }: Deps) {
  const services = new Map<string, { readonly inTurn: Turns; failures: number; pausedUntil: number }>()
  const stateOf = (name: string) => {
    const known = services.get(name) ?? {
      inTurn: createTurns({ atOnce: AT_ONCE, what: `requests to ${name}` }),
      failures: 0,
      pausedUntil: 0,
    }
    services.set(name, known)
    return known
  }

  async function attempt({ method, url, headers, body }: JsonRequest, signal: AbortSignal): Promise<Received> {
    const payload = body === undefined ? null : Buffer.from(JSON.stringify(body))
    const address = new URL(url)
    return new Promise((resolve, reject) => {
      const send = address.protocol === 'https:' ? secureRequest : plainRequest
      const call = send(address, {
        method,
        headers: {
          accept: 'application/json',
          'accept-encoding': 'identity',
          'user-agent': `voice-studio/${version}`,
          connection: 'close', // an agent without keep-alive would not use the proxy
          ...(payload && { 'content-type': 'application/json', 'content-length': String(payload.length) }),
          ...headers,
        },
        signal,
      })
      let failed: (error: Error) => void = reject
      call.once('error', (error) => failed(error))
      // The only event of a server that switches to another protocol.
      call.once('close', () => failed(new Error('the connection was closed')))
      call.once('response', (response) => {
        const status = response.statusCode ?? 0
        const retryAfterMs = retryAfterIn(response.headers['retry-after'], clock.now())
        // The status of a refusal counts even if its body is cut, too long or without an end.
        if (status < 200 || status > 299) failed = () => resolve({ status, value: undefined, retryAfterMs })
        const pieces: Buffer[] = []
        let size = 0
        response.on('data', (piece: Buffer) => {
          size += piece.length
          if (size > REPLY_BYTES) response.destroy(new RangeError('the reply is too long'))
          else pieces.push(piece)
        })
        response.once('error', (error) => failed(error))
        response.once('end', () => resolve({ status, value: jsonOf(Buffer.concat(pieces)), retryAfterMs }))
      })
      call.end(payload ?? undefined)
    })
  }

  /** One request, with further attempts. */
  async function persist(name: string, request: JsonRequest, kindOf: FailureKindOf, signal: AbortSignal): Promise<unknown> {
    const until = clock.mono() + DEADLINE_MS
    for (let tries = 1; ; tries++) {
      const late = new AbortController()
      const forget = clock.after(Math.min(ATTEMPT_MS, until - clock.mono()), () => late.abort(new Error('the time limit has passed')))
      let retryAfterMs: number | null = null
      let failure: ServiceFailure
      try {
        const reply = await attempt(request, AbortSignal.any([signal, late.signal]))
        signal.throwIfAborted()
        const kind = kindOf(reply)
        if (kind === null) return reply.value
        retryAfterMs = reply.retryAfterMs
        failure = new ServiceFailure(kind, name)
      } catch (error) {
        signal.throwIfAborted()
        failure = new ServiceFailure(error instanceof RangeError ? 'invalid' : 'network', name, error)
      } finally {
        forget()
      }
      const backoff = FIRST_PAUSE_MS * 2 ** (tries - 1)
      const pause = retryAfterMs ?? backoff / 2 + (backoff / 2) * random.unit()
      const isLast = tries >= ATTEMPTS || pause > LONGEST_PAUSE_MS || clock.mono() + pause > until
      if (!PASSING.has(failure.kind) || isLast) throw failure
      await clock.sleep(pause, signal)
    }
  }

  return {
    /** The JSON value of an answer. Throws ServiceFailure, or the reason of the signal. `name` is shown to users. */
    async send(name: string, request: JsonRequest, kindOf: FailureKindOf, signal: AbortSignal): Promise<unknown> {
      const address = URL.parse(request.url)
      if (address === null || !isPrivate(address) || address.username !== '' || address.password !== '')
        throw new ServiceFailure('config', name)
      const state = stateOf(name)
      return state.inTurn(signal, async () => {
        try {
          signal.throwIfAborted()
          if (clock.mono() < state.pausedUntil) throw new ServiceFailure('paused', name)
          const value = await persist(name, request, kindOf, signal)
          state.failures = 0
          return value
        } catch (error) {
          if (error instanceof ServiceFailure && PASSING.has(error.kind) && ++state.failures >= BREAKER.failures) {
            state.failures = 0
            state.pausedUntil = clock.mono() + BREAKER.pauseMs
          }
          throw error
        }
      })
    },
  }
}

/** Milliseconds of a Retry-After header, in seconds or as a date; null without one. */
function retryAfterIn(text: string | undefined, now: number): number | null {
  if (text === undefined) return null
  if (/^\d{1,9}$/.test(text.trim())) return Number(text) * 1000
  const date = Date.parse(text)
  return Number.isNaN(date) ? null : Math.max(0, date - now)
}

/** Undefined for bytes that are not JSON. */
function jsonOf(bytes: Buffer): unknown {
  try {
    return parseJson(bytes, { bytes: REPLY_BYTES })
  } catch {
    return undefined
  }
}
