// The film that the figures of dubbing are measured with: known sentences of two voices over a bed, a flash and a click at each of their onsets.
import { execFile } from 'node:child_process'
import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { flite } from '#agent/engine/tts/flite/engine.ts'
import { wavHeader } from '#shared/audio/wav.ts'
import { SENTENCES } from '#test/support/audio/round-trip.ts'

export const runFfmpeg = promisify(execFile)
export const FRAMES_PER_SECOND = 25
const RATE = 48_000
const VOICES = ['rms', 'slt']
/** Seconds between the end of a sentence and the next one. */
const GAPS = [0.6, 1.5, 0.3, 2.5, 1]
/** Before the voice begins, so that it does not count as its onset. */
const CLICK_BEFORE_S = 0.25
const CLICK_SAMPLES = 240
const BED = 0.01
export type BenchLine = { readonly start: number; readonly end: number; readonly text: string }
export type BenchFilm = {
  readonly path: string
  readonly lines: readonly BenchLine[]
  /** Times of flash and click, in seconds. */
  readonly clicks: readonly number[]
  readonly seconds: number
}

async function spokenBy(voice: string, text: string): Promise<{ samples: Float32Array; sampleRate: number }> {
  const pieces: Float32Array[] = []
  let sampleRate = 0
  const params = { voice, segments: [{ text, seed: 0, pause_after_ms: 0 }] }
  for await (const event of flite.create().run('tts', params, new AbortController().signal))
    if (event.kind === 'audio') {
      pieces.push(event.samples)
      sampleRate = 16_000
    }
  return { samples: Float32Array.from(pieces.flatMap((piece) => [...piece])), sampleRate }
}

export async function makeFilm(folder: string, seconds: number): Promise<BenchFilm> {
  const sound = new Float32Array(Math.ceil(seconds * RATE))
  for (let at = 0; at < sound.length; at++) sound[at] = BED * Math.sin((2 * Math.PI * 110 * at) / RATE)
  const lines: BenchLine[] = []
  const clicks: number[] = []
  for (let at = 1, count = 0; ; count++) {
    const text = SENTENCES[count % SENTENCES.length]!
    const { samples, sampleRate } = await spokenBy(VOICES[count % VOICES.length]!, text)
    const length = samples.length / sampleRate
    if (at + length + 1 > seconds) break
    const first = samples.findIndex((value) => Math.abs(value) > 0.02)
    // On a frame, so that flash and click are at the same moment.
    const click = Math.round((at - CLICK_BEFORE_S) * FRAMES_PER_SECOND) / FRAMES_PER_SECOND
    clicks.push(click)
    for (let sample = 0; sample < CLICK_SAMPLES; sample++)
      sound[Math.round(click * RATE) + sample]! += 0.5 * Math.sin((2 * Math.PI * 4000 * sample) / RATE)
    for (let sample = 0; sample < length * RATE; sample++)
      sound[Math.round(at * RATE) + sample]! += 0.6 * (samples[Math.floor((sample * sampleRate) / RATE)] ?? 0)
    lines.push({ start: at + first / sampleRate, end: at + length, text })
    at += length + GAPS[count % GAPS.length]!
  }
  const pcm = Int16Array.from(sound, (value) => Math.round(Math.max(-1, Math.min(1, value)) * 32_767))
  const wav = join(folder, 'film.wav')
  writeFileSync(wav, Buffer.concat([wavHeader({ sampleRate: RATE, channels: 1, samples: pcm.length }), Buffer.from(pcm.buffer)]))
  const flashes = join(folder, 'flashes.txt')
  const at = clicks.map((click) => `eq(n,${Math.round(click * FRAMES_PER_SECOND)})`)
  writeFileSync(flashes, `drawbox=color=white:t=fill:enable='${at.join('+')}'`)
  const path = join(folder, 'film.mp4')
  const picture = ['-f', 'lavfi', '-i', `color=black:size=160x90:rate=${FRAMES_PER_SECOND}:duration=${seconds}`]
  const encoding = ['-c:v', 'libx264', '-preset', 'ultrafast', '-g', '50', '-pix_fmt', 'yuv420p', '-c:a', 'aac', '-b:a', '192k']
  await runFfmpeg('ffmpeg', ['-v', 'error', '-y', ...picture, '-i', wav, '-filter_script:v', flashes, ...encoding, path])
  return { path, lines, clicks, seconds }
}

/** Seconds of the frames that are white, by the times of the container. */
export async function flashesIn(path: string): Promise<number[]> {
  const show = ['-vf', 'scale=1:1,format=gray,showinfo', '-f', 'null', '-']
  const { stderr } = await runFfmpeg('ffmpeg', ['-v', 'info', '-nostats', '-i', path, '-map', '0:v:0', ...show], { maxBuffer: 2 ** 28 })
  return [...stderr.matchAll(/pts_time:([\d.]+).*?mean:\[(\d+)/g)].flatMap(([, time, mean]) => (Number(mean) > 128 ? [Number(time)] : []))
}

/** Seconds of the clicks in one stream of sound. */
export async function clicksIn(path: string, stream: number): Promise<number[]> {
  const args = [
    '-v',
    'error',
    '-i',
    path,
    '-map',
    `0:a:${stream}`,
    '-af',
    'highpass=f=3500,highpass=f=3500',
    '-ac',
    '1',
    '-ar',
    String(RATE),
    '-f',
    's16le',
    '-',
  ]
  const { stdout } = await runFfmpeg('ffmpeg', args, { encoding: 'buffer', maxBuffer: 2 ** 31 - 1 })
  const samples = new Int16Array(stdout.buffer, stdout.byteOffset, stdout.byteLength >> 1)
  const found: number[] = []
  for (let at = 0; at < samples.length; at++)
    if (Math.abs(samples[at]!) > 3_000) {
      found.push(at / RATE)
      at += RATE / 5
    }
  return found
}
