// The recognition server that the owner configures: stored, shown without its key, and tested. The key is sent to that server only.

import { z } from 'zod'
import { changeSecret, tieSecret } from '#control-plane/store/origin-secret.ts'
import { Failure } from '#shared/protocol/failure.ts'
import { parseJson } from '#shared/protocol/json.ts'
import type { Clock } from '#shared/runtime/clock.ts'
import { Endpoint, readEndpoint, writeEndpoint } from '#shared/sidecar/endpoint.ts'
import { trimEndOf } from '#shared/text/trim.ts'

export type EndpointStatus =
  | 'not_configured'
  | 'invalid_url'
  | 'timeout'
  | 'unreachable'
  | 'ok'
  | 'ok_no_models'
  | 'auth_failed'
  | 'http_error'
type Deps = {
  /** The file that the engines of this machine read. */
  readonly folder: string
  readonly clock: Clock
  /** Refreshes the offers of this machine. Resolves also when that failed. */
  readonly changed: () => Promise<void>
}
type Change = { readonly base_url?: string | null; readonly model?: string | null; readonly api_key?: string | null }
export type EndpointService = ReturnType<typeof createEndpoint>

const USUAL_MODEL = 'whisper-1'
const PATIENCE_MS = 10_000
/** Servers describe a model in different ways; an entry without an id is skipped. */
const ModelList = z.object({ data: z.array(z.unknown()) })
const ListedModel = z.object({ id: z.string() })
const MAX_BYTES = 1024 * 1024
const ADDRESS_HINT = 'Check that base_url is complete; it often ends with /v1.'
const DETAILS: Readonly<Record<Exclude<EndpointStatus, 'http_error'>, string | null>> = {
  not_configured: 'No base_url is set.',
  invalid_url: 'base_url is not a valid address.',
  timeout: 'The server did not answer within ten seconds.',
  unreachable: 'No server answers at base_url.',
  ok: null,
  ok_no_models: 'The server answers, but lists no models.',
  auth_failed: 'The server rejected the key.',
}

export function createEndpoint({ folder, clock, changed }: Deps) {
  const view = () => {
    const { baseUrl = '', model = '', apiKey = '' } = readEndpoint(folder) ?? {}
    return { base_url: baseUrl, model: model || USUAL_MODEL, has_key: apiKey !== '' }
  }

  /** The HTTP status and the ids of the listed models; null when the list cannot be read. */
  async function listed({ baseUrl, apiKey }: Endpoint, signal: AbortSignal): Promise<{ http: number; ids: string[] | null }> {
    const headers = { accept: 'application/json', ...(apiKey !== '' && { authorization: `Bearer ${apiKey}` }) }
    const response = await fetch(`${trimEndOf(baseUrl, '/')}/models`, { headers, redirect: 'error', signal })
    if (!response.ok) {
      await response.body?.cancel().catch(() => {})
      return { http: response.status, ids: null }
    }
    const chunks: Uint8Array[] = []
    let size = 0
    for await (const chunk of response.body ?? []) {
      size += chunk.length
      if (size > MAX_BYTES) break
      chunks.push(chunk)
    }
    try {
      const { data } = ModelList.parse(parseJson(Buffer.concat(chunks), { bytes: MAX_BYTES }))
      return { http: response.status, ids: data.flatMap((entry) => ListedModel.safeParse(entry).data?.id ?? []) }
    } catch {
      return { http: response.status, ids: null }
    }
  }

  return {
    view,
    /**
     * In effect when it resolves. An absent or null field stays, '' clears it; without an address there is no endpoint. The key of another
     * origin is dropped. Throws BAD_REQUEST naming the field.
     */
    async change(request: Change) {
      const now = readEndpoint(folder)
      const baseUrl = (request.base_url ?? now?.baseUrl ?? '').trim()
      const model = (request.model ?? now?.model ?? '').trim() || USUAL_MODEL
      const stored = now && tieSecret(now.apiKey, now.baseUrl)
      const { tied, isDropped } = changeSecret(stored, { url: baseUrl, given: request.api_key?.trim() ?? null })
      const apiKey = tied?.secret ?? ''
      const next = baseUrl === '' ? null : Endpoint.safeParse({ baseUrl, model, apiKey })
      if (next?.error) {
        const [field] = next.error.issues[0]!.path
        const name = { baseUrl: 'base_url', model: 'model', apiKey: 'api_key' }[String(field)]
        throw new Failure(
          'BAD_REQUEST',
          `${name}: ${field === 'baseUrl' ? 'must be an http or https URL without a password' : 'cannot be used'}.`,
        )
      }
      try {
        writeEndpoint(folder, next === null ? null : next.data)
      } catch (cause) {
        throw new Failure('STORAGE_FULL', `The endpoint could not be stored: ${(cause as Error).message}`, { cause })
      }
      await changed()
      return { ...view(), ...(isDropped && { key_removed: true as const }) }
    },
    /** Reports every problem in its result; throws only the reason of the signal. */
    async test(signal: AbortSignal) {
      const endpoint = readEndpoint(folder)
      const from = clock.mono()
      const resultOf = (status: EndpointStatus, http: number | null = null, ids: readonly string[] | null = null) => ({
        ok: status === 'ok' || status === 'ok_no_models',
        status,
        latency_ms: http === null ? null : Math.round(clock.mono() - from),
        http_status: http,
        models_count: ids?.length ?? null,
        model_found: ids && endpoint ? ids.includes(endpoint.model) : null,
        detail: status === 'http_error' ? `The server answered with status ${http}. ${ADDRESS_HINT}` : DETAILS[status],
      })
      if (endpoint === null) return resultOf('not_configured')
      const patience = AbortSignal.timeout(PATIENCE_MS)
      try {
        const { http, ids } = await listed(endpoint, AbortSignal.any([signal, patience]))
        if (http === 401 || http === 403) return resultOf('auth_failed', http)
        if (http >= 400) return resultOf('http_error', http)
        return resultOf(ids === null || ids.length === 0 ? 'ok_no_models' : 'ok', http, ids)
      } catch {
        signal.throwIfAborted()
        return resultOf(patience.aborted ? 'timeout' : 'unreachable')
      }
    },
  }
}
