// The recognition server that the owner configured.
import { z } from 'zod'
import { contract } from '#control-plane/http/contract/contract.ts'

const EndpointChange = z
  .strictObject({
    base_url: z.string().max(2_000).nullish(),
    model: z.string().max(200).nullish(),
    api_key: z.string().max(1_000).nullish(),
  })
  .meta({ id: 'RecognitionEndpointWish' })
const View = z.object({ base_url: z.string(), model: z.string(), has_key: z.boolean() }).meta({ id: 'RecognitionEndpoint' })
/** `key_removed`: the stored key belonged to another server and was removed. */
const Changed = View.extend({ key_removed: z.literal(true).optional() }).meta({ id: 'RecognitionEndpointChanged' })
const Tested = z
  .object({
    ok: z.boolean(),
    status: z.enum(['not_configured', 'invalid_url', 'timeout', 'unreachable', 'ok', 'ok_no_models', 'auth_failed', 'http_error']),
    latency_ms: z.number().nullable(),
    http_status: z.int().nullable(),
    models_count: z.int().nullable(),
    model_found: z.boolean().nullable(),
    detail: z.string().nullable(),
  })
  .meta({ id: 'RecognitionEndpointTest' })
const access = 'admin' as const
const path = '/api/settings/asr-openai-compat'

export const endpointContracts = {
  readEndpoint: contract({
    id: 'recognition.readEndpoint',
    method: 'GET',
    path,
    access,
    summary: 'Returns the configured recognition server. Its key is never returned.',
    reply: View,
  }),
  nameEndpoint: contract({
    id: 'recognition.nameEndpoint',
    method: 'PUT',
    path,
    access: 'own',
    summary:
      'Configures an OpenAI-compatible recognition server, used when openai-compat-asr is selected. An empty value clears a field. A new origin without a new key removes the stored key.',
    body: EndpointChange,
    reply: Changed,
  }),
  testEndpoint: contract({
    id: 'recognition.testEndpoint',
    method: 'POST',
    path: `${path}/test`,
    access: 'loopback',
    summary: 'Requests the model list of the recognition server and returns the outcome.',
    reply: Tested,
  }),
}
