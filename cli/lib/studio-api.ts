// How a command speaks to the running studio: one HTTP call, with the key and the address of the settings, and refusals in words.
import { once } from 'node:events'
import { type IncomingMessage, request } from 'node:http'
import { text as readText } from 'node:stream/consumers'
import { z } from 'zod'
import { Failure } from '#shared/protocol/failure.ts'
import type { Environment } from './command.ts'

type Call = { readonly method: string; readonly path: string; readonly body?: unknown; readonly signal?: AbortSignal }

/** The answer as it comes. Rejects with NOT_READY when no studio runs. node:http and not fetch: fetch gives up after five minutes without a byte, and a long text on a slow machine may take longer. */
export async function callStudio(env: Environment, { method, path, body, signal }: Call): Promise<IncomingMessage> {
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

/** The parsed answer. Rejects with the words of the studio when it refuses. */
export async function askStudio(env: Environment, method: string, path: string, body?: unknown): Promise<unknown> {
  const response = await callStudio(env, { method, path, body })
  if ((response.statusCode ?? 500) >= 300) throw new Failure('BAD_REQUEST', complaintIn(await readText(response)))
  const text = await readText(response)
  return text === '' ? null : JSON.parse(text)
}

export async function refusalIn(response: IncomingMessage): Promise<Failure> {
  return new Failure('BAD_REQUEST', `the studio refused (${response.statusCode}): ${complaintIn(await readText(response))}`)
}

const Complaint = z.object({
  detail: z.unknown(),
  error: z.object({ message: z.string().optional() }).nullish(),
  hint: z.string().nullish(),
})

function complaintIn(text: string): string {
  try {
    const { detail, error, hint } = Complaint.parse(JSON.parse(text))
    const said = error?.message ?? (typeof detail === 'string' ? detail : JSON.stringify(detail ?? text))
    return hint ? `${said}\n        ${hint}` : said
  } catch {
    return text.slice(0, 500)
  }
}
