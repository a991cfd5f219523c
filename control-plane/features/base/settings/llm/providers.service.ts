// The providers of language models: the owner's choices, which one is active, and a test of each. A key is sent only to the server that it was
// given for.

import type { LlmClient, LlmServer } from '#control-plane/llm/client.ts'
import { LlmFailure } from '#control-plane/llm/failure.ts'
import { changeSecret, secretFor } from '#control-plane/store/origin-secret.ts'
import type { OwnerSettings } from '#control-plane/store/setting.ts'
import { Failure } from '#shared/protocol/failure.ts'
import type { Clock } from '#shared/runtime/clock.ts'
import { trimEndOf } from '#shared/text/trim.ts'
import { llmSettings, providerChoice, providerKey } from './llm.settings.ts'
import { ACCOUNT, CUSTOM, findProvider, PROVIDERS, type Provider } from './providers.ts'

type Deps = { readonly settings: Pick<OwnerSettings, 'read' | 'write'>; readonly client: LlmClient; readonly clock: Clock }
/** null or absent keeps the stored value, '' clears it. */
export type ProviderChange = {
  readonly api_key?: string | null | undefined
  readonly base_url?: string | null | undefined
  readonly model?: string | null | undefined
  readonly account_id?: string | null | undefined
  readonly make_active?: boolean | undefined
}
export type Providers = ReturnType<typeof createProviders>

const TEST_MS = 20_000
const MODELS_MS = 10_000
const REPLY_CHARS = 80
const TEST_PROMPT = 'Reply with the single word OK.'
const ACCOUNT_ID = /^[A-Za-z0-9_-]{0,64}$/
const VISIBLE = /^[\x21-\x7e]*$/

export function createProviders({ settings, client, clock }: Deps) {
  const { read, write } = settings

  /** The server of a provider and whether it can be called. `template`: the address before the account is inserted. */
  function resolve(provider: Provider) {
    const choice = read(providerChoice(provider.id))
    const template = choice.base_url || provider.baseUrl
    const baseUrl = template.replaceAll(ACCOUNT, encodeURIComponent(choice.account_id))
    const model = choice.model || provider.model
    const apiKey = secretFor(read(providerKey(provider.id)), baseUrl)
    const needsKey = provider.local !== true && provider.id !== CUSTOM
    const isComplete = baseUrl !== '' && model !== '' && (provider.needsAccount !== true || choice.account_id !== '')
    const server: LlmServer = { baseUrl, model, apiKey }
    return { provider, template, server, accountId: choice.account_id, configured: isComplete && (!needsKey || apiKey !== null) }
  }
  /** Throws NOT_FOUND. */
  function required(id: string): Provider {
    const provider = findProvider(id)
    if (provider) return provider
    throw new Failure('NOT_FOUND', `There is no language-model provider ${id.slice(0, 64)}.`)
  }
  const active = (): Provider | null => findProvider(read(llmSettings.active))

  function row(provider: Provider) {
    const { template, server, accountId, configured } = resolve(provider)
    return {
      id: provider.id,
      display_name: provider.name,
      local: provider.local === true,
      needs_account: provider.needsAccount === true,
      signup_url: provider.signupUrl,
      notes: provider.notes,
      base_url: template,
      model: server.model,
      has_key: server.apiKey !== null,
      // Keys and addresses come from the owner's settings only.
      key_from_env: false,
      base_url_from_env: false,
      model_from_env: false,
      active_from_env: false,
      configured,
      ...(provider.needsAccount && { account_id: accountId, account_from_env: false }),
    }
  }
  const list = () => ({ active: active()?.id ?? null, providers: PROVIDERS.map(row) })

  /** Runs a call against a provider and turns a failure into its kind. Throws only the reason of the signal. */
  async function tried<T>(id: string, signal: AbortSignal, call: (server: LlmServer) => Promise<T>) {
    const { server, configured } = resolve(required(id))
    if (!configured) return { failure: new LlmFailure('config'), latencyMs: null }
    const from = clock.mono()
    const latency = () => Math.round(clock.mono() - from)
    try {
      return { value: await call(server), latencyMs: latency() }
    } catch (error) {
      signal.throwIfAborted()
      return { failure: error instanceof LlmFailure ? error : new LlmFailure('error'), latencyMs: latency() }
    }
  }

  return {
    list,
    active,
    resolve,
    /** In effect and durable when it resolves. The key of another origin is removed. Throws NOT_FOUND, and BAD_REQUEST naming the field. */
    async change(id: string, request: ProviderChange) {
      const provider = required(id)
      const before = read(providerChoice(id))
      const wasConfigured = resolve(provider).configured
      const choice = {
        base_url: request.base_url == null ? before.base_url : checkedAddress(request.base_url.trim()),
        model: request.model?.trim() ?? before.model,
        account_id: request.account_id?.trim() ?? before.account_id,
      }
      const key = request.api_key?.trim() ?? null
      if (!ACCOUNT_ID.test(choice.account_id)) throw refused('account_id', 'it may have letters, digits, - and _')
      if (!VISIBLE.test(key ?? '')) throw refused('api_key', 'it may have visible ASCII characters only')
      const url = (choice.base_url || provider.baseUrl).replaceAll(ACCOUNT, encodeURIComponent(choice.account_id))
      const stored = read(providerKey(id))
      const { tied, isDropped } = changeSecret(stored, { url, given: key })
      if (key && tied === null) throw refused('api_key', 'enter base_url first, because a key belongs to one server')
      // Staged in one turn, so that all of them become durable together.
      await Promise.all([write(providerChoice(id), choice), write(providerKey(id), tied)])
      const { configured } = resolve(provider)
      if (request.make_active === true || (active() === null && configured)) await write(llmSettings.active, id)
      // Cleared: the next provider that is configured takes its place.
      else if (wasConfigured && !configured && active()?.id === id) await write(llmSettings.active, '')
      return { ...list(), ...(isDropped && { key_removed: true as const }) }
    },
    /** Throws NOT_FOUND. */
    async activate(id: string) {
      await write(llmSettings.active, required(id).id)
      return list()
    },
    /** One short completion. Reports problems in its result; throws NOT_FOUND, or the reason of the signal. */
    async test(id: string, signal: AbortSignal) {
      const messages = [{ role: 'user' as const, content: TEST_PROMPT }]
      const { value, failure, latencyMs } = await tried(id, signal, (server) =>
        client.complete(server, { messages }, { timeoutMs: TEST_MS, signal }),
      )
      if (value) return { ok: true as const, model: value.model, reply: value.text.trim().slice(0, REPLY_CHARS), latency_ms: latencyMs }
      return { ok: false as const, kind: failure.kind, detail: failure.message, ...(latencyMs !== null && { latency_ms: latencyMs }) }
    },
    /** The models that the key can use. Reports problems like `test`. */
    async models(id: string, signal: AbortSignal) {
      const { value, failure } = await tried(id, signal, (server) => client.models(server, { timeoutMs: MODELS_MS, signal }))
      if (value) return { ok: true as const, models: [...value.ids], truncated: value.truncated }
      const { kind, message } = failure
      return { ok: false as const, kind, ...(kind !== 'config' && { detail: message }), models: [] }
    },
  }
}

/** The address without trailing slashes; '' stays. Throws BAD_REQUEST without repeating it, because it may contain a password. */
export function checkedAddress(text: string): string {
  if (text === '') return ''
  const url = URL.parse(text)
  if (url === null || !/^https?:$/.test(url.protocol) || url.username !== '' || url.password !== '')
    throw refused('base_url', 'it must be an http or https address without a password')
  return trimEndOf(text, '/')
}

const refused = (field: string, why: string) => new Failure('BAD_REQUEST', `${field} cannot be used: ${why}.`)
