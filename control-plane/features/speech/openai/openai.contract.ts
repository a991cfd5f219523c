// The models of the public API.
import { z } from 'zod'
import { contract } from '#control-plane/http/contract/contract.ts'

const Model = z
  .object({
    id: z.string(),
    object: z.literal('model'),
    /** Epoch seconds. 0, because the studio does not record when a model was published. */
    created: z.int(),
    owned_by: z.string(),
  })
  .meta({ id: 'PublicModel' })
const access = 'consume' as const

export const openaiContracts = {
  listModels: contract({
    id: 'openai.listModels',
    waitsForLocal: true,
    method: 'GET',
    path: '/v1/models',
    access,
    extension: true,
    summary: 'Lists the model names that speech and transcription requests can use now.',
    query: z.object({}),
    reply: z.object({ object: z.literal('list'), data: z.array(Model) }).meta({ id: 'PublicModels' }),
  }),
  readModel: contract({
    id: 'openai.readModel',
    waitsForLocal: true,
    method: 'GET',
    path: '/v1/models/{model}',
    access,
    extension: true,
    summary: 'Returns one of the models of GET /v1/models.',
    params: z.object({ model: z.string().max(200) }),
    reply: Model,
  }),
  listSpeechModels: contract({
    id: 'openai.listSpeechModels',
    waitsForLocal: true,
    method: 'GET',
    path: '/v1/audio/models',
    access,
    extension: true,
    summary: 'Lists the model names that can speak now, in the form that Open WebUI reads.',
    query: z.object({}),
    reply: z.object({ models: z.array(z.object({ id: z.string() })) }).meta({ id: 'SpeechModels' }),
  }),
}
