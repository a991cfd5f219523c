// Writes sound alone: WAV by the studio, everything else by ffmpeg.
import { createReadStream } from 'node:fs'
import { open, symlink, writeFile } from 'node:fs/promises'
import { join, resolve } from 'node:path'
import { MAX_WAV_BYTES, rf64Header, wavHeader } from '#shared/audio/wav.ts'
import { Failure } from '#shared/protocol/failure.ts'
import { syncPath } from '#shared/runtime/file.ts'
import { threeLetterCode } from '#shared/text/languages/language-codes.ts'
import { ffmpegArguments, ownInput } from '../guard/arguments.ts'
import type { Workspace } from '../guard/workspace.ts'
import { probeFilm } from '../probe/probe.ts'
import { blockNames, frameBytes, openBlocks } from '../sound/blocks.ts'
import { aacOptions } from './aac.rules.ts'
import { objectionToExport } from './check.rules.ts'
import { soundInput } from './export-film.ts'
import type { ExportedSound, SoundExport, SoundFileFormat } from './plan.ts'
import { exportMetadata } from './tags.ts'

export type SoundTools = {
  /** Path of ffmpeg. Not called for WAV. */
  readonly ffmpeg: () => string
  readonly ffprobe: () => string
  readonly threads: number
  readonly signal: AbortSignal
  /** The most bytes of samples in a plain WAV file. */
  readonly mostWavBytes?: number
}

const TAGS = 'tags.txt'
const MIN_LIMIT_MS = 120_000
const [MIN_KBPS, MAX_KBPS] = [32, 320]
const READ_BYTES = 1024 * 1024
/** Frames of MP3, and of its delay, are longer than those of AAC. */
const FRAME_US = 60_000
const OUTPUTS: Readonly<Record<Exclude<SoundFileFormat, 'wav'>, (kbps: number) => readonly string[]>> = {
  m4a: (kbps) => [...aacOptions('a', kbps), '-movflags', '+faststart', '-f', 'ipod'],
  mp3: (kbps) => ['-c:a', 'libmp3lame', '-b:a', `${kbps}k`, '-f', 'mp3'],
  flac: () => ['-c:a', 'flac', '-f', 'flac'],
}

/** Throws as `exportSound` of `FilmMedia`. */
export async function writeSound(
  tools: SoundTools,
  workspace: Workspace,
  plan: SoundExport,
  progress: (us: number) => void,
): Promise<ExportedSound> {
  const { samples, sampleRate } = await openBlocks(plan.sound)
  if (samples === 0) throw new Failure('BAD_REQUEST', 'There is no sound to export.')
  const durationUs = Math.round((samples * 1e6) / sampleRate)
  const name = `out.${plan.format}`
  if (plan.format === 'wav') await writeWav(tools, workspace.path(name), plan.sound, progress)
  else await encode(tools, workspace, plan, name, durationUs, progress)
  await syncPath(workspace.path(name))
  const bytes = await workspace.size(name)
  await workspace.publish(name, plan.to)
  return { path: plan.to, bytes, durationUs }
}

async function encode(
  { ffmpeg, ffprobe, threads }: SoundTools,
  workspace: Workspace,
  { sound, format, kbps, title, language }: SoundExport,
  name: string,
  durationUs: number,
  progress: (us: number) => void,
): Promise<void> {
  if (format === 'wav') return
  await symlink(resolve(sound), workspace.path('t0'))
  await writeFile(workspace.path(TAGS), exportMetadata({ title, chapters: [], streams: [] }), { mode: 0o600 })
  const code = language === null ? null : threeLetterCode(language)
  const options = OUTPUTS[format](Math.round(Math.max(MIN_KBPS, Math.min(MAX_KBPS, kbps))))
  await workspace.run({
    program: ffmpeg(),
    args: ffmpegArguments(
      [await soundInput(sound, 't0'), ownInput('ffmetadata', TAGS)],
      ['-map', '0:a:0', '-map_metadata', '1', ...(code ? ['-metadata:s:a:0', `language=${code}`] : []), ...options, `file:${name}`],
      threads,
    ),
    limitMs: Math.max(MIN_LIMIT_MS, durationUs / 1000),
    watched: name,
    progress,
  })
  const result = await probeFilm(ffprobe(), workspace, name)
  const expected = { durationUs, frameUs: FRAME_US, hasPicture: false, sounds: 1, chapters: 0 }
  const objection = objectionToExport(result, result.lengthUs, expected)
  if (objection) throw new Failure('UNKNOWN', `The sound was not written as planned. ${objection}`)
}

/** WAV, or RF64 where the sizes of WAV end. */
async function writeWav(
  { signal, mostWavBytes = MAX_WAV_BYTES }: SoundTools,
  path: string,
  folder: string,
  progress: (us: number) => void,
): Promise<void> {
  const shape = await openBlocks(folder)
  if (shape.encoding !== 's16') throw new RangeError('sound is exported with 16 bit')
  const bytes = shape.samples * frameBytes(shape)
  const file = await open(path, 'wx', 0o600)
  try {
    await file.writeFile((bytes > mostWavBytes ? rf64Header : wavHeader)(shape))
    let written = 0
    for (const name of await blockNames(folder)) {
      for await (const piece of createReadStream(join(folder, name), { highWaterMark: READ_BYTES })) {
        signal.throwIfAborted()
        await file.writeFile(piece as Buffer)
        written += (piece as Buffer).length
      }
      progress(((written / frameBytes(shape)) * 1e6) / shape.sampleRate)
    }
    if (written !== bytes) throw new Failure('INPUT_CORRUPT', 'The sound of the film is damaged.')
  } finally {
    await file.close()
  }
}
