import assert from 'node:assert/strict'
import { test } from 'node:test'
import { createLimiter } from '#shared/audio/master/limiter.ts'
import { createLoudnessMeter } from '#shared/audio/master/loudness.ts'
import { CEILING, createMaster, TARGET_LOUDNESS } from '#shared/audio/master/master.ts'
import { concat } from '#shared/audio/stage.ts'
import { atOnce, inPieces, peakOf, speech, tone } from '../signal.ts'

const RATE = 16000
const master = (samples: Float32Array) => atOnce(createMaster(RATE), samples)
const close = (actual: number, expected: number, message: string) =>
  assert.ok(Math.abs(actual - expected) < 0.01 * expected, `${message}: ${actual}, not ${expected}`)

const loudness = (samples: Float32Array): number => {
  const meter = createLoudnessMeter(RATE)
  for (let at = 0; at < samples.length; at += RATE / 10) meter.push(samples.subarray(at, at + RATE / 10))
  return meter.integrated()!
}
const near = (actual: number, expected: number, tolerance: number, message: string) =>
  assert.ok(Math.abs(actual - expected) <= tolerance, `${message}: ${actual}, not ${expected}`)

test('a full-scale sine of 997 Hz has -3 LUFS, and the loudness follows the level', () => {
  near(loudness(tone(3, RATE, 997, 1)), -3, 0.3, 'full scale')
  near(loudness(tone(3, RATE, 997, 0.1)), -23, 0.3, '20 dB less')
  near(loudness(concat([tone(3, RATE, 997, 0.1), new Float32Array(3 * RATE)])), -23, 0.6, 'silence is gated')
})

test('sound of any level gets the same loudness', () => {
  for (const peak of [1, 0.2, 0.02]) near(loudness(master(tone(3, RATE, 300, peak))), TARGET_LOUDNESS, 0.2, `a sine of ${peak}`)
  near(loudness(master(tone(0.3, RATE, 300, 0.2))), TARGET_LOUDNESS, 0.3, 'less than a second is enough')
  close(peakOf(master(tone(1, RATE, 300, 0.001))), 0.001 * 10 ** (24 / 20), 'not more than 24 dB')
})

test('a quiet or a loud first second is corrected afterwards', () => {
  for (const [first, then, tolerance] of [
    [0.06, 0.3, 2],
    [0.3, 0.1, 4],
  ] as const) {
    const out = master(concat([tone(1, RATE, 300, first), tone(12, RATE, 300, then)]))
    near(loudness(out), TARGET_LOUDNESS, tolerance, `${first}, then ${then}`)
  }
})

test('silence stays silent, and leading silence does not affect the gain', () => {
  assert.equal(peakOf(master(new Float32Array(40_000))), 0)
  const after = master(concat([new Float32Array(2 * RATE), tone(1, RATE, 300, 0.2)])).subarray(2 * RATE)
  assert.deepEqual(after, master(tone(1, RATE, 300, 0.2)))
})

test('a later peak is limited before it arrives, not clipped', () => {
  const out = master(concat([tone(1, RATE, 300, 0.1), tone(0.5, RATE, 300, 0.9), tone(1, RATE, 300, 0.1)]))
  assert.ok(peakOf(out) <= CEILING)
  const loud = out.subarray(RATE + 1000, RATE + 7000)
  const flat = loud.filter((sample) => Math.abs(sample) >= CEILING * 0.9999).length
  assert.ok(flat < loud.length * 0.05, `${flat} samples lie flat on the ceiling`)
})

test('the output has the length of the input and does not depend on the chunk sizes', () => {
  for (const seconds of [0, 0.001, 0.7, 2.5]) {
    const sound = speech(seconds, RATE, 4)
    const whole = master(sound)
    assert.equal(whole.length, sound.length)
    for (const seed of [1, 2, 3]) assert.deepEqual(inPieces(createMaster(RATE), sound, seed), whole)
  }
})

test('audio is emitted while it is produced', () => {
  const stage = createMaster(RATE)
  assert.equal(stage.push(tone(0.9, RATE, 300, 0.2)).length, 0)
  assert.ok(stage.push(tone(0.2, RATE, 300, 0.2)).length > 0.99 * RATE)
  assert.equal(stage.push(tone(0.2, RATE, 300, 0.2)).length, 0.2 * RATE)
})

test('below the ceiling the limiter changes nothing', () => {
  const sound = tone(0.5, RATE, 300, 0.5)
  assert.deepEqual(atOnce(createLimiter(0.6, RATE), sound), sound)
})
