import { currentClient } from '#control-plane/clients/client.ts'
import type { EnginesApi } from '#control-plane/features/machines/engines/api.ts'
import type { VoicesApi } from '#control-plane/features/voices/profiles/api.ts'
import { replyFor } from '#control-plane/http/contract/errors.ts'
import { handle, type Route } from '#control-plane/http/contract/handle.ts'
import { publicError } from '#control-plane/http/contract/public-error.ts'
import { acceptedContent, type Content, eventStream, headerText, jsonLines, prefersAsync } from '#control-plane/http/contract/respond.ts'
import { VOICE_ALIASES } from '#control-plane/inference/aliases.ts'
import { Failure } from '#shared/protocol/failure.ts'
import { explainEngine } from './generate.rules.ts'
import { audioOf, type createGenerate, type TakeStream } from './generate.service.ts'
import { speechContracts } from './speech.contract.ts'
import type { createSpeech, Speech } from './speech.service.ts'
import { speechEvents } from './stream/speech-events.ts'
import type { TakeJobs } from './take/take-job.ts'
import type { Take } from './take.ts'

export type SpeechParts = {
  readonly speech: ReturnType<typeof createSpeech>
  readonly takes: ReturnType<typeof createGenerate>
  readonly jobs: TakeJobs
  readonly engines: Pick<EnginesApi, 'tts'>
  readonly voices: Pick<VoicesApi, 'list'>
  readonly audioFolder: string
}
const KEY = /^[\x21-\x7e]{1,128}$/

function idempotencyKey(header: string | string[] | undefined): string | null {
  if (header === undefined) return null
  if (typeof header !== 'string' || !KEY.test(header))
    throw new Failure('BAD_REQUEST', 'Idempotency-Key must be 1 to 128 visible ASCII characters.')
  return `speech:${header}`
}

function speechContent(speech: Speech, asEvents: boolean): Content {
  const { contentType, extension, contentLength, sampleRate, body, notice, voice, marks } = speech
  const headers = { 'x-audio-sample-rate': sampleRate, 'x-svc-voice': voice && headerText(voice) }
  if (asEvents)
    return { ...eventStream(speechEvents(body, marks, (failure) => publicError(failure.code, replyFor(failure)))), headers, notice }
  return { type: contentType, body, length: contentLength, file: { name: `speech.${extension}`, disposition: 'inline' }, headers, notice }
}

function takeContent(take: Take | TakeStream, audioFolder: string): Content {
  const { seed, notice } = take
  if ('lines' in take)
    return { ...jsonLines(take.lines), notice, headers: { 'x-seed': seed, 'x-svc-voice': take.voice && headerText(take.voice) } }
  const { id, audioPath, bytes, seconds, tookSeconds, dropped } = take
  return {
    type: 'audio/wav',
    body: audioOf(audioFolder, take),
    length: bytes,
    notice,
    headers: {
      'x-audio-id': id,
      'x-audio-path': audioPath,
      'x-gen-time': tookSeconds.toFixed(2),
      'x-audio-duration': seconds.toFixed(3),
      'x-seed': seed,
      'x-svc-voice': take.voice ? headerText(take.voice) : null,
      'x-svc-dropped-chunks': dropped.length > 0 ? dropped.length : null,
      'x-svc-dropped-text': dropped.length > 0 ? headerText(dropped.join(' | ')) : null,
    },
  }
}

const aliasRows = [...VOICE_ALIASES].sort().map((voice_id) => ({
  id: voice_id,
  voice_id,
  name: voice_id.charAt(0).toUpperCase() + voice_id.slice(1),
  type: 'openai_alias' as const,
  description: 'The default voice of the selected engine.',
}))
const byName = new Intl.Collator('en', { numeric: true })
const profileRows = (voices: Pick<VoicesApi, 'list'>) =>
  voices
    .list()
    .map(({ id, name, language }) => ({ id, voice_id: id, name, type: 'profile' as const, language }))
    .sort((one, other) => byName.compare(one.name, other.name))

export const speechRoutes = ({ speech, takes, jobs, engines, voices, audioFolder }: SpeechParts): Route[] => [
  handle(speechContracts.speak, async ({ body, headers, signal, traceparent }) => {
    const asEvents = body.stream_format === 'sse'
    const call = { idempotencyKey: idempotencyKey(headers['idempotency-key']), sendsMarks: asEvents, signal, traceparent }
    return speechContent(await speech.speak(body, call), asEvents)
  }),
  handle(speechContracts.listVoices, () => ({ voices: [...aliasRows, ...profileRows(voices)], engines: engines.tts().backends })),
  handle(speechContracts.generate, async ({ body, uploads, headers, signal, traceparent }) => {
    const client = currentClient().id
    if (prefersAsync(headers['prefer'])) return acceptedContent(await jobs.create(body, uploads, client, signal).catch(explainEngine))
    return takeContent(await takes.generate(body, uploads, client, signal, traceparent).catch(explainEngine), audioFolder)
  }),
]
