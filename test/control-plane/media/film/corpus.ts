// Small films with the properties that break careless processing, made by ffmpeg when a test asks for them.
import { execFile } from 'node:child_process'
import { existsSync, mkdtempSync, rmSync } from 'node:fs'
import { copyFile, readFile, rename, truncate, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { after } from 'node:test'
import { promisify } from 'node:util'
import { createFilmMedia } from '#control-plane/media/film/film.ts'
import type { FilmProbe } from '#control-plane/media/film/probe/probe.rules.ts'
import { systemClock } from '#shared/runtime/clock.ts'
import { findProgram } from '#shared/runtime/program.ts'

export const ffmpeg = findProgram('ffmpeg', process.env['PATH'])
export const ffprobe = findProgram('ffprobe', process.env['PATH'])
export const withPrograms = { skip: ffmpeg && ffprobe ? false : 'ffmpeg or ffprobe is not on PATH' }
export const folder = mkdtempSync(join(tmpdir(), 'film-'))
after(() => rmSync(folder, { recursive: true, force: true }))
export const scratch = join(folder, 'scratch')
export const never = new AbortController().signal
export const film = createFilmMedia({
  ffmpegPath: () => ffmpeg,
  ffprobePath: () => ffprobe,
  clock: systemClock,
  freeBytes: async () => 2 ** 34,
  scratch,
})

const SECONDS = 6
const picture = ['-f', 'lavfi', '-i', `testsrc2=size=160x90:rate=25:duration=${SECONDS}`]
/** A click each second, on the second: its place can be measured to a sample. */
const CLICK = "'if(lt(mod(t\\,1)\\,0.01)\\,0.5*sin(2*PI*1000*t)\\,0)'"
const clicks = (seconds = SECONDS, exprs = CLICK) => ['-f', 'lavfi', '-i', `aevalsrc=exprs=${exprs}:s=48000:d=${seconds}`]
const H264 = ['-c:v', 'libx264', '-preset', 'ultrafast', '-g', '25', '-pix_fmt', 'yuv420p']
const AAC = ['-c:a', 'aac', '-b:a', '96k']

const INPUTS = [
  ...[...picture, ...clicks()],
  ...['-itsoffset', '0.7', ...clicks(SECONDS - 1)],
  ...clicks(SECONDS, `0|0|${CLICK}|0|0|0:c=5.1`),
  ...['-f', 'lavfi', '-i', `anullsrc=r=44100:cl=stereo:d=${SECONDS}`],
]
const [PICTURE, CLICKS, LATE, SURROUND, SILENCE] = [0, 1, 2, 3, 4].map((input) => ['-map', `${input}`]) as [
  ...[string[], string[], string[], string[], string[]],
]
const PLAIN = [...PICTURE, ...CLICKS, ...H264]
const SHORT = [...PLAIN, '-af', `atrim=end=${SECONDS - 2}`]
/** Written by one run of ffmpeg, because its start takes longer than to make a film. */
const TOGETHER = {
  'plain.mp4': [...PLAIN, ...AAC, '-metadata:s:a:0', 'language=eng'],
  'late.mkv': [...PICTURE, ...LATE, ...H264, '-c:a', 'pcm_s16le'],
  'transport.ts': [...PLAIN, '-c:a', 'aac', '-f', 'mpegts'],
  'variable.mp4': [...PLAIN, '-vf', "select='not(mod(n,3))+lt(n,40)'", '-fps_mode', 'vfr', ...AAC],
  'surround.mkv': [
    ...[...PICTURE, ...SURROUND, ...CLICKS, ...H264],
    ...['-c:a:0', 'ac3', '-c:a:1', 'aac', '-disposition:a:0', '0', '-disposition:a:1', '0'],
  ],
  'hdr.mkv': [
    ...[...PICTURE, ...CLICKS],
    ...['-c:v', 'libx265', '-preset', 'ultrafast', '-pix_fmt', 'yuv420p10le', '-x265-params', 'log-level=none:pools=1'],
    ...['-color_primaries', 'bt2020', '-color_trc', 'smpte2084', '-colorspace', 'bt2020nc', ...AAC],
  ],
  'upside-down.mp4': [...PLAIN, '-af', 'pan=stereo|c0=c0|c1=-1*c0', ...AAC],
  'short-picture.mp4': [...PLAIN, '-vf', `trim=end=${SECONDS - 2}`, ...AAC],
  'short-picture.mkv': [...PLAIN, '-vf', `trim=end=${SECONDS - 0.5}`, '-c:a', 'pcm_s16le'],
  'still.mp4': [...PLAIN, '-frames:v', '1', ...AAC],
  'still.mkv': [...PICTURE, ...CLICKS, '-frames:v', '1', '-c:v', 'mjpeg', ...AAC],
  'fragmented.mp4': [...PLAIN, '-preset', 'fast', '-bf', '2', '-movflags', 'frag_keyframe+empty_moov', ...AAC],
  'credits.mp4': [...SHORT, ...AAC],
  'credits.mkv': [...SHORT, '-c:a', 'pcm_s16le'],
  'mute.mp4': [...PICTURE, ...H264],
  'silent.mp4': [...PICTURE, ...SILENCE, ...H264, ...AAC],
  'sound.mp3': [...CLICKS, '-c:a', 'libmp3lame', '-b:a', '64k'],
  'chapters.mp4': [...PLAIN, ...AAC],
} as const satisfies Record<string, readonly string[]>
const ALONE = {
  'cover.jpg': ['-f', 'lavfi', '-i', 'testsrc2=size=200x200:rate=1:duration=1', '-frames:v', '1', '-f', 'mjpeg'],
  'cut.mp4': [
    ...['-f', 'lavfi', '-i', 'color=red:size=160x90:rate=25:duration=2', '-f', 'lavfi', '-i', 'testsrc2=size=160x90:rate=25:duration=2'],
    ...['-filter_complex', '[0][1]concat=n=2:v=1:a=0', ...H264],
  ],
} as const satisfies Record<string, readonly string[]>
export type CorpusFilm = keyof typeof TOGETHER | keyof typeof ALONE | 'rotated.mp4' | 'covered.mp3' | 'truncated.ts' | 'holes.mkv'

const run = promisify(execFile)
/** Runs ffmpeg with these arguments. */
export const make = (args: readonly string[]) =>
  run(ffmpeg!, ['-hide_banner', '-loglevel', 'error', '-nostdin', '-y', '-threads', '1', ...args])
const made = new Map<CorpusFilm, Promise<string>>()

/** The path of a film, which is made once per run of `studio test`, and is a copy for each process. */
export function corpus(name: CorpusFilm): Promise<string> {
  const known = made.get(name) ?? produce(name, join(folder, name))
  made.set(name, known)
  return known
}

const probes = new Map<CorpusFilm, Promise<FilmProbe>>()
/** Probe of a film of the corpus. Each film is probed once per process. */
export function probedOf(name: CorpusFilm): Promise<FilmProbe> {
  const known = probes.get(name) ?? corpus(name).then((path) => film.probe(path, never))
  probes.set(name, known)
  return known
}

/** The folder of this run, which the runner removes; undefined outside of `studio test`. */
const POOL = process.env['VOICE_STUDIO_TEST_FOLDER']
async function produce(name: CorpusFilm, path: string): Promise<string> {
  const shared = POOL && join(POOL, `film-${name}`)
  if (shared && existsSync(shared)) await copyFile(shared, path)
  else {
    await write(name, path)
    await share(name, path)
  }
  return path
}
/** It appears when it is complete. Another process may have made it as well, which changes nothing. */
async function share(name: CorpusFilm, path: string): Promise<void> {
  if (!POOL) return
  const copy = join(POOL, `film-${name}.${process.pid}`)
  await copyFile(path, copy)
  await rename(copy, join(POOL, `film-${name}`))
}

let together: Promise<void> | undefined
async function writeTogether(): Promise<void> {
  const names = Object.keys(TOGETHER) as (keyof typeof TOGETHER)[]
  const pathOf = (name: string) => join(folder, `new-${name}`)
  await make([...INPUTS, ...names.flatMap((name) => [...TOGETHER[name], pathOf(name)])])
  for (const name of names) await share(name, pathOf(name))
}

async function write(name: CorpusFilm, path: string): Promise<void> {
  if (name === 'rotated.mp4') await make(['-i', await corpus('plain.mp4'), '-c', 'copy', '-metadata:s:v:0', 'rotate=90', path])
  else if (name === 'covered.mp3')
    await make([
      ...['-i', await corpus('sound.mp3'), '-i', await corpus('cover.jpg'), '-map', '0', '-map', '1'],
      ...['-c', 'copy', '-disposition:v:0', 'attached_pic', path],
    ])
  else if (name === 'truncated.ts') {
    const whole = await readFile(await corpus('transport.ts'))
    await writeFile(path, whole)
    await truncate(path, Math.floor(whole.length * 0.6))
  } else if (name === 'holes.mkv')
    await make([
      '-i',
      await corpus('late.mkv'),
      '-map',
      '0',
      '-c:v',
      'copy',
      '-c:a',
      'pcm_s16le',
      '-af',
      "aselect='not(between(t,2,3.5))'",
      path,
    ])
  else if (name in ALONE) await make([...ALONE[name as keyof typeof ALONE], path])
  else {
    together ??= writeTogether()
    await together
    await rename(join(folder, `new-${name}`), path)
  }
}
