// A still picture of a film, and the times of its cuts.
import { Failure } from '#shared/protocol/failure.ts'
import { createLineSplitter } from '#shared/runtime/lines.ts'
import { ffmpegArguments, foreignInput } from '../guard/arguments.ts'
import type { Workspace } from '../guard/workspace.ts'
import type { FilmProbe } from '../probe/probe.rules.ts'

const THUMB_WIDTH = 640
const THUMB_LIMIT_MS = 60_000
const SCENE_WIDTH = 320
const SCENE_THRESHOLD = 10
/** Longer films are searched in their key frames only: encoders put them on cuts, and decoding all frames takes 16 times as long. */
const ALL_FRAMES_US = 20 * 60 * 1e6
const MIN_LIMIT_MS = 120_000
/** Times the length of the film. */
const SLOWEST_SEARCH = 4
const MAX_CUTS = 20_000
const LINE_CHARS = 1_024
const THUMB = 'thumb.jpg'

export type PictureTools = { readonly program: string; readonly threads: number }

/** Writes a JPEG of 640 pixels width, or the cover of a film without a picture. False when there is neither. Throws as `runGuarded`. */
export async function makeThumb({ program, threads }: PictureTools, workspace: Workspace, film: FilmProbe, to: string): Promise<boolean> {
  const position = film.video?.position ?? film.cover
  if (position === null) return false
  const wanted = film.video ? Math.min(3, (film.durationUs ?? 0) / 1e7) : 0
  const output = ['-map', `0:v:${position}`, '-an', '-sn', '-frames:v', '1', '-vf', `scale=${THUMB_WIDTH}:-2`, '-q:v', '4']
  for (const seconds of wanted > 0 ? [wanted, 0] : [0]) {
    const input = foreignInput(seconds > 0 ? ['-ss', seconds.toFixed(3)] : [])
    const args = ffmpegArguments([input], [...output, '-c:v', 'mjpeg', '-f', 'mjpeg', `file:${THUMB}`], threads)
    const made = await workspace.run({ program, args, limitMs: THUMB_LIMIT_MS, watched: THUMB }).then(() => workspace.size(THUMB))
    if (made === 0) continue
    await workspace.publish(THUMB, to)
    return true
  }
  return false
}

/** Microseconds from the start of the picture at which another scene begins, ascending. None without a picture. Throws as `runGuarded`. */
export async function findScenes(
  { program, threads }: PictureTools,
  workspace: Workspace,
  film: FilmProbe,
  progress: (microseconds: number) => void,
): Promise<number[]> {
  if (!film.video) return []
  const length = film.durationUs ?? ALL_FRAMES_US
  const filter = `scale=${SCENE_WIDTH}:-2,scdet=threshold=${SCENE_THRESHOLD},metadata=mode=print:key=lavfi.scd.time:file=-`
  const output = ['-map', `0:v:${film.video.position}`, '-an', '-sn', '-vf', filter, '-f', 'null', '-']
  const input = foreignInput(length > ALL_FRAMES_US ? ['-skip_frame', 'nokey'] : [])
  const reader = createSceneReader(film.video.startUs - film.startUs)
  await workspace.run({
    program,
    args: ffmpegArguments([input], output, threads),
    limitMs: Math.max(MIN_LIMIT_MS, (SLOWEST_SEARCH * length) / 1000),
    progress,
    take: (piece) => reader.push(piece),
  })
  return reader.times()
}

function createSceneReader(offsetUs: number) {
  const times = new Set<number>()
  const { push } = createLineSplitter(LINE_CHARS, (line) => {
    if (!line.startsWith('lavfi.scd.time=')) return
    const time = Math.round(Number(line.slice('lavfi.scd.time='.length)) * 1e6) - offsetUs
    if (time > 0) times.add(time)
    if (times.size > MAX_CUTS) throw new Failure('BAD_REQUEST', `The film has more than ${MAX_CUTS} cuts.`)
  })
  return { push, times: () => [...times].sort((left, right) => left - right) }
}
