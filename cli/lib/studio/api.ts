// The HTTP client of the commands. Address and API key come from the settings; error responses become a Failure with the studio's message.

import { once } from 'node:events'
import type { IncomingMessage } from 'node:http'
import { request as httpsRequest } from 'node:https'
import { Readable } from 'node:stream'
import { text as readText } from 'node:stream/consumers'
import { pipeline } from 'node:stream/promises'
import { setTimeout as pause } from 'node:timers/promises'
import { z } from 'zod'
import { Failure } from '#shared/protocol/failure.ts'
import { inSentences } from '#shared/protocol/fields/in-sentences.ts'
import { COMMAND, COMMANDS_AGENT } from '#shared/protocol/version.ts'
import { request as httpRequest } from '#shared/runtime/builtin/http.ts'
import { linesIn } from '#shared/runtime/lines.ts'
import type { Environment } from '../command.ts'
import { studioAddress } from './address.ts'
import { evenAfterRestart, isRefused, isStarting, noteAnswer, sayOnce } from './restart.ts'

type Call = {
  readonly method: string
  readonly path: string
  readonly body?: unknown
  readonly form?: FormData
  readonly headers?: Readonly<Record<string, string>>
  /** Opens the body for one attempt to send the request. It is called again for each further attempt, and must start at the first byte. */
  readonly stream?: () => { readonly type: string /** Bytes. */; readonly length: number; readonly content: AsyncIterable<Uint8Array> }
  readonly signal?: AbortSignal
  /** Do not wait for a studio that is starting: for commands that report whether one runs. */
  readonly isImpatient?: boolean
}

/** Reasons for a missing response, by the code of the system's error. */
const UNREACHABLE: Readonly<Record<string, (at: string) => string>> = {
  ECONNREFUSED: (at) => `No studio is running at ${at}. Start one with ${COMMAND}.`,
  ENOTFOUND: (at) => `The host of ${at} does not exist. Check STUDIO_HOST.`,
  EAI_AGAIN: (at) => `The host of ${at} cannot be looked up. Check STUDIO_HOST and the network.`,
  EHOSTUNREACH: (at) => `${at} cannot be reached. Check STUDIO_HOST and the network.`,
  ENETUNREACH: (at) => `${at} cannot be reached. Check STUDIO_HOST and the network.`,
  ETIMEDOUT: (at) => `${at} does not answer. Check STUDIO_HOST and the network.`,
  ECONNRESET: (at) => `The program at ${at} closed the connection. If the studio is stopping, start it again with ${COMMAND}.`,
  EPIPE: (at) => `The program at ${at} closed the connection. If the studio is stopping, start it again with ${COMMAND}.`,
  CERT_HAS_EXPIRED: (at) => `The certificate of ${at} has expired. Renew it on that machine.`,
  ERR_TLS_CERT_ALTNAME_INVALID: (at) => `The certificate of ${at} is for another name. Write the name of the certificate in STUDIO_HOST.`,
  EPROTO: (at) => `The program at ${at} does not use TLS. Write http:// in STUDIO_HOST, or check its port.`,
  ERR_SSL_WRONG_VERSION_NUMBER: (at) => `The program at ${at} does not use TLS. Write http:// in STUDIO_HOST, or check its port.`,
}
/** Certificates whose authority this machine does not know. */
const UNTRUSTED =
  /^(?:DEPTH_ZERO_SELF_SIGNED_CERT|SELF_SIGNED_CERT_IN_CHAIN|UNABLE_TO_GET_ISSUER_CERT(?:_LOCALLY)?|UNABLE_TO_VERIFY_LEAF_SIGNATURE)$/
const explained = (code: string, at: string): string | null =>
  UNTRUSTED.test(code)
    ? `The certificate of ${at} is not trusted here. Name the file of its authority in NODE_EXTRA_CA_CERTS.`
    : (UNREACHABLE[code]?.(at) ?? null)

/**
 * Sends one request and resolves with the streaming response. Rejects with NOT_READY if no studio can be reached. A studio that is starting or
 * being updated is waited for. node:http instead of fetch: fetch gives up after five minutes without a byte, and a long text on a slow machine may take longer.
 */
export async function request(env: Environment, call: Call): Promise<IncomingMessage> {
  const until = performance.now() + UPDATE_MS
  for (;;) {
    const response = await reach(env, call, until)
    const seconds = secondsToWait(response)
    if (seconds === null || call.isImpatient || performance.now() > until) return response
    response.resume()
    sayOnce('The studio accepts no new work at the moment. Sending the request again until it does.')
    await pause(seconds * 1000, undefined, call.signal && { signal: call.signal })
  }
}

/** A studio that is being updated refuses new work for the time that running requests need. */
const UPDATE_MS = 120_000
const SHORT_SECONDS = 5
/** Seconds after which a request that was not begun is to be repeated; null for an answer, and for a refusal that lasts longer. */
function secondsToWait({ statusCode, headers }: IncomingMessage): number | null {
  const seconds = Number(headers['retry-after'])
  return statusCode === 503 && seconds >= 1 && seconds <= SHORT_SECONDS ? seconds : null
}

/** A connection that is refused has carried no request, so it may be sent again. */
async function reach(env: Environment, call: Call, until: number): Promise<IncomingMessage> {
  for (;;) {
    try {
      return await send(env, call)
    } catch (error) {
      if (call.isImpatient || !isRefused(error) || performance.now() > until) throw error
      if (!(await isStarting(env, call.signal))) throw error
    }
  }
}

async function send(env: Environment, { method, path, body, form, headers, stream: read, signal }: Call): Promise<IncomingMessage> {
  const stream = read?.()
  const { isSecure, host, port, base, shown } = studioAddress(env)
  const encoded = form && new Response(form)
  const call = (isSecure ? httpsRequest : httpRequest)({
    host,
    port,
    method,
    path: base + path,
    headers: {
      'user-agent': COMMANDS_AGENT,
      ...headers,
      ...(body !== undefined && { 'content-type': 'application/json' }),
      ...(stream && { 'content-type': stream.type, 'content-length': stream.length }),
      ...(encoded && { 'content-type': encoded.headers.get('content-type')! }),
      ...(env['STUDIO_API_KEY'] && { authorization: `Bearer ${env['STUDIO_API_KEY']}` }),
    },
    ...(signal && { signal }),
  })
  // The studio may answer and close the connection before it has read everything: the response decides.
  if (stream) pipeline(stream.content, call).catch(() => {})
  else if (encoded?.body) pipeline(Readable.fromWeb(encoded.body as ReadableStream), call).catch(() => {})
  else call.end(body === undefined ? undefined : JSON.stringify(body))
  try {
    const [response] = (await once(call, 'response')) as [IncomingMessage]
    noteAnswer(env)
    return response
  } catch (error) {
    const { code = '' } = error as NodeJS.ErrnoException
    if (code.startsWith('HPE_')) throw foreign(env, error)
    const sentence = explained(code, shown)
    if (sentence === null) throw error
    throw new Failure('NOT_READY', sentence, { cause: error })
  }
}

/** An event with the lines of a whole film fits; a longer one is cut, and cannot be parsed. */
const LINE_CHARS = 16 * 1024 * 1024

/** The lines of a response that is a stream of events. They end when the connection is lost; the caller knows whether that is too early. */
export async function* responseLines(response: Readable): AsyncGenerator<string> {
  try {
    yield* linesIn(response, LINE_CHARS)
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'ECONNRESET') throw error
  }
}

/** Sends one request and resolves with the parsed response. Rejects with the studio's message for a status of 300 or more. */
export async function requestJson(env: Environment, method: string, path: string, body?: unknown, signal?: AbortSignal): Promise<unknown> {
  const read = () => json(env, { method, path, ...(body instanceof FormData ? { form: body } : { body }), ...(signal && { signal }) })
  // To read again changes nothing.
  return evenAfterRestart(env, read, { signal, mayRepeat: () => method === 'GET' })
}

/** One GET, without waiting for a studio that is starting or being restarted. */
export const readNow = (env: Environment, path: string): Promise<unknown> => json(env, { method: 'GET', path, isImpatient: true })

async function json(env: Environment, call: Call): Promise<unknown> {
  const response = await request(env, call)
  const text = await readText(response)
  if ((response.statusCode ?? 500) >= 300) throw refusal(env, response, text)
  try {
    return text === '' ? null : JSON.parse(text)
  } catch (error) {
    throw foreign(env, error)
  }
}

/** The Failure for an error response; reads its body. */
export const failureFrom = async (env: Environment, response: IncomingMessage): Promise<Failure> =>
  refusal(env, response, await readText(response))

/** The sentences of a response about a substitute, and other notices of the studio. */
export function noticesIn({ headers }: IncomingMessage): string[] {
  const sentences = [headers['x-svc-routing-reason'], headers['x-svc-notice']].flatMap((header) => header ?? [])
  const [, model = ''] = String(headers['x-svc-needs'] ?? '').split('=')
  return [...new Set([...sentences, ...(model === '' ? [] : [`Install it with ${COMMAND} models install ${model}.`])])]
}

const foreign = (env: Environment, cause: unknown): Failure =>
  new Failure('NOT_READY', `The program at ${studioAddress(env).shown} is not a studio. Check STUDIO_HOST and STUDIO_PORT.`, { cause })

const Issue = z.object({ loc: z.array(z.union([z.string(), z.number()])), msg: z.string() })
const ErrorBody = z.object({
  detail: z.union([z.string(), z.array(Issue), z.object({ message: z.string() })]).optional(),
  /** Some routes send the sentence of `detail` here as well. */
  error: z.union([z.object({ message: z.string() }), z.string().transform((message) => ({ message }))]).nullish(),
  hint: z.string().nullish(),
  code: z.string().max(64).optional(),
})
const NOT_ALLOWED = 'Run the command on the machine of the studio, as the user who runs it. docs/access.md describes access from elsewhere.'
const KEY_MISSING = 'The studio requires an API key. Set STUDIO_API_KEY to the value that the studio was started with.'

function refusal(env: Environment, { statusCode, headers }: IncomingMessage, text: string): Failure {
  if (statusCode === 401) return new Failure('UNAUTHORIZED', KEY_MISSING)
  const body = errorBody(text)
  // For programs, which read it from the answer of --json.
  const more = body?.code === undefined ? {} : { detail: { code: body.code } }
  const message = body?.error?.message ?? detailText(body?.detail)
  if (!body || message === null) {
    if (!headers['content-type']?.includes('json')) return foreign(env, text.slice(0, 500))
    return new Failure('UNKNOWN', `The studio answered with status ${statusCode}. Its log says why.`)
  }
  if (statusCode === 403) return new Failure('FORBIDDEN', inSentences(message, NOT_ALLOWED), more)
  const hint = body.hint ? `\n        ${body.hint}` : ''
  return new Failure(statusCode === 404 ? 'NOT_FOUND' : 'BAD_REQUEST', message + hint, more)
}

function detailText(detail: z.output<typeof ErrorBody>['detail']): string | null {
  if (detail === undefined || typeof detail === 'string') return detail ?? null
  if (!Array.isArray(detail)) return detail.message
  // The first part is the place in the request, such as body or path.
  return detail.map(({ loc, msg }) => `${loc.slice(1).join('.')} ${msg.replace(/\.$/, '')}.`.trimStart()).join(' ')
}

function errorBody(text: string): z.output<typeof ErrorBody> | null {
  try {
    return ErrorBody.parse(JSON.parse(text))
  } catch {
    return null
  }
}
