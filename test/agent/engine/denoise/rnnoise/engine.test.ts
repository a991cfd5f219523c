// Noise reduction in decibels, and properties that must not change: length, position, silence.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { rnnoise } from '#agent/engine/denoise/rnnoise/engine.ts'
import { RNNOISE_SAMPLE_RATE } from '#agent/engine/denoise/rnnoise/frames.ts'
import { Failure } from '#shared/protocol/failure.ts'
import { asAudio, audioOf, eventsOf, FLITE_RATE, join, noise, resultOf, rmsOf, spoken } from '#test/agent/engine/audio/recording.ts'

const engine = rnnoise.create()
const { signal } = new AbortController()
async function clean(samples: Float32Array, params: object = {}, rate = FLITE_RATE) {
  const events = await eventsOf(engine.run('denoise', params, signal, asAudio(samples, rate)))
  return { events, samples: audioOf(events), result: resultOf<{ sample_rate: number; parts: { samples: number }[] }>(events) }
}
const TEXTS = [
  'The quick brown fox jumps over the lazy dog.',
  'Please call me back when you have time.',
  'We never met before that winter.',
]

/** Ratio in decibels between the part of `heard` that is `truth`, at any level, and the rest. */
function signalToNoise(heard: Float32Array, truth: Float32Array): number {
  const dot = heard.reduce((sum, sample, index) => sum + sample * truth[index]!, 0)
  const level = dot / truth.reduce((sum, sample) => sum + sample * sample, 0)
  const rest = heard.map((sample, index) => sample - level * truth[index]!)
  return 20 * Math.log10((level * rmsOf(truth)) / rmsOf(rest))
}

test('speech in white noise at 5 dB improves by at least 4.5 dB and keeps its position', async () => {
  const speech = join(await spoken(TEXTS, 'rms'))
  const noisy = noise(speech.length, rmsOf(speech) / 10 ** (5 / 20), 7).map((one, index) => one + speech[index]!)
  const before = signalToNoise(noisy, speech)
  assert.ok(Math.abs(before - 5) < 0.3, `${before} dB before`)
  const { samples, result } = await clean(noisy, { sample_rate: FLITE_RATE })
  assert.equal(result.sample_rate, FLITE_RATE)
  assert.equal(samples.length, speech.length)
  assert.equal(result.parts[0]!.samples, samples.length)
  const after = signalToNoise(samples, speech)
  assert.ok(after >= before + 4.5, `${before.toFixed(1)} dB before, ${after.toFixed(1)} dB after`)
  // A shift by a few samples would cost the correlation at once, so the place is proven by the best shift being none.
  const shifted = (by: number) =>
    signalToNoise(samples.subarray(20 + by, samples.length - 20 + by), speech.subarray(20, speech.length - 20))
  const best = Array.from({ length: 21 }, (_, index) => index - 10).reduce((a, b) => (shifted(b) > shifted(a) ? b : a))
  assert.ok(Math.abs(best) <= 1, `it came out ${best} samples late`)
})

test('frames join without clicks', async () => {
  const { samples } = await clean(join(await spoken(TEXTS.slice(0, 1))))
  const bend = (at: number) => Math.abs(samples[at + 1]! - 2 * samples[at]! + samples[at - 1]!)
  let atBorders = 0
  let elsewhere = 0
  let borders = 0
  for (let at = 1; at < samples.length - 1; at++) {
    const isBorder = at % 480 === 0 || at % 480 === 479
    if (isBorder) borders++
    if (isBorder) atBorders += bend(at)
    else elsewhere += bend(at)
  }
  const ratio = atBorders / borders / (elsewhere / (samples.length - 2 - borders))
  assert.ok(ratio < 1.3, `the curve bends ${ratio.toFixed(2)} times as much where frames meet`)
})

test('silence stays silent, noise becomes quiet, and every rate keeps the duration', async () => {
  const { samples: silent, result } = await clean(new Float32Array(16_000))
  assert.equal(result.sample_rate, RNNOISE_SAMPLE_RATE)
  assert.equal(silent.length, RNNOISE_SAMPLE_RATE)
  assert.ok(silent.every((sample) => Math.abs(sample) < 1e-4))
  const hiss = noise(32_000, 0.03, 3)
  const { samples: quiet } = await clean(hiss)
  assert.ok(rmsOf(quiet.subarray(48_000)) < rmsOf(hiss) / 10, `${rmsOf(quiet)} of ${rmsOf(hiss)}`)
  for (const rate of [8_000, 22_050, 44_100]) {
    const { samples } = await clean(noise(rate, 0.01, rate), {}, rate)
    assert.equal(samples.length, RNNOISE_SAMPLE_RATE)
  }
  assert.equal((await clean(new Float32Array(1))).samples.length, 3)
})

test('clean speech keeps its level, music does not, and nothing but noise removal is offered', async () => {
  const lost = async (samples: Float32Array) =>
    20 * Math.log10(rmsOf(samples) / rmsOf((await clean(samples, { sample_rate: FLITE_RATE })).samples))
  // Chords of decaying harmonics, another one each half second, with a drum.
  const drum = noise(FLITE_RATE / 2, 0.2, 9)
  const chords = Float32Array.from({ length: 4 * FLITE_RATE }, (_, i) => {
    const since = (i / FLITE_RATE) % 0.5
    const root = [220, 165, 247, 196][Math.floor((2 * i) / FLITE_RATE) % 4]!
    let sum = drum[Math.floor(since * FLITE_RATE)]! * Math.exp(-since / 0.03)
    for (const hz of [root, 1.5 * root, 2 * root])
      for (let harmonic = 1; harmonic <= 12; harmonic++)
        sum += (0.1 / harmonic) * Math.sin(2 * Math.PI * hz * harmonic * since) * Math.exp(-3 * since)
    return sum
  })
  assert.ok(Math.abs(await lost(join(await spoken(TEXTS.slice(0, 1))))) < 0.5)
  const ofMusic = await lost(chords)
  assert.ok(ofMusic > 2, `music lost ${ofMusic.toFixed(1)} dB`)
  assert.deepEqual(new Set(engine.describe().map(({ operation }) => operation)), new Set(['denoise']))
})

test('a long recording is streamed and can be cancelled', async () => {
  const { events } = await clean(new Float32Array(16_000 * 4))
  assert.ok(events.filter(({ kind }) => kind === 'audio').length >= 3)
  const abort = new AbortController()
  const run = engine.run('denoise', {}, abort.signal, asAudio(new Float32Array(16_000 * 30)))[Symbol.asyncIterator]()
  await run.next()
  abort.abort()
  await assert.rejects(async () => {
    for (let step = await run.next(); !step.done; ) step = await run.next()
  })
})

test('refuses a wrong rate and a missing recording', async () => {
  const refused = (error: unknown) => error instanceof Failure && error.code === 'INVALID_TASK_PARAMS'
  await assert.rejects(eventsOf(engine.run('denoise', { sample_rate: 1 }, signal, asAudio(new Float32Array(10)))), refused)
  await assert.rejects(eventsOf(engine.run('denoise', {}, signal, new Map())), refused)
})
