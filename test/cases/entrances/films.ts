// Films through upload, lines, speech and export, as a client sends them.
import assert from 'node:assert/strict'
import { execFileSync } from 'node:child_process'
import { readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { ffmpeg, ffprobe, folder } from '#test/control-plane/media/film/corpus.ts'
import { clicksIn, newPath, RATE } from '#test/control-plane/media/film/sound.ts'
import { eventsOfTask, preparedDub } from '#test/scenarios/dubbing/dub-client.ts'
import type { World } from '#test/support/world/world.ts'

/** Seconds of the file and of its picture, to a tenth. */
type Length = readonly [file: number, picture: number]
export type FilmValue = {
  /** Remark of the upload about the lengths; '' for none. */
  readonly remark: string
  readonly download: Length
  readonly burned: Length
  readonly preview: Length
  /** True if a film with a slower picture is longer, and its picture is as long as its file. */
  readonly isSlowerOneWhole: boolean
}
/** Milliseconds from the flash to the beep in the dubbed track and in the original, to 20. */
export type TracksValue = { readonly dub: number; readonly original: number }

const LONG = 'The committee met in the old town hall, and everybody who had come was asked to say what they thought of the plan.'

/** A film with two lines from a time on, spoken in two ways: within their time, and over a slower picture. */
export async function dubbed(world: World, path: string, name: string, from = 3) {
  const { id, events } = await preparedDub(world, path, name)
  assert.equal(events.at(-1)!.type, 'ready', JSON.stringify(events.at(-1)))
  const generate = async (code: string, text: string, strategy: string) => {
    const segments = [
      { id: 'a', start: from, end: from + 0.8, text },
      { id: 'b', start: from + 0.9, end: from + 1.8, text: 'Hello.' },
    ]
    const reply = await world.post(`/dub/generate/${id}`, { segments, language_code: code, timing_strategy: strategy, num_step: 4 })
    assert.equal(reply.status, 200, reply.body.toString())
    const last = (await eventsOfTask(world, reply.json().task_id)).at(-1)!
    assert.equal(last.type, 'done', JSON.stringify(last))
  }
  await generate('en', 'Hello.', 'concise')
  await generate('de', LONG, 'stretch_video')
  const remarks = events
    .filter(({ type, ['stage']: stage }) => type === 'warning' && stage === 'extract')
    .map((event) => event['reason'] as string)
  return { id, remark: remarks.join(' ') }
}

let count = 0
export async function exported(world: World, path: string): Promise<string> {
  const reply = await world.get(path)
  assert.equal(reply.status, 200, `${path}: ${reply.body.subarray(0, 300)}`)
  const to = join(folder, `case-${count++}.mp4`)
  writeFileSync(to, reply.body)
  return to
}
export function lengthOf(path: string): Length {
  const asked = ['-v', 'error', '-select_streams', 'v:0', '-show_entries', 'stream=duration:format=duration', '-of', 'json', path]
  const { streams, format } = JSON.parse(execFileSync(ffprobe!, asked, { encoding: 'utf8' }))
  const tenth = (text: string) => Math.round(Number(text) * 10) / 10
  return [tenth(format.duration), tenth(streams[0].duration)]
}

export async function filmOf(world: World, path: string, name: string): Promise<FilmValue> {
  const { id, remark } = await dubbed(world, path, name)
  const of = async (address: string) => lengthOf(await exported(world, address))
  const download = await of(`/dub/download/${id}?include_tracks=original,en`)
  const [slower, picture] = await of(`/dub/download/${id}?default_track=de`)
  return {
    remark,
    download,
    isSlowerOneWhole: slower > download[0] + 0.5 && Math.abs(slower - picture) < 0.15,
    burned: await of(`/dub/download/${id}?include_tracks=original,en&burn_subs=true`),
    preview: await of(`/dub/preview-video/${id}?lang=en`),
  }
}

/** For films with one beep and one flash before their fifth second. */
export async function tracksOf(world: World, path: string, name: string): Promise<TracksValue> {
  const { id } = await dubbed(world, path, name, 5)
  const film = await exported(world, `/dub/download/${id}?include_tracks=original,en&default_track=original`)
  const flash = flashOf(film)
  const [original, dub] = [0, 1].map((track) => Math.round(((firstBeep(film, track) - flash) * 1000) / 20) * 20)
  return { dub: dub!, original: original! }
}
function flashOf(path: string): number {
  const shown = ['-v', 'error', '-nostdin', '-i', path, '-an', '-vf', 'scale=16:16,format=gray', '-f', 'rawvideo', 'pipe:1']
  const gray = execFileSync(ffmpeg!, shown, { maxBuffer: 2 ** 26 })
  const times = execFileSync(
    ffprobe!,
    ['-v', 'error', '-select_streams', 'v:0', '-show_entries', 'packet=pts_time', '-of', 'csv=p=0', path],
    { encoding: 'utf8' },
  )
    .split('\n')
    .filter(Boolean)
    .map(Number)
    .sort((left, right) => left - right)
  for (let frame = 0; frame * 256 < gray.length; frame++)
    if (gray.subarray(frame * 256, (frame + 1) * 256).reduce((sum, pixel) => sum + pixel, 0) > 100 * 256) return times[frame]!
  return assert.fail('the film has no flash')
}
function firstBeep(path: string, track: number): number {
  const to = newPath('beep')
  const output = ['-map', `0:a:${track}`, '-af', 'aresample=async=1:first_pts=0', '-ac', '1', '-ar', String(RATE), '-f', 'f32le', to]
  execFileSync(ffmpeg!, ['-v', 'error', '-nostdin', '-i', path, ...output])
  return clicksIn(new Float32Array(Uint8Array.from(readFileSync(to)).buffer))[0] ?? assert.fail('the track has no beep')
}
