import assert from 'node:assert/strict'
import { test } from 'node:test'
import { OMNIVOICE_SAMPLE_RATE } from '#agent/engine/engines/tts/omnivoice/codec.ts'
import { prepareReference } from '#agent/engine/engines/tts/omnivoice/reference.ts'
import { fadeEdges, outputGain, peakOf, rmsOf, shortenSilences, silences } from '#agent/engine/engines/tts/omnivoice/sound.ts'
import { concat } from '#shared/audio/stage.ts'

const tone = (seconds: number, level = 0.3) =>
  Float32Array.from(
    { length: Math.round(seconds * OMNIVOICE_SAMPLE_RATE) },
    (_, at) => level * Math.sin((2 * Math.PI * 200 * at) / OMNIVOICE_SAMPLE_RATE),
  )
const silent = (seconds: number) => new Float32Array(Math.round(seconds * OMNIVOICE_SAMPLE_RATE))
const near = (got: number, wanted: number, by: number) => assert.ok(Math.abs(got - wanted) <= by, `${got}, not ${wanted}`)
const refuses = (run: () => unknown, words: RegExp) =>
  assert.throws(run, (error: Error & { code?: string }) => error.code === 'INVALID_TASK_PARAMS' && words.test(error.message))

test('silences are found', () => {
  const found = silences(concat([silent(0.5), tone(1), silent(0.3), tone(1), silent(0.05)]), OMNIVOICE_SAMPLE_RATE, -50, 100)
  assert.equal(found.length, 2)
  near(found[0]!.to / OMNIVOICE_SAMPLE_RATE, 0.5, 0.02)
  near(found[1]!.from / OMNIVOICE_SAMPLE_RATE, 1.5, 0.02)
  near(found[1]!.to / OMNIVOICE_SAMPLE_RATE, 1.8, 0.02)
})

test('silences are shortened, sound is not', () => {
  const limits = { midMs: 500, leadMs: 100, trailMs: 200 }
  near(
    shortenSilences(concat([silent(1), tone(1), silent(2), tone(1), silent(1)]), OMNIVOICE_SAMPLE_RATE, limits).length /
      OMNIVOICE_SAMPLE_RATE,
    0.1 + 1 + 0.5 + 1 + 0.2,
    0.05,
  )
  const short = concat([tone(1), silent(0.4), tone(1)])
  assert.deepEqual(shortenSilences(short, OMNIVOICE_SAMPLE_RATE, limits), short)
  assert.equal(shortenSilences(silent(3), OMNIVOICE_SAMPLE_RATE, limits).length, 0)
})

test('edges fade to zero, even for the shortest input', () => {
  const faded = fadeEdges(tone(1).fill(0.5), OMNIVOICE_SAMPLE_RATE, 0.1)
  assert.equal(faded[0], 0)
  assert.equal(faded.at(-1), 0)
  assert.equal(faded[OMNIVOICE_SAMPLE_RATE / 2], 0.5)
  near(faded[1200]!, 0.25, 0.001)
  assert.equal(fadeEdges(new Float32Array(1).fill(1), OMNIVOICE_SAMPLE_RATE, 0.1)[0], 1)
  assert.equal(fadeEdges(new Float32Array(960).fill(1), OMNIVOICE_SAMPLE_RATE, 0.1)[480]! > 0.9, true)
})

test('the level of the output follows the reference, or a peak of one half', () => {
  near(outputGain(null, 0.25, 0.25), 2, 1e-9)
  near(outputGain(0.02, 1, 0.5), 0.2, 1e-9)
  assert.equal(outputGain(0.3, 1, 0.5), 1)
  near(outputGain(null, 0.25, 0.9) * 0.9, 0.99, 1e-9)
  assert.equal(outputGain(null, 0, 0), 1)
})

test('a reference is normalised and cut to whole frames', () => {
  const { samples, rms, notices } = prepareReference(tone(5.01, 0.02), true, true)
  near(rms, 0.02 / Math.SQRT2, 1e-4)
  near(rmsOf(samples), 0.1, 1e-3)
  assert.equal(samples.length % 960, 0)
  assert.equal(samples.length, Math.floor((5.01 * OMNIVOICE_SAMPLE_RATE) / 960) * 960)
  assert.deepEqual(notices, [])
  near(peakOf(prepareReference(tone(4, 0.8), true, true).samples), 0.8, 1e-3)
})

test('a long reference without a transcript is cut on a pause', () => {
  const long = concat([tone(9), silent(0.5), tone(16)])
  const { samples, notices } = prepareReference(long, false, true)
  near(samples.length / OMNIVOICE_SAMPLE_RATE, 9.2, 0.1)
  assert.match(notices.join(), /cut to 9 seconds/)
  near(prepareReference(tone(25), false, true).samples.length / OMNIVOICE_SAMPLE_RATE, 15, 0.05)
  near(prepareReference(long, true, true).samples.length / OMNIVOICE_SAMPLE_RATE, 25.2, 0.1)
  near(prepareReference(long, false, false).samples.length / OMNIVOICE_SAMPLE_RATE, 25.5, 0.1)
})

test('a silent reference is rejected', () => {
  refuses(() => prepareReference(silent(3), false, true), /silent/)
  refuses(() => prepareReference(tone(0.02), false, true), /short/)
  refuses(() => prepareReference(tone(61), true, true), /60 seconds/)
  refuses(() => prepareReference(new Float32Array(0), false, true), /silent/)
})
