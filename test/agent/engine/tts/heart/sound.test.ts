// The arithmetic from spectra to samples, against what it must give for simple ones.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import fc from 'fast-check'
import { seededRandom } from '#agent/engine/seam/random.ts'
import { withFrames } from '#agent/engine/tts/heart/network.ts'
import { BINS, HEART_SAMPLE_RATE, type HeartFrames, HOP, toSound } from '#agent/engine/tts/heart/sound.ts'
import { cosine, exponential, noiseOf, sine, tangent } from '#agent/engine/tts/heart/waves.ts'

const FRAMES = 81
const SILENT = -60
const all = (value: number, frames = FRAMES) => new Float32Array(BINS * frames).fill(value)
const framesOf = (more: Partial<HeartFrames> = {}, frames = FRAMES): HeartFrames => ({
  frames,
  pitch: new Float32Array(frames),
  harmonics: all(SILENT, frames),
  turns: all(0, frames),
  noise: all(SILENT, frames),
  free: all(SILENT, frames),
  phases: all(0, frames),
  ...more,
})
const noise = () => noiseOf(seededRandom(1))
const power = (samples: Float32Array) => samples.reduce((sum, sample) => sum + sample * sample, 0) / samples.length

test('a silent spectrum is silence of its length', () => {
  for (const frames of [1, 2, 3, FRAMES]) {
    const samples = toSound(framesOf({}, frames), noise())
    assert.equal(samples.length, frames * HOP)
    assert.ok(power(samples) < 1e-12)
  }
})

/** The share of the power that repeats after this many samples. */
function periodicity(samples: Float32Array, lag: number): number {
  let [both, one] = [0, 0]
  for (let at = 0; at + lag < samples.length; at++) {
    both += samples[at]! * samples[at + lag]!
    one += samples[at]! * samples[at]!
  }
  return both / one
}

test('harmonics without a filter are the pulses of the pitch', () => {
  const pitch = new Float32Array(FRAMES).fill(200)
  const samples = toSound(framesOf({ pitch, harmonics: all(0) }), noise())
  const period = HEART_SAMPLE_RATE / 200
  assert.ok(periodicity(samples, period) > 0.98, `${periodicity(samples, period)}`)
  assert.ok(periodicity(samples, Math.round(period / 2)) < 0.1)
  const highest = samples.reduce((most, one) => Math.max(most, one), 0)
  const peaks = samples.filter((sample) => sample > 0.5 * highest).length
  assert.ok(peaks > 0.5 * (samples.length / period) && peaks < 6 * (samples.length / period), `${peaks}`)
})

test('unvoiced frames have no pulses, and noise has the level of its spectrum', () => {
  assert.ok(power(toSound(framesOf({ harmonics: all(0) }), noise())) < 1e-12)
  const quiet = power(toSound(framesOf({ noise: all(-6) }), noise()))
  const loud = power(toSound(framesOf({ noise: all(-6 + Math.log(2)) }), noise()))
  assert.ok(Math.abs(loud / quiet - 4) < 0.05, `${loud / quiet}`)
})

test('a spectrum that is too loud is limited and stays a number', () => {
  assert.ok(toSound(framesOf({ noise: all(1e6), free: all(Number.MAX_VALUE) }), noise()).every(Number.isFinite))
})

test('spectra in another number of frames keep their order and their pitch', () => {
  const pitch = Float32Array.from({ length: FRAMES }, (_, at) => at)
  const spectra = framesOf({ pitch, harmonics: Float32Array.from({ length: BINS * FRAMES }, (_, at) => at) })
  for (const count of [1, 40, FRAMES, 200]) {
    const other = withFrames(spectra, count)
    assert.deepEqual([other.frames, other.pitch.length, other.harmonics.length], [count, count, BINS * count])
    assert.ok(other.pitch.every((value, at) => at === 0 || value >= other.pitch[at - 1]!))
    for (const [at, value] of other.pitch.entries()) assert.equal(other.harmonics[3 * count + at], 3 * FRAMES + value)
  }
  assert.deepEqual(withFrames(spectra, FRAMES), spectra)
})

test('tables give sines, powers and tangents within 1e-6', () => {
  fc.assert(
    fc.property(fc.double({ min: -1e3, max: 1e3, noNaN: true }), (turns) => {
      const angle = (turns - Math.floor(turns)) * 2 * Math.PI
      assert.ok(Math.abs(sine(turns) - Math.sin(angle)) < 1e-6)
      assert.ok(Math.abs(cosine(turns) - Math.cos(angle)) < 1e-6)
    }),
  )
  fc.assert(
    fc.property(fc.double({ min: -120, max: 40, noNaN: true }), (x) => {
      assert.ok(Math.abs(exponential(x) / Math.exp(x) - 1) < 1e-6)
      assert.ok(Math.abs(tangent(x) - Math.tanh(x)) < 2e-6)
    }),
  )
  assert.deepEqual([exponential(-1e9), tangent(1e9)], [0, 1])
})

test('the noise is normal, and follows its seed', () => {
  const next = noise()
  const values = Float32Array.from({ length: 100_000 }, next)
  const mean = values.reduce((sum, value) => sum + value, 0) / values.length
  assert.ok(Math.abs(mean) < 0.02 && Math.abs(power(values) - 1) < 0.03, `${mean}, ${power(values)}`)
  const again = noise()
  assert.deepEqual(
    Array.from({ length: 20 }, () => again()),
    [...values.subarray(0, 20)],
  )
})
