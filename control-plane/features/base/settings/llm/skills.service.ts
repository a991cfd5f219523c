// The provider of each skill, and the reason why a skill is not ready. Other areas call a language model through here only.

import type { LlmClient, LlmReply, LlmRequest } from '#control-plane/llm/client.ts'
import { LlmFailure } from '#control-plane/llm/failure.ts'
import type { OwnerSettings } from '#control-plane/store/setting.ts'
import { Failure } from '#shared/protocol/failure.ts'
import { skillChoice } from './llm.settings.ts'
import type { Providers } from './providers.service.ts'
import { findProvider } from './providers.ts'
import { isSkill, SKILLS, type SkillId } from './skills.ts'

export type SkillReason = 'disabled' | 'no_provider' | 'unconfigured'
/** `reason`: null when the skill is ready. */
export type SkillState = { readonly ready: boolean; readonly reason: SkillReason | null }
type Deps = {
  readonly settings: Pick<OwnerSettings, 'read' | 'write'>
  readonly providers: Pick<Providers, 'resolve' | 'active'>
  readonly client: LlmClient
}
/** An absent field keeps the stored value. `provider_override`: null or '' clears it. */
export type SkillChange = { readonly enabled?: boolean | null | undefined; readonly provider_override?: string | null | undefined }
export type Skills = ReturnType<typeof createSkills>

export function createSkills({ settings, providers, client }: Deps) {
  function resolve(id: SkillId) {
    const { enabled, provider: override } = settings.read(skillChoice(id))
    const chosen = override === null ? null : findProvider(override)
    const provider = chosen ?? providers.active()
    const source = chosen ? ('override' as const) : provider ? ('active' as const) : ('none' as const)
    const resolved = provider && providers.resolve(provider)
    const reason: SkillReason | null = !enabled ? 'disabled' : !resolved ? 'no_provider' : resolved.configured ? null : 'unconfigured'
    return { enabled, override: chosen?.id ?? null, provider, source, reason, server: resolved?.server ?? null }
  }
  function row(id: SkillId) {
    const { enabled, override, provider, source, reason } = resolve(id)
    return {
      id,
      // Clients look these keys up in their own words.
      name_key: `settings.llmskills_${id}_name`,
      description_key: `settings.llmskills_${id}_desc`,
      enabled,
      provider_override: override,
      provider: provider?.id ?? null,
      provider_display_name: provider?.name ?? null,
      provider_local: provider?.local === true,
      provider_source: source,
      ready: reason === null,
      reason,
    }
  }
  const list = () => ({ skills: SKILLS.map(row) })

  return {
    list,
    state(id: SkillId): SkillState {
      const { reason } = resolve(id)
      return { ready: reason === null, reason }
    },
    /** Throws NOT_FOUND for an unknown skill or provider. A provider that is not configured may be chosen. */
    async change(id: string, { enabled, provider_override }: SkillChange) {
      if (!isSkill(id)) throw new Failure('NOT_FOUND', `There is no language-model skill ${id.slice(0, 64)}.`)
      if (provider_override && !findProvider(provider_override))
        throw new Failure('NOT_FOUND', `There is no language-model provider ${provider_override.slice(0, 64)}.`)
      const before = settings.read(skillChoice(id))
      const provider = provider_override === undefined ? before.provider : provider_override || null
      await settings.write(skillChoice(id), { enabled: enabled ?? before.enabled, provider })
      return list()
    },
    /**
     * One completion by the provider of the skill, within `timeoutMs`. Throws LlmFailure (`config` while the skill is not ready), or the
     * reason of the signal.
     */
    async ask(id: SkillId, request: LlmRequest, options: { readonly timeoutMs: number; readonly signal: AbortSignal }): Promise<LlmReply> {
      const { reason, server } = resolve(id)
      if (reason !== null || server === null) throw new LlmFailure('config')
      return await client.complete(server, request, options)
    },
  }
}
