// Calls to the running studio, for commands. Other machines need STUDIO_API_KEY, and most of what commands ask is for this machine only.
import { once } from 'node:events'
import { type IncomingMessage, request } from 'node:http'
import { text as readText } from 'node:stream/consumers'
import { Failure } from '#shared/protocol/failure.ts'
import type { Environment } from './command.ts'

/** The value the studio answers with. Throws its refusal in its own words, with its hint. */
export async function askStudio(env: Environment, method: string, path: string, body?: unknown): Promise<unknown> {
  const response = await callStudio(env, method, path, body)
  const text = await readText(response)
  if (response.statusCode === 200) return JSON.parse(text)
  throw new Failure('BAD_REQUEST', complaint(text))
}

/** The answer as it begins to arrive, whatever its status. */
// node:http and not fetch: fetch gives up after five minutes without a byte, and a long text on a slow machine may take longer.
export async function callStudio(
  env: Environment,
  method: string,
  path: string,
  body?: unknown,
  signal?: AbortSignal,
): Promise<IncomingMessage> {
  const host = env.STUDIO_HOST || '127.0.0.1'
  const port = env.STUDIO_PORT || '3900'
  const call = request({
    // The address that means "every interface" to a listener is no address to call.
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
    throw new Failure('NOT_READY', `no studio answers at ${host}:${port}; start one with ./studio`, { cause: error })
  }
}

/** What is wrong, from the body of a refusal. */
export function complaint(text: string): string {
  try {
    const { detail, error, hint } = JSON.parse(text) as { detail?: unknown; error?: { message?: string }; hint?: string }
    const said = error?.message ?? (typeof detail === 'string' ? detail : JSON.stringify(detail ?? text))
    return hint ? `${said}\n        ${hint}` : said
  } catch {
    return text.slice(0, 500)
  }
}
