// One client for every language-model provider.
import type { OpenAI } from 'openai'
import { z } from 'zod'
import type { Clock } from '#shared/runtime/clock.ts'
import { kindOfStatus, LlmFailure, retryAfterOf } from './failure.ts'
import { createGuardedFetch, ResponseTooLarge } from './guarded-fetch.ts'

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

const RESPONSE_BYTES = 8 * 1024 * 1024
export const REPLY_CHARS = 1_000_000
export const MOST_MODELS = 200
const MODEL_CHARS = 200
const CAUSES = 8

const Completion = z.object({
  model: z.string().max(MODEL_CHARS).catch(''),
  choices: z.tuple([z.object({ message: z.object({ content: z.string().max(REPLY_CHARS) }) })], z.unknown()),
})
/** Providers describe a model in different ways; an entry without an id is skipped. */
const ModelList = z.object({ data: z.array(z.unknown()) })
const ListedModel = z.object({ id: z.string().min(1).max(MODEL_CHARS) })

export function createLlmClient({ clock, version }: { readonly clock: Clock; readonly version: string }) {
  const guarded = createGuardedFetch({ maxBytes: RESPONSE_BYTES, userAgent: `voice-studio/${version}` })
  // Loaded at the first call: the package takes 35 MB of memory, and most studios use no language model.
  const load = () => import('openai')
  type Package = Awaited<ReturnType<typeof load>>
  // The package reads environment variables for every option that is absent, so all of them are given.
  const open = (sdk: Package, { baseUrl, apiKey }: LlmServer): OpenAI =>
    new sdk.OpenAI({
      baseURL: baseUrl,
      apiKey: apiKey ?? 'none',
      adminAPIKey: null,
      organization: null,
      project: null,
      webhookSecret: null,
      maxRetries: 0,
      logLevel: 'off',
      fetch: guarded,
      ...(apiKey === null && { defaultHeaders: { authorization: null } }),
    })

  /** Runs `send` within the time limit and turns its errors into LlmFailure. */
  async function call<T>(server: LlmServer, { timeoutMs, signal }: CallOptions, send: (api: OpenAI, signal: AbortSignal) => Promise<T>) {
    if (URL.parse(server.baseUrl) === null) throw new LlmFailure('config')
    const sdk = await load()
    const limit = new AbortController()
    const cancelTimer = clock.after(timeoutMs, () => limit.abort(new Error('the time limit has passed')))
    try {
      return await send(open(sdk, server), AbortSignal.any([signal, limit.signal]))
    } catch (error) {
      signal.throwIfAborted()
      throw failureOf(sdk, error, limit.signal.aborted)
    } finally {
      cancelTimer()
    }
  }

  return {
    /** Throws LlmFailure, or the reason of the signal. */
    async complete(server: LlmServer, { messages, temperature, maxTokens, json }: LlmRequest, options: CallOptions): Promise<LlmReply> {
      if (server.model === '') throw new LlmFailure('config')
      const from = clock.mono()
      const answer = await call(server, options, (api, signal) =>
        api.chat.completions.create(
          {
            model: server.model,
            messages: messages.map(({ role, content }) => ({ role, content })),
            stream: false,
            ...(temperature !== undefined && { temperature }),
            ...(maxTokens !== undefined && { max_tokens: maxTokens }),
            ...(json && { response_format: { type: 'json_object' as const } }),
          },
          { signal },
        ),
      )
      const { success, data } = Completion.safeParse(answer)
      if (!success) throw new LlmFailure('error')
      return { text: data.choices[0].message.content, model: data.model || server.model, latencyMs: Math.round(clock.mono() - from) }
    },
    /** The ids of the models that the key can use, at most 200. Throws LlmFailure, or the reason of the signal. */
    async models(server: LlmServer, options: CallOptions): Promise<{ readonly ids: readonly string[]; readonly truncated: boolean }> {
      const answer: unknown = await call(server, options, async (api, signal) => await api.get('/models', { signal }))
      const { success, data } = ModelList.safeParse(answer)
      if (!success) throw new LlmFailure('error')
      const ids = data.data.flatMap((entry) => ListedModel.safeParse(entry).data?.id ?? [])
      return { ids: ids.slice(0, MOST_MODELS), truncated: ids.length > MOST_MODELS }
    },
  }
}

type ErrorClasses = Pick<typeof import('openai'), 'APIConnectionError' | 'APIError'>
function failureOf({ APIConnectionError, APIError }: ErrorClasses, error: unknown, isLate: boolean): LlmFailure {
  if (error instanceof LlmFailure) return error
  if (isLate) return new LlmFailure('network', { isTimeout: true, cause: error })
  if (error instanceof APIConnectionError) return new LlmFailure(hasCause(error, ResponseTooLarge) ? 'error' : 'network', { cause: error })
  if (error instanceof APIError && typeof error.status === 'number') {
    const retryAfterSeconds = retryAfterOf((error.headers as Headers | undefined)?.get('retry-after') ?? null)
    return new LlmFailure(kindOfStatus(error.status), { retryAfterSeconds, cause: error })
  }
  // fetch reports a connection that ends in the middle of a body as a TypeError.
  const isCut = error instanceof TypeError && error.message === 'terminated'
  return new LlmFailure(isCut ? 'network' : 'error', { cause: error })
}

/** Whether an error of this class is the error itself or one of its causes. */
function hasCause(error: unknown, kind: new (...args: never[]) => Error): boolean {
  let each = error
  for (let depth = 0; each instanceof Error && depth < CAUSES; depth++) {
    if (each instanceof kind) return true
    each = (each as Error).cause
  }
  return false
}
