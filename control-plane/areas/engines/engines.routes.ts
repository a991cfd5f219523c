// Section 4.2 without /health and /models: the engines, their choice, and whether they work.
import { z } from 'zod'
import { EFFECT_PRESETS } from '#shared/audio/effects.ts'
import { type Route, route } from '../../http/route.ts'
import type { Offer } from '../../inference/substitutes.ts'
import {
  AsrFamily,
  EnginePath,
  EnginesReply,
  HealthReply,
  LlmFamily,
  PresetsReply,
  SelectBody,
  SelectReply,
  SelftestReply,
  TtsFamily,
} from './engines.schema.ts'
import type { Engines } from './engines.service.ts'
import type { createSelftest } from './selftest.service.ts'
import { installTranslator, removeTranslator, TranslationInstalled, TranslationReply, translationView } from './translation.ts'

export type EnginesParts = {
  readonly engines: Engines
  readonly selftest: ReturnType<typeof createSelftest>
  readonly offered: () => readonly Offer[]
}
const query = z.object({})

export const enginesRoutes = ({ engines, selftest, offered }: EnginesParts): Route[] => [
  route({
    id: 'engines.list',
    method: 'GET',
    path: '/engines',
    access: 'consume',
    summary: 'Every engine with what works, what does not, and why.',
    query,
    reply: EnginesReply,
    run: () => ({ tts: engines.tts(), asr: engines.asr(), llm: engines.llm() }),
  }),
  route({
    id: 'engines.listTts',
    method: 'GET',
    path: '/engines/tts',
    access: 'consume',
    summary: 'The engines that speak.',
    query,
    reply: TtsFamily,
    run: () => engines.tts(),
  }),
  route({
    id: 'engines.listAsr',
    method: 'GET',
    path: '/engines/asr',
    access: 'consume',
    summary: 'The engines that recognise speech.',
    query,
    reply: AsrFamily,
    run: () => engines.asr(),
  }),
  route({
    id: 'engines.listLlm',
    method: 'GET',
    path: '/engines/llm',
    access: 'consume',
    summary: 'The language models that may be asked.',
    query,
    reply: LlmFamily,
    run: () => engines.llm(),
  }),
  route({
    id: 'engines.select',
    method: 'POST',
    path: '/engines/select',
    access: 'admin',
    summary: 'Chooses the engine of a family. One that cannot run is refused with the reason.',
    body: SelectBody,
    reply: SelectReply,
    run: ({ body }) => engines.select(body.family, body.backend_id, body.model_id ?? null),
  }),
  route({
    id: 'engines.effects',
    method: 'GET',
    path: '/engines/effects/presets',
    access: 'consume',
    summary: 'The effect presets in the order to show them.',
    query,
    reply: PresetsReply,
    run: () => ({ presets: EFFECT_PRESETS.map((preset) => ({ ...preset })) }),
  }),
  route({
    id: 'engines.listTranslation',
    method: 'GET',
    path: '/engines/translation',
    access: 'consume',
    summary: 'The translators, which of them work, and what to do about the others.',
    query,
    reply: TranslationReply,
    run: () => translationView(offered()),
  }),
  route({
    id: 'engines.installTranslation',
    method: 'POST',
    path: '/engines/translation/{engine_id}/install',
    access: 'admin',
    summary: 'Says how a translator is installed: the studio itself installs no packages.',
    params: EnginePath,
    reply: TranslationInstalled,
    run: ({ params }) => installTranslator(params.engine_id, offered()),
  }),
  route({
    id: 'engines.removeTranslation',
    method: 'DELETE',
    path: '/engines/translation/{engine_id}',
    access: 'admin',
    summary: 'Removes a translator that the studio installed; there is none.',
    params: EnginePath,
    reply: TranslationInstalled,
    run: ({ params }) => removeTranslator(params.engine_id, offered()),
  }),
  route({
    id: 'engines.health',
    method: 'GET',
    path: '/engines/{engine_id}/health',
    access: 'admin',
    summary: 'Whether one engine can be used now.',
    params: EnginePath,
    reply: HealthReply,
    run: ({ params }) => engines.health(params.engine_id),
  }),
  route({
    id: 'engines.selftest',
    method: 'POST',
    path: '/engines/{engine_id}/selftest',
    access: 'admin',
    summary: 'Lets an engine speak one short sentence and measures it.',
    params: EnginePath,
    reply: SelftestReply,
    run: ({ params, signal, traceparent }) => selftest.run(params.engine_id, signal, traceparent),
  }),
]
