import assert from 'node:assert/strict'
import { readdir, rm, stat } from 'node:fs/promises'
import { test } from 'node:test'
import type { MixPlan } from '#control-plane/media/film/mix/plan.ts'
import { blockNames, openBlocks } from '#control-plane/media/film/sound/blocks.ts'
import { detectMark } from '#shared/audio/mark/mark-detect.ts'
import { createHistogramMeter, integratedLoudness } from '#shared/audio/master/histogram.ts'
import { createTruePeakMeter } from '#shared/audio/master/true-peak.ts'
import { fromS16 } from '#shared/audio/pcm.ts'
import { speech } from '#test/shared/audio/signal.ts'
import { assertSameSamples } from '#test/support/audio/sound.ts'
import { film, never, scratch } from './corpus.ts'
import { channelOf, monoTrack, newPath, RATE, stereo, tone } from './sound.ts'

const music = (time: number) => 0.1 * Math.sin(2 * Math.PI * 220 * time) + 0.05 * Math.sin(2 * Math.PI * 331 * time)
const from = (seconds: number) => Math.round(seconds * RATE)
const span = (start: number, end: number) => ({ from: from(start), to: from(end) })
const add = (...parts: Float32Array[]) => parts[0]!.map((_, i) => parts.reduce((sum, part) => sum + (part[i] ?? 0), 0))
/** The sound in a span, silence elsewhere. */
const within = (samples: Float32Array, start: number, end: number) =>
  samples.map((sample, i) => (i >= from(start) && i < from(end) ? sample : 0))
const loudnessOf = (samples: Float32Array) => {
  const meter = createHistogramMeter(RATE)
  meter.push(samples)
  return integratedLoudness(meter.finish())!
}
const truePeakDb = (samples: Float32Array) => {
  const meter = createTruePeakMeter()
  meter.push(samples)
  return 20 * Math.log10(meter.finish())
}
const bytesOf = async (path: string) => {
  const sound = await openBlocks(path)
  return await sound.read(0, sound.samples)
}

const mostOf = (samples: Float32Array) => samples.reduce((most, sample) => Math.max(most, Math.abs(sample)), 0)

const SECONDS = 14
const BED = tone(SECONDS, music)
/** Speech with this peak, below the limiter. */
const spoken = (seed: number, peak: number) => {
  const samples = speech(SECONDS, RATE, seed)
  const factor = peak / mostOf(samples)
  return samples.map((sample) => factor * sample)
}
const VOICE = spoken(8, 0.6)
const VOCALS = within(spoken(3, 0.4), 2, 6)
const SPOKEN = [span(2, 6), span(8, 12)]

async function planOf(more: Partial<MixPlan> = {}): Promise<MixPlan> {
  return {
    original: await stereo(add(BED, VOCALS)),
    background: { holds: 'bed', sound: await stereo(BED) },
    voice: await monoTrack(add(within(VOICE, 2, 6), within(VOICE, 8, 12))),
    durationUs: SECONDS * 1e6,
    speech: [span(2, 6)],
    placed: SPOKEN,
    preserveBackground: true,
    duckDb: 0,
    voiceGainDb: 0,
    mark: null,
    to: newPath('mix'),
    ...more,
  }
}

test('outside of the regions every sample is the original one, inside it is bed and voice', async () => {
  const plan = await planOf()
  const { sound, regions, isDucked } = await film.mix(plan, never)
  assert.deepEqual(regions, [span(1.92, 6.08), span(7.92, 12.08)])
  assert.deepEqual([sound.samples, sound.channels, sound.encoding, isDucked], [SECONDS * RATE, 2, 's16', false])
  const [original, mixed] = [await bytesOf(plan.original), await bytesOf(plan.to)]
  let at = 0
  for (const region of [...regions, { from: sound.samples, to: sound.samples }]) {
    assert.ok(original.subarray(at * 4, region.from * 4).equals(mixed.subarray(at * 4, region.from * 4)), `up to ${region.from}`)
    at = region.to
  }
  const [expected, heard] = [add(BED, VOICE), await channelOf(plan.to)]
  const inside = (seconds: number) =>
    mostOf(heard.slice(from(seconds), from(seconds + 3)).map((sample, i) => sample - expected[from(seconds) + i]!))
  assert.ok(inside(2.5) < 1e-4 && inside(8.5) < 1e-4)
  // No step at the joints: the change from sample to sample is that of the sounds.
  for (const edge of [1.92, 6.08]) {
    const steps = heard.slice(from(edge) - 100, from(edge) + 100).map((sample, i, all) => (i === 0 ? 0 : Math.abs(sample - all[i - 1]!)))
    assert.ok(mostOf(steps) < 0.02)
  }
})

test('vocals are subtracted, and equal plans give equal sound', async () => {
  const withVocals = await planOf({ background: { holds: 'vocals', sound: await stereo(VOCALS) } })
  const { sound } = await film.mix(withVocals, never)
  const again = await film.mix({ ...withVocals, to: newPath('mix') }, never)
  assert.equal(again.sound.digest, sound.digest)
  const [expected, heard] = [add(BED, VOICE), await channelOf(withVocals.to)]
  assert.ok(heard.slice(from(3), from(5)).every((sample, i) => Math.abs(sample - expected[from(3) + i]!) < 2e-4))
})

test('without a background the original is 18 dB lower in regions, and without preserving there is silence', async () => {
  const ducked = await planOf({ background: null, voice: await monoTrack(new Float32Array(SECONDS * RATE)) })
  assert.equal((await film.mix(ducked, never)).isDucked, true)
  const [original, heard] = [await channelOf(ducked.original), await channelOf(ducked.to)]
  const factor = 10 ** (-18 / 20)
  assert.ok(heard.slice(from(9), from(11)).every((sample, i) => Math.abs(sample - factor * original[from(9) + i]!) < 1e-4))
  const alone = await planOf({ preserveBackground: false })
  await film.mix(alone, never)
  const only = await channelOf(alone.to)
  assert.ok(only.slice(0, from(1.9)).every((sample) => sample === 0))
  assert.ok(only.slice(from(3), from(5)).every((sample, i) => Math.abs(sample - VOICE[from(3) + i]!) < 1e-4))
})

test('the voice gets the loudness of the original speech, and peaks stay below -1 dBTP', async () => {
  const quiet = add(within(VOICE, 2, 6), within(VOICE, 8, 12)).map((sample) => 0.05 * sample)
  const plan = await planOf({
    background: { holds: 'vocals', sound: await stereo(VOCALS) },
    voice: await monoTrack(quiet),
    voiceGainDb: 'match',
    preserveBackground: false,
  })
  const { voiceGainDb, speechLoudness } = await film.mix(plan, never)
  assert.ok(Math.abs(speechLoudness! - loudnessOf(VOCALS.slice(from(2), from(6)))) < 0.2)
  assert.ok(voiceGainDb > 10)
  assert.ok(Math.abs(loudnessOf(await channelOf(plan.to)) - speechLoudness!) < 1)
  const loud = await planOf({ voiceGainDb: 24 })
  await film.mix(loud, never)
  for (const channel of [0, 1]) assert.ok(truePeakDb(await channelOf(loud.to, channel)) <= -0.95)
})

test('the mark is found in the regions, and nothing outside of them is changed', async () => {
  const key = new TextEncoder().encode('a studio')
  const plan = await planOf({ mark: { key, payload: 0x1234abcd }, duckDb: -12 })
  const { regions } = await film.mix(plan, never)
  const [original, mixed] = [await bytesOf(plan.original), await bytesOf(plan.to)]
  assert.ok(original.subarray(0, regions[0]!.from * 4).equals(mixed.subarray(0, regions[0]!.from * 4)))
  assert.ok(original.subarray(regions[0]!.to * 4, regions[1]!.from * 4).equals(mixed.subarray(regions[0]!.to * 4, regions[1]!.from * 4)))
  const heard = fromS16(mixed).filter((_, i) => i % 2 === 0)
  const { level, payload } = detectMark(heard, RATE, [key])
  assert.deepEqual([level, payload], ['decoded', 0x1234abcd])
})

test('sound that was deleted, and an abort, are failures that leave no file', async () => {
  const plan = await planOf()
  await rm(plan.voice, { recursive: true })
  await assert.rejects(film.mix(plan, never), { code: 'INPUT_UNAVAILABLE' })
  const abort = new AbortController()
  const running = film.mix(await planOf({ to: plan.to }), abort.signal)
  abort.abort(new Error('stopped by the test'))
  await assert.rejects(running, /stopped by the test/)
  await assert.rejects(stat(plan.to), { code: 'ENOENT' })
  assert.deepEqual(await readdir(scratch), [])
})

test('a stretched sound has the planned length, is unchanged elsewhere, and parts that belong together stay so', async () => {
  const [whole, vocals] = [add(BED, VOCALS), VOCALS]
  const sounds = [
    { from: await stereo(whole), to: newPath('slow') },
    { from: await stereo(vocals), to: newPath('slow') },
  ] as const
  const pieces = [{ ...span(3, 5), length: from(3.5) }]
  const shapes = await film.stretch({ sounds, pieces }, never)
  assert.deepEqual(
    shapes.map(({ samples }) => samples),
    [from(15.5), from(15.5)],
  )
  const [slow, slowVocals] = [await channelOf(sounds[0].to), await channelOf(sounds[1].to)]
  const before = await channelOf(sounds[0].from)
  assertSameSamples(slow.subarray(0, from(3)), before.subarray(0, from(3)))
  assertSameSamples(slow.subarray(from(6.5)), before.subarray(from(5)))
  // Both were stretched alike: what is left of the whole without its vocals is as loud as the bed.
  const rest = slow.slice(from(3.2), from(6.3)).map((sample, i) => sample - slowVocals[from(3.2) + i]!)
  assert.ok(Math.abs(loudnessOf(rest) - loudnessOf(BED)) < 0.7)
  assert.equal((await blockNames(sounds[0].to)).length, 1)
})
