// One client for every language-model provider: all of them copy two routes of one HTTP interface.
import { z } from 'zod'
import type { Clock } from '#shared/runtime/clock.ts'
import { kindOfStatus, LlmFailure, retryAfterOf } from './failure.ts'
import { type Received, ResponseTooLarge, requestText, type Sent } from './request.ts'

/** `baseUrl` ends before /chat/completions. `apiKey`: null for a server without keys. */
export type LlmServer = { readonly baseUrl: string; readonly model: string; readonly apiKey: string | null }
export type LlmMessage = { readonly role: 'system' | 'user' | 'assistant'; readonly content: string }
export type LlmRequest = {
  readonly messages: readonly LlmMessage[]
  /** Absent: the default of the provider. */
  readonly temperature?: number
  readonly maxTokens?: number
  /** Requests a JSON object. The caller parses the text all the same: not every model obeys. */
  readonly json?: boolean
}
type CallOptions = { readonly timeoutMs: number; readonly signal: AbortSignal }
export type LlmReply = { readonly text: string; readonly model: string; readonly latencyMs: number }
export type LlmClient = ReturnType<typeof createLlmClient>

export const REPLY_CHARS = 1_000_000
export const MAX_MODELS = 200
const MODEL_CHARS = 200

const Completion = z.object({
  model: z.string().max(MODEL_CHARS).catch(''),
  choices: z.tuple([z.object({ message: z.object({ content: z.string().max(REPLY_CHARS) }) })], z.unknown()),
})
/** Providers describe a model in different ways; an entry without an id is skipped. */
const ModelList = z.object({ data: z.array(z.unknown()) })
const ListedModel = z.object({ id: z.string().min(1).max(MODEL_CHARS) })

export function createLlmClient({ clock, version }: { readonly clock: Clock; readonly version: string }) {
  const userAgent = `voice-studio/${version}`

  /** The JSON of a response of 2xx. Throws LlmFailure, or the reason of the caller's signal. */
  async function call(
    { baseUrl, apiKey }: LlmServer,
    path: string,
    sent: Omit<Sent, 'apiKey'>,
    { timeoutMs, signal }: CallOptions,
  ): Promise<unknown> {
    if (URL.parse(baseUrl) === null) throw new LlmFailure('config')
    const limit = new AbortController()
    const cancelTimer = clock.after(timeoutMs, () => limit.abort(new Error('the time limit has passed')))
    try {
      const options = { userAgent, signal: AbortSignal.any([signal, limit.signal]) }
      return jsonOf(await requestText(baseUrl.replace(/\/$/, '') + path, { ...sent, apiKey }, options))
    } catch (error) {
      signal.throwIfAborted()
      throw failureOf(error, limit.signal.aborted)
    } finally {
      cancelTimer()
    }
  }

  return {
    /** Throws LlmFailure, or the reason of the signal. */
    async complete(server: LlmServer, { messages, temperature, maxTokens, json }: LlmRequest, options: CallOptions): Promise<LlmReply> {
      if (server.model === '') throw new LlmFailure('config')
      const from = clock.mono()
      const body = {
        model: server.model,
        messages: messages.map(({ role, content }) => ({ role, content })),
        stream: false,
        ...(temperature !== undefined && { temperature }),
        ...(maxTokens !== undefined && { max_tokens: maxTokens }),
        ...(json && { response_format: { type: 'json_object' } }),
      }
      const { success, data } = Completion.safeParse(await call(server, '/chat/completions', { method: 'POST', body }, options))
      if (!success) throw new LlmFailure('error')
      return { text: data.choices[0].message.content, model: data.model || server.model, latencyMs: Math.round(clock.mono() - from) }
    },
    /** The ids of the models that the key can use, at most 200. Throws LlmFailure, or the reason of the signal. */
    async models(server: LlmServer, options: CallOptions): Promise<{ readonly ids: readonly string[]; readonly truncated: boolean }> {
      const { success, data } = ModelList.safeParse(await call(server, '/models', { method: 'GET' }, options))
      if (!success) throw new LlmFailure('error')
      const ids = data.data.flatMap((entry) => ListedModel.safeParse(entry).data?.id ?? [])
      return { ids: ids.slice(0, MAX_MODELS), truncated: ids.length > MAX_MODELS }
    },
  }
}

function jsonOf({ status, retryAfter, text }: Received): unknown {
  if (status < 200 || status > 299) throw new LlmFailure(kindOfStatus(status), { retryAfterSeconds: retryAfterOf(retryAfter) })
  return JSON.parse(text)
}

function failureOf(error: unknown, isLate: boolean): LlmFailure {
  if (error instanceof LlmFailure) return error
  if (isLate) return new LlmFailure('network', { isTimeout: true, cause: error })
  // fetch reports a connection that fails, or ends in the middle of a body, as a TypeError.
  const isNetwork = error instanceof TypeError && !(error.cause instanceof ResponseTooLarge)
  return new LlmFailure(isNetwork ? 'network' : 'error', { cause: error })
}
