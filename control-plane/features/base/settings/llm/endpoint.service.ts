// The single endpoint of older clients: a view of the provider `custom`.
import { LLM_FAILURES } from '#control-plane/llm/failure.ts'
import type { Providers } from './providers.service.ts'
import { CUSTOM, findProvider } from './providers.ts'

export type EndpointChange = {
  readonly base_url?: string | null | undefined
  readonly model?: string | null | undefined
  readonly api_key?: string | null | undefined
}
const SHOWN = 4
/** Shorter keys would be shown by half. */
const MASKED_FROM = 12

export function createLlmEndpoint(providers: Pick<Providers, 'resolve' | 'active' | 'change'>) {
  function view() {
    const { server } = providers.resolve(findProvider(CUSTOM)!)
    const inUse = providers.active()
    const available = inUse !== null && providers.resolve(inUse).configured
    return {
      base_url: server.baseUrl,
      model: server.model,
      api_key_masked: masked(server.apiKey),
      available,
      reason: available ? null : LLM_FAILURES.config,
    }
  }
  return {
    view,
    /** Throws BAD_REQUEST naming the field. */
    async change(request: EndpointChange) {
      const { key_removed } = await providers.change(CUSTOM, request)
      return { ...view(), ...(key_removed && { key_removed }) }
    },
  }
}

const masked = (key: string | null): string | null => key && (key.length >= MASKED_FROM ? `…${key.slice(-SHOWN)}` : 'set')
