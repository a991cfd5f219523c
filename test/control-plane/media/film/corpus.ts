// Small films with the properties that break careless processing, made by ffmpeg when a test asks for them.
import { execFile } from 'node:child_process'
import { mkdtempSync, rmSync } from 'node:fs'
import { readFile, truncate, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { after } from 'node:test'
import { promisify } from 'node:util'
import { createFilmMedia } from '#control-plane/media/film/film.ts'
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
const picture = (size = '160x90', rate = 25) => ['-f', 'lavfi', '-i', `testsrc2=size=${size}:rate=${rate}:duration=${SECONDS}`]
/** A click each second, on the second: its place can be measured to a sample. */
const clicks = (seconds = SECONDS, rate = 48_000, channels = 'c0') => [
  ...['-f', 'lavfi', '-i', `aevalsrc=exprs=${channels === 'c0' ? CLICK : channels}:s=${rate}:d=${seconds}`],
]
const CLICK = "'if(lt(mod(t\\,1)\\,0.01)\\,0.5*sin(2*PI*1000*t)\\,0)'"
const H264 = ['-c:v', 'libx264', '-preset', 'ultrafast', '-g', '25', '-pix_fmt', 'yuv420p']
const AAC = ['-c:a', 'aac', '-b:a', '96k']

const RECIPES = {
  'plain.mp4': [...picture(), ...clicks(), ...H264, ...AAC, '-metadata:s:a:0', 'language=eng'],
  'late.mkv': [...picture(), '-itsoffset', '0.7', ...clicks(SECONDS - 1), ...H264, '-c:a', 'pcm_s16le'],
  'transport.ts': [...picture(), ...clicks(), ...H264, '-c:a', 'aac', '-f', 'mpegts'],
  'variable.mp4': [...picture(), ...clicks(), '-vf', "select='not(mod(n,3))+lt(n,40)'", '-fps_mode', 'vfr', ...H264, ...AAC],
  'surround.mkv': [
    ...picture(),
    ...['-f', 'lavfi', '-i', `aevalsrc=exprs=0|0|${CLICK}|0|0|0:c=5.1:s=48000:d=${SECONDS}`],
    ...clicks(),
    ...['-map', '0', '-map', '1', '-map', '2', ...H264, '-c:a:0', 'ac3', '-c:a:1', 'aac', '-disposition:a:0', '0', '-disposition:a:1', '0'],
  ],
  'hdr.mkv': [
    ...picture(),
    ...clicks(),
    ...['-c:v', 'libx265', '-preset', 'ultrafast', '-pix_fmt', 'yuv420p10le', '-x265-params', 'log-level=none:pools=1'],
    ...['-color_primaries', 'bt2020', '-color_trc', 'smpte2084', '-colorspace', 'bt2020nc', ...AAC],
  ],
  'credits.mp4': [...picture(), ...clicks(SECONDS - 2), ...H264, ...AAC],
  'credits.mkv': [...picture(), ...clicks(SECONDS - 2), ...H264, '-c:a', 'pcm_s16le'],
  'mute.mp4': [...picture(), ...H264],
  'silent.mp4': [...picture(), '-f', 'lavfi', '-i', `anullsrc=r=44100:cl=stereo:d=${SECONDS}`, ...H264, ...AAC],
  'sound.mp3': [...clicks(), '-c:a', 'libmp3lame', '-b:a', '64k'],
  'cover.jpg': ['-f', 'lavfi', '-i', 'testsrc2=size=200x200:rate=1:duration=1', '-frames:v', '1', '-f', 'mjpeg'],
  'chapters.mp4': [...picture(), ...clicks(), ...H264, ...AAC],
  'cut.mp4': [
    ...['-f', 'lavfi', '-i', 'color=red:size=160x90:rate=25:duration=2', '-f', 'lavfi', '-i', 'testsrc2=size=160x90:rate=25:duration=2'],
    ...['-filter_complex', '[0][1]concat=n=2:v=1:a=0', ...H264],
  ],
} as const satisfies Record<string, readonly string[]>
export type CorpusFilm = keyof typeof RECIPES | 'rotated.mp4' | 'covered.mp3' | 'truncated.ts' | 'holes.mkv'

const run = promisify(execFile)
/** Runs ffmpeg with these arguments. */
export const make = (args: readonly string[]) =>
  run(ffmpeg!, ['-hide_banner', '-loglevel', 'error', '-nostdin', '-y', '-threads', '1', ...args])
const made = new Map<CorpusFilm, Promise<string>>()

/** The path of a film, which is made once per test file. */
export function corpus(name: CorpusFilm): Promise<string> {
  const known = made.get(name) ?? produce(name, join(folder, name))
  made.set(name, known)
  return known
}

async function produce(name: CorpusFilm, path: string): Promise<string> {
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
  else await make([...RECIPES[name], path])
  return path
}
