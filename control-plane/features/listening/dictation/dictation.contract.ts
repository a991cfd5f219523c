// /dictation/*: for this machine only, because turning dictation on opens its microphone.
import { z } from 'zod'
import { contract } from '#control-plane/http/contract/contract.ts'

const ModelsReply = z
  .object({
    models: z.array(
      z.object({
        id: z.string(),
        repo_id: z.string(),
        label: z.string(),
        tag: z.enum(['offline', 'streaming']),
        recommended: z.boolean(),
        size_gb: z.number(),
        languages: z.string(),
        kind: z.string(),
        installed: z.boolean(),
        installing: z.boolean(),
      }),
    ),
    engine_available: z.boolean(),
    engine_reason: z.string().nullable(),
    default_model_id: z.string(),
  })
  .meta({ id: 'DictationModels' })
const word = z.string().max(200).nullish()
const PrefsBody = z.strictObject({ enabled: z.boolean().nullish(), mode: word, model_id: word }).meta({ id: 'DictationWish' })
const Prefs = z.object({ enabled: z.boolean(), mode: z.enum(['toggle', 'hold']), model_id: z.string() }).meta({ id: 'DictationPrefs' })
const query = z.object({})

export const dictationContracts = {
  listModels: contract({
    id: 'dictation.listModels',
    method: 'GET',
    path: '/dictation/models',
    access: 'local',
    summary: 'Lists the models for dictation and whether each is installed.',
    query,
    reply: ModelsReply,
  }),
  getPrefs: contract({
    id: 'dictation.getPrefs',
    method: 'GET',
    path: '/dictation/prefs',
    access: 'local',
    summary: 'Returns the dictation preferences.',
    query,
    reply: Prefs,
  }),
  setPrefs: contract({
    id: 'dictation.setPrefs',
    method: 'POST',
    path: '/dictation/prefs',
    access: 'local',
    summary: 'Changes dictation preferences. All fields are validated before any is written.',
    body: PrefsBody,
    reply: Prefs,
  }),
}
