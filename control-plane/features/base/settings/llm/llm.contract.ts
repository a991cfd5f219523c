// Providers, endpoint and skills of language models.
import { z } from 'zod'
import { contract } from '#control-plane/http/contract/contract.ts'

const KIND = z.enum(['config', 'auth', 'not_found', 'rate_limit', 'network', 'error'])
const ProviderRow = z
  .object({
    id: z.string(),
    display_name: z.string(),
    local: z.boolean(),
    needs_account: z.boolean(),
    signup_url: z.string(),
    notes: z.string(),
    base_url: z.string(),
    model: z.string(),
    has_key: z.boolean(),
    key_from_env: z.boolean(),
    base_url_from_env: z.boolean(),
    model_from_env: z.boolean(),
    active_from_env: z.boolean(),
    configured: z.boolean(),
    account_id: z.string().optional(),
    account_from_env: z.boolean().optional(),
  })
  .meta({ id: 'LlmProvider' })
/** `key_removed`: the stored key belonged to another server and was removed. */
const ProviderList = z
  .object({ active: z.string().nullable(), providers: z.array(ProviderRow), key_removed: z.literal(true).optional() })
  .meta({ id: 'LlmProviders' })
const text = (most: number) => z.string().max(most).nullish()
const ProviderBody = z
  .strictObject({
    api_key: text(1_000),
    base_url: text(2_000),
    model: text(200),
    account_id: text(64),
    make_active: z.boolean().default(false),
  })
  .meta({ id: 'LlmProviderChange' })
const Tested = z
  .union([
    z.object({ ok: z.literal(true), model: z.string(), reply: z.string(), latency_ms: z.number() }),
    z.object({ ok: z.literal(false), kind: KIND, detail: z.string(), latency_ms: z.number().optional() }),
  ])
  .meta({ id: 'LlmProviderTest' })
const Models = z
  .union([
    z.object({ ok: z.literal(true), models: z.array(z.string()), truncated: z.boolean() }),
    z.object({ ok: z.literal(false), kind: KIND, detail: z.string().optional(), models: z.array(z.string()).max(0) }),
  ])
  .meta({ id: 'LlmProviderModels' })
const Endpoint = z
  .object({
    base_url: z.string(),
    model: z.string(),
    api_key_masked: z.string().nullable(),
    available: z.boolean(),
    reason: z.string().nullable(),
    key_removed: z.literal(true).optional(),
  })
  .meta({ id: 'LlmEndpoint' })
const SkillList = z
  .object({
    skills: z.array(
      z.object({
        id: z.string(),
        name_key: z.string(),
        description_key: z.string(),
        enabled: z.boolean(),
        provider_override: z.string().nullable(),
        provider: z.string().nullable(),
        provider_display_name: z.string().nullable(),
        provider_local: z.boolean(),
        provider_source: z.enum(['override', 'active', 'none']),
        ready: z.boolean(),
        reason: z.enum(['disabled', 'no_provider', 'unconfigured']).nullable(),
      }),
    ),
  })
  .meta({ id: 'LlmSkills' })

const access = 'admin' as const
const providerPath = z.strictObject({ provider_id: z.string().max(64) })

export const llmContracts = {
  readEndpoint: contract({
    id: 'settings.readLlmEndpoint',
    method: 'GET',
    path: '/api/settings/llm-endpoint',
    access,
    summary: 'Returns the custom language-model server. Its key is masked.',
    reply: Endpoint,
  }),
  changeEndpoint: contract({
    id: 'settings.changeLlmEndpoint',
    method: 'PUT',
    path: '/api/settings/llm-endpoint',
    access: 'own',
    summary: 'Configures the custom language-model server. null keeps a field, an empty text clears it; a new origin removes the key.',
    body: z.strictObject({ base_url: text(2_000), model: text(200), api_key: text(1_000) }).meta({ id: 'LlmEndpointChange' }),
    reply: Endpoint,
  }),
  listProviders: contract({
    id: 'settings.listLlmProviders',
    method: 'GET',
    path: '/api/settings/llm-providers',
    access,
    summary: 'Lists the language-model providers and the active one. Keys are never returned.',
    reply: ProviderList,
  }),
  changeProvider: contract({
    id: 'settings.changeLlmProvider',
    method: 'PUT',
    path: '/api/settings/llm-providers/{provider_id}',
    access: 'own',
    summary: 'Configures a provider. The first configured provider becomes active; a new origin without a new key removes the key.',
    params: providerPath,
    body: ProviderBody,
    reply: ProviderList,
  }),
  activateProvider: contract({
    id: 'settings.activateLlmProvider',
    method: 'POST',
    path: '/api/settings/llm-providers/active',
    access,
    summary: 'Makes a provider the active one.',
    body: z.strictObject({ provider: z.string().max(64) }),
    reply: ProviderList,
  }),
  testProvider: contract({
    id: 'settings.testLlmProvider',
    method: 'POST',
    path: '/api/settings/llm-providers/{provider_id}/test',
    access,
    summary: 'Sends one short prompt to a provider and returns the outcome.',
    params: providerPath,
    reply: Tested,
  }),
  listModels: contract({
    id: 'settings.listLlmModels',
    method: 'GET',
    path: '/api/settings/llm-providers/{provider_id}/models',
    access,
    summary: 'Lists the models of a provider that the key can use, at most 200.',
    params: providerPath,
    reply: Models,
  }),
  listSkills: contract({
    id: 'settings.listLlmSkills',
    method: 'GET',
    path: '/api/settings/llm-skills',
    access,
    summary: 'Lists the uses of a language model, the provider of each, and why one is not ready.',
    reply: SkillList,
  }),
  changeSkill: contract({
    id: 'settings.changeLlmSkill',
    method: 'PUT',
    path: '/api/settings/llm-skills/{skill_id}',
    access,
    summary: 'Turns a skill on or off, or gives it a provider of its own.',
    params: z.strictObject({ skill_id: z.string().max(64) }),
    body: z.strictObject({ enabled: z.boolean().nullish(), provider_override: text(64) }).meta({ id: 'LlmSkillChange' }),
    reply: SkillList,
  }),
}
