// The request on the command line of `dub`. Everything that cannot work is refused here, before the film is read.

import { stat, statfs } from 'node:fs/promises'
import { dirname, extname, resolve } from 'node:path'
import { TIMING_STRATEGIES } from '#control-plane/features/dubbing/store/dub.ts'
import { translationContracts } from '#control-plane/features/listening/translation/translation.contract.ts'
import { enginesContracts } from '#control-plane/features/machines/engines/engines.contract.ts'
import { overviewContracts } from '#control-plane/features/operate/system/overview/overview.contract.ts'
import { Failure } from '#shared/protocol/failure.ts'
import { COMMAND } from '#shared/protocol/version.ts'
import { shortBytes } from '#shared/runtime/memory/short-bytes.ts'
import { type Environment, Misuse } from '../command.ts'
import { refuseUnwritable } from '../file-transfer.ts'
import { chosenVoice } from '../names/voices.ts'
import { requestJson } from '../studio/api.ts'
import { languageNamed, type NamedLanguage } from './languages.ts'

const SOUND_TYPES = ['.wav', '.mp3', '.m4a', '.aac', '.flac', '.ogg', '.opus', '.wma']
const SOUND_OUTPUTS = ['.m4a', '.mp3', '.wav', '.flac']
const SUBTITLES = ['soft', 'burn', 'srt', 'vtt'] as const
const MAX_LANGUAGES = 10
const MAX_SPEAKERS = 20

export type DubFlags = {
  readonly to?: readonly string[] | undefined
  readonly from?: string | undefined
  readonly voice?: string | undefined
  readonly strategy?: string | undefined
  readonly subtitles?: string | undefined
  readonly speakers?: string | undefined
  readonly output?: string | undefined
  readonly force?: boolean | undefined
}
export type DubRequest = {
  readonly path: string
  /** Bytes. */
  readonly size: number
  readonly inputType: 'video' | 'audio'
  readonly targets: readonly NamedLanguage[]
  /** Null: what the recogniser finds. */
  readonly source: NamedLanguage | null
  readonly strategy: (typeof TIMING_STRATEGIES)[number]
  readonly subtitles: (typeof SUBTITLES)[number]
  readonly speakers: string | undefined
  /** The films or recordings, and the languages in each; the first one plays. */
  readonly outputs: readonly { readonly path: string; readonly languages: readonly string[] }[]
  readonly subtitleFiles: readonly { readonly path: string; readonly language: string; readonly format: 'srt' | 'vtt' }[]
}

const oneOf = <T extends string>(flag: string, value: string | undefined, known: readonly T[], usual: T): T => {
  const found = value === undefined ? usual : known.find((one) => one === value)
  if (found === undefined) throw new Misuse(`--${flag} is one of ${known.join(', ')}.`)
  return found
}

/** Throws Misuse for the command line, BAD_REQUEST for files. */
export async function dubRequest(file: string, options: DubFlags, cwd: string): Promise<DubRequest> {
  const { to = [], from, output, force } = options
  const form = 'dub FILE --to es -o FILM.mp4'
  if (to.length === 0) throw new Misuse(`Name a language to dub to: ${form}`)
  if (to.length > MAX_LANGUAGES) throw new Misuse(`At most ${MAX_LANGUAGES} languages can be dubbed at once.`)
  if (output === undefined) throw new Misuse(`Name the file that is written: ${form}`)
  const targets = to.map(languageNamed).filter(({ code }, at, all) => all.findIndex((one) => one.code === code) === at)
  const source = from === undefined ? null : languageNamed(from)
  const strategy = oneOf('strategy', options.strategy, TIMING_STRATEGIES, 'concise')
  const subtitles = oneOf('subtitles', options.subtitles, SUBTITLES, 'soft')
  const { speakers } = options
  if (speakers !== undefined && !(/^\d{1,2}$/.test(speakers) && Number(speakers) >= 1 && Number(speakers) <= MAX_SPEAKERS))
    throw new Misuse(`--speakers is a number from 1 to ${MAX_SPEAKERS}.`)

  const path = resolve(cwd, file)
  const size = await sizeOf(path)
  const inputType = SOUND_TYPES.includes(extname(path).toLowerCase()) ? 'audio' : 'video'
  const target = resolve(cwd, output)
  const extension = extname(target)
  const allowed = inputType === 'video' ? ['.mp4'] : SOUND_OUTPUTS
  if (!allowed.includes(extension.toLowerCase()))
    throw new Misuse(`A ${inputType === 'video' ? 'film' : 'recording'} is written as ${allowed.join(', ')}: name the file accordingly.`)
  if (inputType === 'audio' && subtitles === 'burn') throw new Misuse('A recording has no picture for --subtitles burn. Use srt or vtt.')
  const bare = target.slice(0, target.length - extension.length)
  const codes = targets.map(({ code }) => code)
  // A film has all languages; a recording has one.
  const outputs =
    inputType === 'video' || codes.length === 1
      ? [{ path: target, languages: codes }]
      : codes.map((code) => ({ path: `${bare}.${code}${extension}`, languages: [code] }))
  const subtitleFiles =
    subtitles === 'srt' || subtitles === 'vtt'
      ? codes.map((language) => ({ path: `${bare}.${language}.${subtitles}`, language, format: subtitles }))
      : []
  for (const made of [...outputs, ...subtitleFiles]) await refuseTaken(made.path, path, force === true)
  await requireRoom(target, size)
  return { path, size, inputType, targets, source, strategy, subtitles, speakers, outputs, subtitleFiles }
}

async function sizeOf(path: string): Promise<number> {
  const found = await stat(path).catch(() => null)
  if (!found?.isFile()) throw new Failure('BAD_REQUEST', `There is no file ${path} that can be read.`)
  if (found.size === 0) throw new Failure('BAD_REQUEST', `${path} is empty.`)
  return found.size
}

async function refuseTaken(path: string, film: string, force: boolean): Promise<void> {
  const found = await stat(path).catch(() => null)
  const { dev, ino } = await stat(film)
  if (found?.dev === dev && found.ino === ino) throw new Failure('BAD_REQUEST', `${path} is the film itself. Name another file.`)
  await refuseUnwritable(path, force)
}

/** The dubbed film has about the size of the film. */
async function requireRoom(path: string, bytes: number): Promise<void> {
  const { bavail, bsize } = await statfs(dirname(path))
  if (bavail * bsize < bytes)
    throw new Failure(
      'BAD_REQUEST',
      `${dirname(path)} has ${shortBytes(bavail * bsize)} of free space, and the dub needs about ${shortBytes(bytes)}. Free some space, or choose another folder.`,
    )
}

type Engines = ReturnType<typeof enginesContracts.list.reply.parse>
/** Asks the studio before the film is sent. Throws its refusal. */
export async function askStudio(env: Environment, { source, targets }: DubRequest, voice: string | undefined, signal: AbortSignal) {
  const engines = enginesContracts.list.reply.parse(await requestJson(env, 'GET', '/engines'))
  await requireFilmPrograms(env)
  if (!engines.asr.backends.some((engine) => engine.available))
    throw new Failure(
      'BAD_REQUEST',
      `The studio has no speech recognition. ${COMMAND} setup installs one, or ${COMMAND} models install a model.`,
    )
  const profile = voice === undefined ? '' : await chosenVoice(env, voice, undefined)
  const expected = source?.code ?? recognised(engines)
  if (expected !== null) for (const target of targets) await requireTranslator(env, expected, target.code, signal)
  return { engines, profile }
}

/** The only language of the recogniser; null when it has several. */
const recognised = ({ asr }: Engines): string | null => (asr.active === 'pocketsphinx' ? 'en' : null)

/** A caller without the right to read this finds out when the studio refuses the upload. */
async function requireFilmPrograms(env: Environment): Promise<void> {
  const found = await requestJson(env, 'GET', '/system/info').catch((error: unknown) => {
    if (Failure.from(error).code === 'FORBIDDEN') return null
    throw error
  })
  if (found !== null && !overviewContracts.readInfo.reply.pick({ ffmpeg_ok: true }).parse(found).ffmpeg_ok)
    throw new Failure(
      'BAD_REQUEST',
      `Dubbing needs ffmpeg and ffprobe, which are not on the machine of the studio. ${COMMAND} setup installs them.`,
    )
}

/** Translates a word: whether a pair works is known only then. Throws the reason. */
export async function requireTranslator(env: Environment, source: string, target: string, signal: AbortSignal): Promise<void> {
  const segments = [{ id: 'test', text: source.startsWith('en') ? 'Good morning.' : 'OK.' }]
  const body = { segments, source_lang: source, target_lang: target }
  const { translated } = translationContracts.translate.reply.parse(await requestJson(env, 'POST', '/dub/translate', body, signal))
  const why = translated[0]?.error
  if (why !== undefined) throw new Failure('BAD_REQUEST', `The studio cannot translate from ${source} to ${target}: ${why}`)
}
