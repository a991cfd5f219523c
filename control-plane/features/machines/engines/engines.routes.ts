import { handle, type Route } from '#control-plane/http/contract/handle.ts'
import { EFFECT_PRESETS } from '#shared/audio/effects.ts'
import { enginesContracts } from './engines.contract.ts'
import type { Engines } from './engines.service.ts'
import { installTranslator, removeTranslator, type TranslatorChoices, translationView } from './translation.ts'

export type EnginesParts = {
  readonly engines: Engines
  readonly translators: () => TranslatorChoices
}

export const enginesRoutes = ({ engines, translators }: EnginesParts): Route[] => [
  handle(enginesContracts.list, () => ({ tts: engines.tts(), asr: engines.asr(), llm: engines.llm() })),
  handle(enginesContracts.listTts, () => engines.tts()),
  handle(enginesContracts.listAsr, () => engines.asr()),
  handle(enginesContracts.listLlm, () => engines.llm()),
  handle(enginesContracts.select, ({ body }) => engines.select(body.family, body.backend_id, body.model_id ?? null)),
  handle(enginesContracts.effects, () => ({ presets: EFFECT_PRESETS.map((preset) => ({ ...preset })) })),
  handle(enginesContracts.listTranslation, () => translationView(translators())),
  handle(enginesContracts.installTranslation, ({ params }) => installTranslator(params.engine_id, translators())),
  handle(enginesContracts.removeTranslation, ({ params }) => removeTranslator(params.engine_id, translators())),
  handle(enginesContracts.health, ({ params }) => engines.health(params.engine_id)),
]
