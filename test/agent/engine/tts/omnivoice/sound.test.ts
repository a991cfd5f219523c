import assert from 'node:assert/strict'
import { test } from 'node:test'
import { OMNIVOICE_SAMPLE_RATE } from '#agent/engine/tts/omnivoice/codec.ts'
import { prepareReference } from '#agent/engine/tts/omnivoice/reference.ts'
import { fadeEdges, outputGain, peakOf, rmsOf, shortenSilences } from '#agent/engine/tts/omnivoice/sound.ts'
import { referenceLength, silences } from '#shared/audio/pauses.ts'
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

const seconds = (samples: Float32Array) => samples.length / OMNIVOICE_SAMPLE_RATE
const SPOKEN = { midMs: 500, leadMs: 100, trailMs: 100 }
const RECORDED = { midMs: 200, leadMs: 100, trailMs: 200 }

test('a silence keeps its length on each side of the cut, as in the reference implementation', () => {
  const shortened = (pause: number, limits: typeof SPOKEN) =>
    seconds(shortenSilences(concat([tone(1), silent(pause), tone(1)]), OMNIVOICE_SAMPLE_RATE, limits)) - 2
  near(shortened(1.6, SPOKEN), 1, 0.02)
  near(shortened(0.9, SPOKEN), 0.9, 1e-9)
  near(shortened(0.35, RECORDED), 0.35, 1e-9)
  near(shortened(0.6, RECORDED), 0.4, 0.02)
  const whole = concat([silent(1), tone(1), silent(2), tone(1), silent(1)])
  near(seconds(shortenSilences(whole, OMNIVOICE_SAMPLE_RATE, RECORDED)), 0.1 + 1 + 0.4 + 1 + 0.2, 0.05)
  const short = concat([tone(1), silent(0.4), tone(1)])
  assert.deepEqual(shortenSilences(short, OMNIVOICE_SAMPLE_RATE, SPOKEN), short)
  assert.equal(shortenSilences(silent(3), OMNIVOICE_SAMPLE_RATE, SPOKEN).length, 0)
  assert.equal(shortenSilences(new Float32Array(0), OMNIVOICE_SAMPLE_RATE, SPOKEN).length, 0)
})

test('a short click does not end a silence', () => {
  const click = silent(2)
  click.fill(0.01, OMNIVOICE_SAMPLE_RATE, OMNIVOICE_SAMPLE_RATE + 24)
  near(seconds(shortenSilences(concat([tone(1), click, tone(1)]), OMNIVOICE_SAMPLE_RATE, SPOKEN)), 3, 0.02)
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

test('a long reference without a transcript is cut on a pause, or where it is quietest', () => {
  const length = (recorded: Float32Array, hasTranscript = false, tidy = true) =>
    seconds(prepareReference(recorded, hasTranscript, tidy).samples)
  const long = concat([tone(4), silent(0.5), tone(2), silent(0.5), tone(16)])
  near(length(long), 4 + 0.4 + 2 + 0.2, 0.05)
  assert.match(prepareReference(long, false, true).notices.join(), /cut to its first 7 seconds/)
  near(length(tone(25)), 8, 0.05)
  near(length(tone(8)), 8, 0.05)
  near(length(concat([tone(5), tone(0.1, 0.1), tone(16)])), 5.1, 0.05)
  near(length(long, true), 22.8, 0.1)
  near(length(long, false, false), 23, 0.1)
})

test('the cut does not depend on the level or on silence at the start', () => {
  const long = concat([tone(6), silent(0.5), tone(16)])
  for (const gain of [1, 0.1, 0.003]) {
    near(
      referenceLength(
        long.map((sample) => sample * gain),
        OMNIVOICE_SAMPLE_RATE,
      ) / OMNIVOICE_SAMPLE_RATE,
      6.2,
      0.02,
    )
  }
  near(referenceLength(concat([silent(20), long]), OMNIVOICE_SAMPLE_RATE) / OMNIVOICE_SAMPLE_RATE, 26.2, 0.02)
  assert.equal(referenceLength(concat([silent(20), tone(7)]), OMNIVOICE_SAMPLE_RATE), 27 * OMNIVOICE_SAMPLE_RATE)
  assert.equal(referenceLength(silent(30), OMNIVOICE_SAMPLE_RATE), 30 * OMNIVOICE_SAMPLE_RATE)
})

test('a silent reference is rejected', () => {
  refuses(() => prepareReference(silent(3), false, true), /silent/)
  refuses(() => prepareReference(tone(0.02), false, true), /short/)
  refuses(() => prepareReference(tone(61), true, true), /60 seconds/)
  refuses(() => prepareReference(new Float32Array(0), false, true), /silent/)
})
