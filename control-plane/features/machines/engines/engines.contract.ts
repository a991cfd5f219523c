// The engines, the selection of each family, and whether an engine works.
import { z } from 'zod'
import { PresetsReply } from '#control-plane/features/base/tools/presets.schema.ts'
import { contract } from '#control-plane/http/contract/contract.ts'
import { AsrFamily, EnginePath, EnginesReply, HealthReply, LlmFamily, SelectBody, SelectReply, TtsFamily } from './engines.schema.ts'
import { TranslationInstalled, TranslationReply } from './translation.ts'

const query = z.object({})

export const enginesContracts = {
  list: contract({
    id: 'engines.list',
    waitsForLocal: true,
    method: 'GET',
    path: '/engines',
    access: 'consume',
    summary: 'Lists every engine with its availability and the reason when it is not available.',
    query,
    reply: EnginesReply,
  }),
  listTts: contract({
    id: 'engines.listTts',
    waitsForLocal: true,
    method: 'GET',
    path: '/engines/tts',
    access: 'consume',
    summary: 'Lists the text-to-speech engines.',
    query,
    reply: TtsFamily,
  }),
  listAsr: contract({
    id: 'engines.listAsr',
    waitsForLocal: true,
    method: 'GET',
    path: '/engines/asr',
    access: 'consume',
    summary: 'Lists the speech recognition engines.',
    query,
    reply: AsrFamily,
  }),
  listLlm: contract({
    id: 'engines.listLlm',
    method: 'GET',
    path: '/engines/llm',
    access: 'consume',
    summary: 'Lists the language model engines.',
    query,
    reply: LlmFamily,
  }),
  select: contract({
    id: 'engines.select',
    waitsForLocal: true,
    method: 'POST',
    path: '/engines/select',
    access: 'admin',
    summary: 'Selects the engine of a family. An engine that cannot run is refused with the reason.',
    body: SelectBody,
    reply: SelectReply,
  }),
  effects: contract({
    id: 'engines.effects',
    method: 'GET',
    path: '/engines/effects/presets',
    access: 'consume',
    summary: 'Lists the effect presets in display order.',
    query,
    reply: PresetsReply,
  }),
  listTranslation: contract({
    id: 'engines.listTranslation',
    waitsForLocal: true,
    method: 'GET',
    path: '/engines/translation',
    access: 'consume',
    summary: 'Lists the translators, their availability and how to install the missing ones.',
    query,
    reply: TranslationReply,
  }),
  installTranslation: contract({
    id: 'engines.installTranslation',
    method: 'POST',
    path: '/engines/translation/{engine_id}/install',
    access: 'admin',
    summary: 'Returns installation instructions for a translator. The studio itself installs no packages.',
    params: EnginePath,
    reply: TranslationInstalled,
  }),
  removeTranslation: contract({
    id: 'engines.removeTranslation',
    method: 'DELETE',
    path: '/engines/translation/{engine_id}',
    access: 'admin',
    summary: 'Removes a translator that the studio installed. In this version there is none.',
    params: EnginePath,
    reply: TranslationInstalled,
  }),
  health: contract({
    id: 'engines.health',
    waitsForLocal: true,
    method: 'GET',
    path: '/engines/{engine_id}/health',
    access: 'admin',
    summary: 'Returns whether an engine can be used now.',
    params: EnginePath,
    reply: HealthReply,
  }),
}
