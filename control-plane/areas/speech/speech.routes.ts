import { Failure } from '#shared/protocol/failure.ts'
import { handle, type Route } from '../../http/handle.ts'
import { contentOf } from '../../http/route.ts'
import type { EnginesApi } from '../engines/api.ts'
import type { createGenerate } from './generate.service.ts'
import { speechContracts } from './speech.contract.ts'
import { ALIASES, type createSpeech } from './speech.service.ts'

export type SpeechParts = {
  readonly speech: ReturnType<typeof createSpeech>
  readonly takes: ReturnType<typeof createGenerate>
  readonly engines: Pick<EnginesApi, 'tts'>
}
const KEY = /^[\x21-\x7e]{1,128}$/

function idempotencyKey(header: string | string[] | undefined): string | null {
  if (header === undefined) return null
  if (typeof header !== 'string' || !KEY.test(header))
    throw new Failure('BAD_REQUEST', 'Idempotency-Key must be 1 to 128 visible ASCII characters.')
  return `speech:${header}`
}

export const speechRoutes = ({ speech, takes, engines }: SpeechParts): Route[] => [
  handle(speechContracts.speak, async ({ body, headers, signal, traceparent }) =>
    contentOf(await speech.speak(body, idempotencyKey(headers['idempotency-key']), signal, traceparent)),
  ),
  handle(speechContracts.listVoices, () => ({
    voices: [...ALIASES].sort().map((voice_id) => ({
      voice_id,
      name: voice_id.charAt(0).toUpperCase() + voice_id.slice(1),
      type: 'openai_alias' as const,
      description: 'The default voice of the selected engine.',
    })),
    engines: engines.tts().backends,
  })),
  handle(speechContracts.generate, async ({ body, uploads, signal, traceparent }) =>
    contentOf(await takes.generate(body, uploads, signal, traceparent)),
  ),
]
