// Speech from the running studio. The route of the public API streams it in each format, but takes short texts only; a longer text becomes a take,
// which comes as WAV when it is complete, is converted if another format is wanted, and is not kept in the history.

import { createReadStream } from 'node:fs'
import { mkdtemp, rm } from 'node:fs/promises'
import type { IncomingMessage } from 'node:http'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { Readable } from 'node:stream'
import { GENERATE_CHARS, SPEECH_CHARS } from '#control-plane/features/speech/speech/speech.schema.ts'
import { FAILURES } from '#shared/protocol/failure.ts'
import { isLongerThan } from '#shared/protocol/fields/characters.ts'
import { COMMAND } from '#shared/protocol/version.ts'
import { type Environment, Misuse } from '../command.ts'
import { fileAt, save } from '../file-transfer.ts'
import { failureFrom, noticesIn, request, requestJson } from '../studio/api.ts'

export const SPEECH_FORMATS: readonly string[] = ['mp3', 'opus', 'aac', 'flac', 'wav', 'pcm']
/** The formats of long texts, with the names that the route of the conversion has for them; null needs none. */
const LONG_FORMATS: Readonly<Record<string, string | null>> = { mp3: 'mp3', opus: 'ogg', wav: null }
/** The alias of the selected engine. */
const SELECTED = 'tts-1'

export type WantedSpeech = {
  readonly input: string
  /** One of SPEECH_FORMATS. */
  readonly format: string
  /** The selected engine without one. */
  readonly engine?: string | undefined
  readonly voice?: string | undefined
  readonly speed?: number | undefined
  /** True for SSML, also without its root element. False: a text that begins with `<speak` is SSML. */
  readonly ssml: boolean
}

/** Throws a Misuse for a text that cannot be spoken in that format. Call before any work is done. */
export function checkSpeech({ input, format }: Pick<WantedSpeech, 'input' | 'format'>): void {
  if (!isLongerThan(input, SPEECH_CHARS)) return
  if (isLongerThan(input, GENERATE_CHARS))
    throw new Misuse(
      `The text has more than ${GENERATE_CHARS} characters. Save it as a file and write ${COMMAND} book render FILE -o BOOK.m4b.`,
    )
  if (!Object.hasOwn(LONG_FORMATS, format))
    throw new Misuse(
      `A text of more than ${SPEECH_CHARS} characters cannot be written as ${format}. Choose one of ${Object.keys(LONG_FORMATS).join(', ')} with --format.`,
    )
}

export type Spoken = {
  readonly content: Readable
  /** One of SPEECH_FORMATS; wav where the studio cannot encode the wanted one. */
  readonly format: string
  /** Differences from the request: another format, or notices of the studio. Sentences. */
  readonly notices: readonly string[]
}
type Use = (spoken: Spoken) => Promise<void>

/** Resolves when `use` has read the content. Throws the refusal of the studio. */
export function speak(env: Environment, wanted: WantedSpeech, signal: AbortSignal, use: Use): Promise<void> {
  return isLongerThan(wanted.input, SPEECH_CHARS) ? speakTake(env, wanted, signal, use) : speakStream(env, wanted, signal, use)
}

async function speakStream(env: Environment, wanted: WantedSpeech, signal: AbortSignal, use: Use): Promise<void> {
  const { input, format, engine = SELECTED, voice, speed, ssml } = wanted
  const body = {
    input,
    model: engine,
    response_format: format,
    ...(voice !== undefined && { voice }),
    ...(speed !== undefined && { speed }),
    ...(ssml && { text_format: 'ssml' }),
  }
  const content = await answered(env, { method: 'POST', path: '/v1/audio/speech', body, signal })
  const isWav = /^audio\/(x-)?wav/.test(content.headers['content-type'] ?? '')
  await use({ content, format: isWav ? 'wav' : format, notices: noticesIn(content) })
}

async function speakTake(env: Environment, wanted: WantedSpeech, signal: AbortSignal, use: Use): Promise<void> {
  const { input, format, engine, voice, speed, ssml } = wanted
  const form = new FormData()
  form.set('text', input)
  form.set('effect_preset', 'raw') // speech that is streamed is not mastered either
  if (engine !== undefined) form.set('engine', engine)
  if (voice !== undefined) form.set('voice', voice)
  if (speed !== undefined) form.set('speed', String(speed))
  if (ssml) form.set('text_format', 'ssml')
  const take = await answered(env, { method: 'POST', path: '/generate', form, signal })
  const notices = noticesIn(take)
  const to = LONG_FORMATS[format] ?? null
  if (to === null) await use({ content: take, format, notices })
  else
    await convert(env, take, to, signal, (content, isWav) =>
      use({ content, format: isWav ? 'wav' : format, notices: isWav ? [onlyWav(format), ...notices] : notices }),
    )
  await requestJson(env, 'DELETE', `/history/${encodeURIComponent(String(take.headers['x-audio-id']))}`)
}

/** Without a program that converts, the content is the WAV itself. */
async function convert(
  env: Environment,
  take: IncomingMessage,
  to: string,
  signal: AbortSignal,
  use: (content: Readable, isWav: boolean) => Promise<void>,
): Promise<void> {
  const folder = await mkdtemp(join(tmpdir(), 'studio-say-'))
  try {
    const wav = join(folder, 'take.wav')
    await save(take, wav, signal)
    const form = new FormData()
    form.set('format', to)
    form.set('file', await fileAt(wav), 'take.wav')
    const answer = await request(env, { method: 'POST', path: '/stories/encode', form, signal })
    if (answer.statusCode === 200) return await use(answer, false)
    if (answer.statusCode !== FAILURES.PROGRAM_MISSING.http) throw await failureFrom(env, answer)
    answer.resume()
    await use(createReadStream(wav), true)
  } finally {
    await rm(folder, { recursive: true, force: true })
  }
}

async function answered(env: Environment, call: Parameters<typeof request>[1]): Promise<IncomingMessage> {
  const response = await request(env, call)
  if (response.statusCode !== 200) throw await failureFrom(env, response)
  return response
}

const onlyWav = (format: string) => `The studio cannot make ${format}, so WAV was sent instead.`
