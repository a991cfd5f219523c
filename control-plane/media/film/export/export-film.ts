// Writes a film with other sound as MP4: the picture copied or encoded, several languages, subtitles and chapters.
import { symlink, writeFile } from 'node:fs/promises'
import { resolve } from 'node:path'
import { Failure } from '#shared/protocol/failure.ts'
import { syncPath } from '#shared/runtime/file.ts'
import { threeLetterCode } from '#shared/text/languages/language-codes.ts'
import { ffmpegArguments, foreignInput, ownInput, ownPieces } from '../guard/arguments.ts'
import type { Workspace } from '../guard/workspace.ts'
import { readPictureEnd } from '../probe/picture-end.ts'
import type { FilmVideo, FrameRate } from '../probe/probe.rules.ts'
import { probeFilm } from '../probe/probe.ts'
import { blockNames, openBlocks } from '../sound/blocks.ts'
import { aacOptions } from './aac.rules.ts'
import type { FfmpegCapabilities } from './capabilities.ts'
import { type ExportExpectation, isLongEnough, objectionToExport } from './check.rules.ts'
import { BURNT, type PicturePlan, pictureFor, rateFor } from './picture.rules.ts'
import type { ExportedFilm, ExportTrack, FilmExport } from './plan.ts'
import { turnSubtitlesOff } from './subtitles-off.ts'
import { exportMetadata } from './tags.ts'

export type ExportTools = {
  readonly ffmpeg: string
  readonly ffprobe: string
  readonly capabilities: FfmpegCapabilities
  readonly threads: number
  /** True if a font has the letters of a language. */
  readonly hasFont: (language: string) => Promise<boolean>
}

const RESULT = 'out.mp4'
const TAGS = 'tags.txt'
const SCRIPT = 'picture.txt'
/** Sound that MP4 holds as it is. */
const HELD: ReadonlySet<string> = new Set(['aac', 'ac3', 'eac3', 'mp3', 'alac', 'opus'])
/** Sound that begins earlier is encoded from the start of the picture on: players disagree on packets before it. A delay of an encoder is shorter. */
const MAX_EARLY_US = 25_000
/** Holes are filled first, so that everything behind the start keeps its time. */
const FROM_PICTURE = 'aresample=async=1,atrim=start=0'
const MIN_LIMIT_MS = 120_000
/** Times the length of the film. */
const SLOWEST_COPY = 1
const SLOWEST_ENCODING = 30
const MAX_TRACKS = 32

const secondsOf = (us: number): string => (us / 1e6).toFixed(6)

/** Throws as `exportFilm` of `FilmMedia`. */
export async function writeFilm(
  tools: ExportTools,
  workspace: Workspace,
  plan: FilmExport,
  progress: (us: number) => void,
): Promise<ExportedFilm> {
  const { film, tracks, subtitles, burn } = plan
  const { video } = film
  if (!video) throw new Failure('BAD_REQUEST', 'The file has no picture. Export its sound instead.')
  if (tracks.length + subtitles.length > MAX_TRACKS) throw new Failure('BAD_REQUEST', `A film has at most ${MAX_TRACKS} tracks.`)
  const warnings: string[] = []
  if (burn) {
    await writeFile(workspace.path(BURNT), burn.ass, { mode: 0o600 })
    if (burn.language !== null && !(await tools.hasFont(burn.language)))
      warnings.push(`This machine has no font for the language ${burn.language}: its letters may be boxes.`)
  }
  for (const [index, { srt }] of subtitles.entries()) await writeFile(workspace.path(`s${index}.srt`), srt, { mode: 0o600 })
  const sounds = await linkSounds(workspace, tracks)
  const streams = [null, ...tracks.map(({ title }) => title), ...subtitles.map(({ title }) => title)]
  await writeFile(workspace.path(TAGS), exportMetadata({ title: plan.title, chapters: plan.chapters, streams }), { mode: 0o600 })

  const holdsLast = plan.durationUs <= plan.soundUs
  const end = holdsLast ? await readPictureEnd(tools.ffprobe, workspace, film, plan.durationUs) : null
  const held = { holdsLast, isStill: end?.isStill ?? false }
  const expected = expectationOf(plan, rateFor(video, held))
  const order = { ...held, retime: plan.retime, isBurnt: burn !== null, mustEncode: end !== null && !isLongEnough(end.us, expected) }
  let picture = pictureFor(video, order, tools.capabilities)
  await run(picture).catch(async (error: unknown) => {
    if (!(error instanceof Failure)) throw error
    // A program that was killed, for example for want of memory, says nothing about the film.
    const isKilled = error.code === 'PROGRAM_KILLED'
    if (!isKilled && (error.code !== 'BAD_REQUEST' || !picture.isCopied)) throw error
    // A film whose packets MP4 cannot hold can still be decoded.
    if (!isKilled) picture = pictureFor(video, { ...order, mustEncode: true }, tools.capabilities)
    await run(picture)
  })
  if (subtitles.length > 0) await turnSubtitlesOff(workspace.path(RESULT))
  const result = await probeFilm(tools.ffprobe, workspace, RESULT)
  const objection = objectionToExport(result, result.lengthUs, expected)
  if (objection) throw new Failure('UNKNOWN', `The film was not written as planned. ${objection}`)
  await syncPath(workspace.path(RESULT))
  const bytes = await workspace.size(RESULT)
  await workspace.publish(RESULT, plan.to)
  return {
    path: plan.to,
    bytes,
    durationUs: plan.durationUs,
    isPictureCopied: picture.isCopied,
    warnings: [...warnings, ...picture.warnings],
  }

  async function run(how: PicturePlan): Promise<void> {
    if (how.filter !== null) await writeFile(workspace.path(SCRIPT), how.filter, { mode: 0o600 })
    await workspace.run({
      program: tools.ffmpeg,
      args: argumentsOf(plan, video!, how, sounds, tools),
      limitMs: Math.max(MIN_LIMIT_MS, ((how.isCopied ? SLOWEST_COPY : SLOWEST_ENCODING) * plan.durationUs) / 1000),
      watched: RESULT,
      progress,
    })
  }
}

/** Links the folders of sound into the workspace under names without other characters. */
async function linkSounds(workspace: Workspace, tracks: readonly ExportTrack[]): Promise<(readonly string[] | null)[]> {
  return await Promise.all(
    tracks.map(async ({ sound }, index) => {
      if (!('folder' in sound)) return null
      await symlink(resolve(sound.folder), workspace.path(`t${index}`))
      return await soundInput(sound.folder, `t${index}`)
    }),
  )
}

/** The arguments that read a folder of sound that has this name in the workspace. */
export async function soundInput(folder: string, name: string): Promise<string[]> {
  const { sampleRate, channels, encoding } = await openBlocks(folder)
  const format = ['-f', encoding === 's16' ? 's16le' : 'f32le', '-ar', String(sampleRate), '-ac', String(channels)]
  return ownPieces(
    format,
    (await blockNames(folder)).map((block) => `${name}/${block}`),
  )
}

function argumentsOf(
  plan: FilmExport,
  video: FilmVideo,
  picture: PicturePlan,
  sounds: readonly (readonly string[] | null)[],
  { capabilities, threads }: ExportTools,
): string[] {
  const { film, tracks, subtitles } = plan
  // ffmpeg counts from the first time stamp of all streams, and this studio from the picture.
  const shift = video.startUs - film.startUs
  const inputs = [
    foreignInput(shift === 0 ? [] : ['-itsoffset', secondsOf(-shift)]),
    ...sounds.flatMap((input) => (input ? [input] : [])),
    ...subtitles.map((_, index) => ownInput('srt', `s${index}.srt`)),
    ownInput('ffmetadata', TAGS),
  ]
  const tagInput = inputs.length - 1
  let nextInput = 1
  const maps = ['-map', `0:v:${video.position}`]
  const codecs: string[] = []
  tracks.forEach(({ sound, language }, index) => {
    const own = 'stream' in sound ? film.audio[sound.stream] : undefined
    const isEarly = own !== undefined && own.leadUs < -MAX_EARLY_US
    const isHeld = HELD.has(own?.codec ?? '') && !isEarly
    maps.push('-map', 'stream' in sound ? `0:a:${sound.stream}` : `${nextInput++}:a:0`)
    codecs.push(...(isHeld ? [`-c:a:${index}`, 'copy'] : aacOptions(`a:${index}`, plan.audioKbps)))
    if (isEarly) codecs.push(`-filter:a:${index}`, FROM_PICTURE)
    codecs.push(...streamTags(`a:${index}`, language, index + 1, tagInput), `-disposition:a:${index}`, index === 0 ? 'default' : '0')
  })
  subtitles.forEach(({ language }, index) => {
    maps.push('-map', `${nextInput++}:s:0`)
    codecs.push(`-c:s:${index}`, 'mov_text', ...streamTags(`s:${index}`, language, tracks.length + index + 1, tagInput))
    codecs.push(`-disposition:s:${index}`, '0')
  })
  const script = capabilities.version !== null && capabilities.version < 7 ? '-filter_script:v' : '-/filter:v'
  return ffmpegArguments(
    inputs,
    [
      ...maps,
      ...(picture.filter === null ? [] : [script, SCRIPT]),
      ...[...picture.options, ...codecs, '-t', secondsOf(plan.durationUs)],
      // The first value of a tag counts: the title of the plan replaces that of the film.
      ...[
        '-map_metadata:g',
        `${tagInput}:g`,
        '-map_metadata:g',
        '0:g',
        '-map_metadata:s:v:0',
        '0:s:v:0',
        '-map_chapters',
        String(tagInput),
      ],
      ...['-movflags', '+faststart', '-max_muxing_queue_size', '4096', '-f', 'mp4', `file:${RESULT}`],
    ],
    threads,
  )
}

/** MP4 drops codes of two letters without a word. */
function streamTags(stream: string, language: string | null, place: number, tagInput: number): string[] {
  const code = language === null ? null : threeLetterCode(language)
  return [`-map_metadata:s:${stream}`, `${tagInput}:s:${place}`, `-metadata:s:${stream}`, `language=${code ?? 'und'}`]
}

const expectationOf = ({ durationUs, tracks, chapters }: FilmExport, { numerator, denominator }: FrameRate): ExportExpectation => ({
  durationUs,
  frameUs: (1e6 * denominator) / numerator,
  hasPicture: true,
  sounds: tracks.length,
  chapters: chapters.length,
})
