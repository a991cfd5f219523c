// The HTTP client of the commands. Address and API key come from the settings; error responses become a Failure with the studio's message.
import { once } from 'node:events'
import { request as httpRequest, type IncomingMessage } from 'node:http'
import { text as readText } from 'node:stream/consumers'
import { z } from 'zod'
import { Failure } from '#shared/protocol/failure.ts'
import type { Environment } from './command.ts'

type Call = { readonly method: string; readonly path: string; readonly body?: unknown; readonly signal?: AbortSignal }

/**
 * Sends one request and resolves with the streaming response. Rejects with NOT_READY if no studio is running.
 * node:http instead of fetch: fetch gives up after five minutes without a byte, and a long text on a slow machine may take longer.
 */
export async function request(env: Environment, { method, path, body, signal }: Call): Promise<IncomingMessage> {
  const host = env.STUDIO_HOST || '127.0.0.1'
  const port = env.STUDIO_PORT || '3900'
  const call = httpRequest({
    // The wildcard address of a listener cannot be connected to.
    host: ({ '0.0.0.0': '127.0.0.1', '::': '::1' } as Record<string, string>)[host] ?? host,
    port,
    method,
    path,
    headers: {
      ...(body !== undefined && { 'content-type': 'application/json' }),
      ...(env.STUDIO_API_KEY && { authorization: `Bearer ${env.STUDIO_API_KEY}` }),
    },
    ...(signal && { signal }),
  })
  call.end(body === undefined ? undefined : JSON.stringify(body))
  try {
    const [response] = (await once(call, 'response')) as [IncomingMessage]
    return response
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'ECONNREFUSED') throw error
    throw new Failure('NOT_READY', `No studio is running at ${host}:${port}. Start one with ./studio.`, { cause: error })
  }
}

/** Sends one request and resolves with the parsed response. Rejects with the studio's message for a status of 300 or more. */
export async function requestJson(env: Environment, method: string, path: string, body?: unknown): Promise<unknown> {
  const response = await request(env, { method, path, body })
  const text = await readText(response)
  if ((response.statusCode ?? 500) >= 300) throw new Failure('BAD_REQUEST', messageIn(text))
  return text === '' ? null : JSON.parse(text)
}

/** The Failure for an error response; reads its body. */
export async function failureFrom(response: IncomingMessage): Promise<Failure> {
  return new Failure('BAD_REQUEST', `The studio answered ${response.statusCode}: ${messageIn(await readText(response))}`)
}

const ErrorBody = z.object({
  detail: z.unknown().optional(),
  error: z.object({ message: z.string().optional() }).nullish(),
  hint: z.string().nullish(),
})

function messageIn(text: string): string {
  try {
    const { detail, error, hint } = ErrorBody.parse(JSON.parse(text))
    const message = error?.message ?? (typeof detail === 'string' ? detail : JSON.stringify(detail ?? text))
    return hint ? `${message}\n        ${hint}` : message
  } catch {
    return text.slice(0, 500)
  }
}
