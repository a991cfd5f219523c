// Media of random lengths through everything that takes media: prime numbers of samples, 8 to 96 kHz, 1 to 3 channels, gaps, early and late sound, a
// picture that ends before its sound. Every answer is the right length or a sentence; none is an error of the studio.
import assert from 'node:assert/strict'
import { execFileSync } from 'node:child_process'
import { readFileSync } from 'node:fs'
import { type TestContext, test } from 'node:test'
import fc from 'fast-check'
import { parseWav } from '#shared/audio/wav.ts'
import { ffmpeg, ffprobe } from '../control-plane/media/film/corpus.ts'
import { newPath } from '../control-plane/media/film/sound.ts'
import { SEED } from '../fuzz/seed.ts'
import { isLongRun } from '../support/long-run.ts'
import { type Reply, sharedWorld, type World } from '../support/world/world.ts'
import { dubbed, exported, lengthOf } from './entrances/films.ts'

const skip = ffmpeg && ffprobe ? false : 'ffmpeg or ffprobe is not on PATH'
const open = sharedWorld()
const [RECORDINGS, FILMS] = isLongRun ? [300, 100] : [8, 4]

type Recording = {
  readonly rate: number
  readonly channels: number
  readonly samples: number
  readonly gap: number
  readonly format: string
}
const recordings: fc.Arbitrary<Recording> = fc.record({
  rate: fc.constantFrom(8_000, 11_025, 16_000, 22_050, 32_000, 44_100, 48_000, 88_200, 96_000),
  channels: fc.integer({ min: 1, max: 3 }),
  samples: fc.integer({ min: 0, max: 600_000 }).map(primeFrom),
  /** The part of the sound from which on there is silence for a third of it. */
  gap: fc.integer({ min: 0, max: 100 }).map((percent) => percent / 100),
  format: fc.constantFrom('wav', 'flac', 'mp3', 'm4a', 'ogg'),
})
type Film = { readonly picture: number; readonly sound: number; readonly late: number; readonly rate: number; readonly frames: string }
const films: fc.Arbitrary<Film> = fc.record({
  /** Seconds, to a millisecond. */
  picture: fc.integer({ min: 900, max: 7_000 }).map((ms) => ms / 1000),
  sound: fc.integer({ min: 2_500, max: 7_000 }).map((ms) => ms / 1000),
  late: fc.integer({ min: 0, max: 900 }).map((ms) => ms / 1000),
  rate: fc.constantFrom(22_050, 44_100, 48_000),
  frames: fc.constantFrom('24', '25', '30000/1001', '12'),
})

function primeFrom(number: number): number {
  const isPrime = (of: number) => {
    for (let by = 2; by * by <= of; by++) if (of % by === 0) return false
    return of > 1
  }
  let prime = number
  while (!isPrime(prime)) prime++
  return prime
}

const run = (args: readonly string[]) => execFileSync(ffmpeg!, ['-v', 'error', '-nostdin', '-y', ...args])
/** Files of another format than WAV and FLAC are as long as their frames. */
const isExact = (format: string) => format === 'wav' || format === 'flac'

function recorded({ rate, channels, samples, gap, format }: Recording): string {
  const to = `${newPath('length')}.${format}`
  const seconds = samples / rate
  const from = gap * seconds
  const tone = `if(between(t\\,${from}\\,${from + seconds / 3})\\,0\\,0.3*sin(2*PI*330*t))`
  const source = `aevalsrc=exprs=${Array.from({ length: channels }, () => `'${tone}'`).join('|')}:s=${rate}:d=${seconds + 1}`
  const encoder = format === 'ogg' ? ['-c:a', 'libopus', '-ac', String(Math.min(channels, 2)), '-ar', '48000'] : []
  const mp3 = format === 'mp3' ? ['-ac', String(Math.min(channels, 2)), '-ar', String(Math.min(rate, 48_000))] : []
  run(['-f', 'lavfi', '-i', source, '-af', `atrim=end_sample=${samples}`, ...encoder, ...mp3, to])
  return to
}

const isSentence = (reply: Reply) => {
  const { detail } = reply.json()
  const text = typeof detail === 'string' ? detail : JSON.stringify(detail)
  assert.ok([400, 413, 422].includes(reply.status), `${reply.status}: ${text}`)
  assert.match(text, /^[A-Z].*\.$/s, text)
}

async function takeRecording(world: World, one: Recording): Promise<void> {
  const path = recorded(one)
  const bytes = new Uint8Array(readFileSync(path))
  const seconds = one.samples / one.rate
  const sent = (field: string, fields: Readonly<Record<string, string>> = {}) => {
    const body = new FormData()
    for (const [name, value] of Object.entries(fields)) body.set(name, value)
    body.set(field, new Blob([bytes]), `recording.${one.format}`)
    return body
  }
  const text = await world.post('/v1/audio/transcriptions', sent('file', { model: 'whisper-1', response_format: 'verbose_json' }))
  if (text.status === 200) {
    const { duration } = text.json()
    if (isExact(one.format)) assert.ok(Math.abs(duration - seconds) < 0.01, `${duration} of ${seconds} s`)
  } else isSentence(text)
  const clean = await world.post('/clean-audio', sent('audio'))
  if (clean.status === 200) {
    const { samples, sampleRate } = parseWav(clean.body)
    if (isExact(one.format))
      assert.ok(Math.abs(samples.length / sampleRate - seconds) < 0.05, `${samples.length / sampleRate} of ${seconds} s`)
  } else isSentence(clean)
  const clone = await world.post(
    '/generate',
    sent('ref_audio', { text: 'Hello there.', engine: 'tone', ref_text: 'a tone', effect_preset: 'raw' }),
  )
  if (clone.status === 200) assert.ok(parseWav(clone.body).samples.length > 0)
  else isSentence(clone)
}

async function takeFilm(world: World, one: Film): Promise<void> {
  const path = `${newPath('length')}.mp4`
  run([
    ...['-f', 'lavfi', '-i', `testsrc2=size=160x90:rate=${one.frames}:duration=${one.picture}`],
    ...['-itsoffset', String(one.late), '-f', 'lavfi', '-i', `sine=frequency=330:sample_rate=${one.rate}:duration=${one.sound}`],
    ...['-map', '0', '-map', '1', '-c:v', 'libx264', '-preset', 'ultrafast', '-pix_fmt', 'yuv420p', '-c:a', 'aac', path],
  ])
  const whole = Math.max(one.picture, one.sound + one.late)
  const { id } = await dubbed(world, path, 'length.mp4', 0.5)
  const [file, picture] = lengthOf(await exported(world, `/dub/download/${id}?include_tracks=original,en`))
  assert.ok(Math.abs(file - whole) < 0.25, `${file} of ${whole} s`)
  assert.ok(Math.abs(picture - file) < 0.25, `a picture of ${picture} in a film of ${file} s`)
}

/** Spoken chapters last as long as the answer says. */
async function takeChapter(world: World, one: Recording): Promise<void> {
  const text = `# One\nHello. [pause ${one.samples % 3_001}ms] Goodbye.`
  const reply = await world.post('/audiobook/preview', { text })
  assert.equal(reply.status, 200, reply.body.toString().slice(0, 300))
}

async function play<T>(t: TestContext, runs: number, inputs: fc.Arbitrary<T>, property: (input: T) => Promise<void>): Promise<void> {
  t.diagnostic(`VOICE_STUDIO_SEED=${SEED}`)
  // Smaller media say no more, and each costs seconds.
  await fc.assert(fc.asyncProperty(inputs, property), { seed: SEED, numRuns: runs, endOnFailure: true })
}

test(`${RECORDINGS} recordings of random lengths are transcribed, cleaned and cloned`, { skip }, async (t) => {
  const world = await open()
  await play(t, RECORDINGS, recordings, async (one) => {
    await takeRecording(world, one)
    await takeChapter(world, one)
  })
})

test(`${FILMS} films of random lengths are dubbed and exported`, { skip }, async (t) => {
  const world = await open()
  await play(t, FILMS, films, (one) => takeFilm(world, one))
})
