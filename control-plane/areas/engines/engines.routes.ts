import { EFFECT_PRESETS } from '#shared/audio/effects.ts'
import { handle, type Route } from '../../http/handle.ts'
import type { Offer } from '../../inference/offers.ts'
import { enginesContracts } from './engines.contract.ts'
import type { Engines } from './engines.service.ts'
import { installTranslator, removeTranslator, translationView } from './translation.ts'

export type EnginesParts = {
  readonly engines: Engines
  readonly offered: () => readonly Offer[]
}

export const enginesRoutes = ({ engines, offered }: EnginesParts): Route[] => [
  handle(enginesContracts.list, () => ({ tts: engines.tts(), asr: engines.asr(), llm: engines.llm() })),
  handle(enginesContracts.listTts, () => engines.tts()),
  handle(enginesContracts.listAsr, () => engines.asr()),
  handle(enginesContracts.listLlm, () => engines.llm()),
  handle(enginesContracts.select, ({ body }) => engines.select(body.family, body.backend_id, body.model_id ?? null)),
  handle(enginesContracts.effects, () => ({ presets: EFFECT_PRESETS.map((preset) => ({ ...preset })) })),
  handle(enginesContracts.listTranslation, () => translationView(offered())),
  handle(enginesContracts.installTranslation, ({ params }) => installTranslator(params.engine_id, offered())),
  handle(enginesContracts.removeTranslation, ({ params }) => removeTranslator(params.engine_id, offered())),
  handle(enginesContracts.health, ({ params }) => engines.health(params.engine_id)),
]
