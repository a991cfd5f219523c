// generate_speech: a take of the history, in the voice of the call, of its client or of the owner.
import { readFile } from 'node:fs/promises'
import { z } from 'zod'
import type { EnginesApi } from '#control-plane/features/machines/engines/api.ts'
import type { SpeechApi } from '#control-plane/features/speech/speech/api.ts'
import { GENERATE_CHARS, GenerateForm } from '#control-plane/features/speech/speech/speech.schema.ts'
import type { VoicesApi } from '#control-plane/features/voices/profiles/api.ts'
import { parseInput } from '#control-plane/http/input/validation.ts'
import { sentencesOf } from '#control-plane/inference/notice.ts'
import { findVoice } from '#control-plane/inference/offers.ts'
import { Failure } from '#shared/protocol/failure.ts'
import { fileIn } from '#shared/runtime/file.ts'
import type { Bindings, ResolvedVoice } from '../bindings/bindings.service.ts'
import { tool } from './tool.ts'

type Deps = {
  readonly speech: Pick<SpeechApi, 'take'>
  readonly engines: Pick<EnginesApi, 'tts'>
  readonly voices: Pick<VoicesApi, 'find'>
  readonly bindings: Pick<Bindings, 'resolve'>
  readonly audioFolder: string
}
type Spoken = { readonly engine: string | null; readonly voice: string | null }

/** Bytes of a WAV file that fits into a result: 22 seconds at 24 kHz. */
const INLINE_BYTES = 1024 * 1024
const text = (chars: number) => z.string().max(chars).nullish()

const Input = z.object({
  text: z.string().min(1).max(GENERATE_CHARS).describe('The text to speak. [pause 500ms] inserts a pause.'),
  text_format: z
    .enum(['text', 'ssml'])
    .nullish()
    .describe('ssml for SSML 1.1, or text. Without it, a text that begins with <speak is SSML.'),
  language: text(35).describe('Language tag such as en or pt-BR. Auto, or nothing, detects it.'),
  profile_id: text(128).describe('Id of a voice from list_voices. Without it, the voice that the owner chose for this client is used.'),
  instruct: text(4096).describe('How to speak, such as: whisper, calm, excited. Only some engines follow it.'),
  speed: z.number().min(0.25).max(4).nullish().describe('1 is normal speed.'),
  steps: z.int().min(1).max(128).nullish().describe('Sampling steps of engines that have them: 8 is fast, 16 balanced, 32 slow.'),
  seed: z.int().nullish().describe('The same seed gives the same speech on the same engine.'),
  engine: text(64).describe('Id of an engine from list_voices.'),
  include_audio: z
    .boolean()
    .nullish()
    .describe('Also return the WAV file as base64, if it has at most 1 MiB. The result always has a link to it.'),
})
type Input = z.output<typeof Input>
const Output = z.object({
  audio_id: z.string().describe('Id of the take in the history.'),
  audio_url: z.string(),
  format: z.literal('wav'),
  audio_bytes: z.int(),
  audio_duration_s: z.number(),
  generation_time_s: z.number(),
  /** Hz. */
  sample_rate: z.int(),
  seed: z.int(),
  engine: z.string().describe('The engine that spoke.'),
  voice: z.string().nullable().describe('The id of the voice that spoke. Null where the engine does not say.'),
  voice_source: z.enum(['call', 'client', 'default', 'none']).describe('Who chose the voice.'),
  notice: z.string().nullable().describe('What the listener should know, such as a substitute voice.'),
  audio_omitted: z.string().optional().describe('Why the file is not in the result.'),
})

export const generateSpeech = ({ speech, engines, voices, bindings, audioFolder }: Deps) =>
  tool({
    name: 'generate_speech',
    title: 'Generate speech',
    description: 'Speaks a text and stores the WAV file in the history of the studio. Returns a link to the file, its length and its seed.',
    input: Input,
    output: Output,
    readOnly: false,
    runsTask: true,
    async run(input, { clientId, madeBy, baseUrl, signal, traceparent, report }) {
      const resolved = bindings.resolve(clientId, { voice: input.profile_id || null, engine: input.engine || null })
      const { voice, engine } = resolved
      const isProfile = voice !== null && voices.find(voice) !== null
      const spoken = isProfile ? { engine, voice } : voiceOf(resolved, engines.tts())
      const onProgress = report && (({ percent, stage }: { percent: number; stage: string }) => report(percent / 100, stage))
      const take = await speech.take(formOf(input, spoken), madeBy, { signal, traceparent }, onProgress)
      const url = `${baseUrl}/audio/${take.audioPath}`
      const audio = input.include_audio ? await inline(fileIn(audioFolder, take.audioPath), take.bytes) : null
      return {
        fields: {
          audio_id: take.id,
          audio_url: url,
          format: 'wav' as const,
          audio_bytes: take.bytes,
          audio_duration_s: Math.round(take.seconds * 1000) / 1000,
          generation_time_s: take.tookSeconds,
          sample_rate: take.sampleRate,
          seed: take.seed,
          engine: take.engine,
          voice: take.voice ?? null,
          voice_source: resolved.source,
          notice: take.notice && sentencesOf(take.notice),
          ...(input.include_audio && !audio && { audio_omitted: 'The file has more than 1 MiB. Fetch it from audio_url.' }),
        },
        blocks: [
          { type: 'resource_link', uri: url, name: take.audioPath, mimeType: 'audio/wav', size: take.bytes },
          ...(audio ? [{ type: 'audio' as const, data: audio, mimeType: 'audio/wav' }] : []),
        ],
      }
    },
  })

const inline = async (path: string, bytes: number): Promise<string | null> =>
  bytes <= INLINE_BYTES ? (await readFile(path)).toString('base64') : null

/** The form of POST /generate, with its limits. Throws INVALID_REQUEST. */
function formOf({ text, text_format, language, instruct, speed, steps, seed }: Input, { engine, voice }: Spoken): GenerateForm {
  const fields = { text, text_format, language, instruct, speed, num_step: steps, seed, engine, voice }
  const present = Object.entries(fields).filter(([, value]) => value !== null && value !== undefined)
  return parseInput(GenerateForm, Object.fromEntries(present.map(([name, value]) => [name, String(value)])), 'body')
}

/**
 * The engine that has the voice: the named engine, else the selected one, else the first available one. Throws NOT_FOUND for a voice that no
 * such engine has, because another voice must not speak instead.
 */
export function voiceOf({ voice, engine, source }: ResolvedVoice, { active, backends }: ReturnType<EnginesApi['tts']>): Spoken {
  if (voice === null || voice === 'default') return { engine, voice: null }
  const order = [...backends].sort((one, other) => Number(other.id === active) - Number(one.id === active))
  const able = order.filter(({ id, available }) => (engine === null ? available : id === engine))
  for (const { id, voices } of able) {
    const found = findVoice(id, voices, voice)
    if (found) return { engine: engine === null && id === active ? null : id, voice: found.id }
  }
  const where = engine === null ? '' : ` of the engine '${engine.slice(0, 64)}'`
  throw new Failure('NOT_FOUND', `There is no voice '${voice.slice(0, 128)}'${where}. ${WAYS_OUT[source]}`)
}

const WAYS_OUT: Readonly<Record<ResolvedVoice['source'], string>> = {
  call: 'list_voices lists the voices.',
  client: 'The owner chose it for this client. Name another one of list_voices as profile_id, or change the choice.',
  default: 'The owner chose it for all clients (setting mcp_default_profile_id). Name another one of list_voices as profile_id.',
  none: '',
}
