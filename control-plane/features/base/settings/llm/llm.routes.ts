import { handle, type Route } from '#control-plane/http/contract/handle.ts'
import type { createLlmEndpoint } from './endpoint.service.ts'
import { llmContracts } from './llm.contract.ts'
import type { Providers } from './providers.service.ts'
import type { Skills } from './skills.service.ts'

export type LlmParts = {
  readonly providers: Providers
  readonly skills: Skills
  readonly endpoint: ReturnType<typeof createLlmEndpoint>
}

export const llmRoutes = ({ providers, skills, endpoint }: LlmParts): Route[] => [
  handle(llmContracts.readEndpoint, () => endpoint.view()),
  handle(llmContracts.changeEndpoint, ({ body }) => endpoint.change(body)),
  handle(llmContracts.listProviders, () => providers.list()),
  handle(llmContracts.changeProvider, ({ params, body }) => providers.change(params.provider_id, body)),
  handle(llmContracts.activateProvider, ({ body }) => providers.activate(body.provider)),
  handle(llmContracts.testProvider, ({ params, signal }) => providers.test(params.provider_id, signal)),
  handle(llmContracts.listModels, ({ params, signal }) => providers.models(params.provider_id, signal)),
  handle(llmContracts.listSkills, () => skills.list()),
  handle(llmContracts.changeSkill, ({ params, body }) => skills.change(params.skill_id, body)),
]
