import { z } from 'zod'
import { OriginSecret } from '#control-plane/store/origin-secret.ts'
import { setting } from '#control-plane/store/setting.ts'
import { PROVIDERS } from './providers.ts'
import { isSkill, SKILL_LABELS, SKILLS } from './skills.ts'

/** Choices for a provider. An empty text means its default. */
const ProviderChoice = z.strictObject({
  base_url: z.string().max(2_000),
  model: z.string().max(200),
  account_id: z.string().max(64),
})
const SkillChoice = z.strictObject({ enabled: z.boolean(), provider: z.string().max(64).nullable() })

// Ids of another version are possible; the services treat an unknown provider as none.
const active = setting({
  key: 'llm.active',
  access: 'admin',
  schema: z.string().max(64),
  fallback: '',
  summary: 'The active provider of language models; empty for none.',
  changedBy: 'Activate a provider in the settings, which checks that it exists.',
})
export const providerChoice = (id: string) =>
  setting({
    key: `llm.provider.${id}`,
    access: 'own',
    schema: ProviderChoice,
    fallback: { base_url: '', model: '', account_id: '' },
    summary: `Address, model and account of the language-model provider ${id}; an empty text means its default.`,
    changedBy: 'Change the provider in the settings, because a new address removes the key.',
  })
export const providerKey = (id: string) =>
  setting({
    key: `llm.provider.${id}.key`,
    access: 'own',
    schema: OriginSecret.nullable(),
    fallback: null,
    summary: `The key for the language-model provider ${id}, and the server that it is for.`,
    secret: true,
  })
export const skillChoice = (id: string) =>
  setting({
    key: `llm.skill.${id}`,
    access: 'admin',
    ...(isSkill(id) && { controls: { group: 'skills' as const, fields: { enabled: SKILL_LABELS[id] } } }),
    schema: SkillChoice,
    fallback: { enabled: true, provider: null },
    summary: `Whether the language-model skill ${id} is on, and its provider when it is not the active one.`,
  })

export const llmSettings = {
  active,
  provider: providerChoice('<provider>'),
  providerKey: providerKey('<provider>'),
  skill: skillChoice('<skill>'),
}
/** The settings that the templates above stand for. */
export const llmSettingsInUse = [
  active,
  ...PROVIDERS.flatMap(({ id }) => [providerChoice(id), providerKey(id)]),
  ...SKILLS.map((id) => skillChoice(id)),
]
