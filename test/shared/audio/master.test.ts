import assert from 'node:assert/strict'
import { test } from 'node:test'
import { createLimiter } from '#shared/audio/limiter.ts'
import { CEILING, createMaster } from '#shared/audio/master.ts'
import { concat } from '#shared/audio/stage.ts'
import { atOnce, inPieces, peakOf, speech, tone } from './signal.ts'

const RATE = 16000
const master = (samples: Float32Array) => atOnce(createMaster(RATE), samples)
const close = (actual: number, expected: number, message: string) =>
  assert.ok(Math.abs(actual - expected) < 0.01 * expected, `${message}: ${actual}, not ${expected}`)

test('the first second decides the gain', () => {
  close(peakOf(master(tone(3, RATE, 300, 0.2))), CEILING, 'quiet sound comes up')
  close(peakOf(master(tone(3, RATE, 300, 1))), CEILING, 'loud sound comes down')
  close(peakOf(master(tone(0.3, RATE, 300, 0.2))), CEILING, 'less than a second is enough')
  close(peakOf(master(tone(1, RATE, 300, 0.001))), 0.001 * 10 ** (24 / 20), 'not more than 24 dB')
  const quietThenHalf = concat([tone(1, RATE, 300, 0.2), tone(1, RATE, 300, 0.1)])
  close(peakOf(master(quietThenHalf).subarray(RATE + 500)), CEILING / 2, 'and keeps it')
})

test('silence stays silent, and leading silence does not affect the gain', () => {
  assert.equal(peakOf(master(new Float32Array(40_000))), 0)
  close(peakOf(master(concat([new Float32Array(2 * RATE), tone(1, RATE, 300, 0.2)]))), CEILING, 'the tone after a long pause')
})

test('a later peak is limited before it arrives, not clipped', () => {
  const out = master(concat([tone(1, RATE, 300, 0.1), tone(0.5, RATE, 300, 0.9), tone(1, RATE, 300, 0.1)]))
  assert.ok(peakOf(out) <= CEILING)
  const loud = out.subarray(RATE + 1000, RATE + 7000)
  const flat = loud.filter((sample) => Math.abs(sample) >= CEILING * 0.9999).length
  assert.ok(flat < loud.length * 0.05, `${flat} samples lie flat on the ceiling`)
  close(peakOf(out.subarray(2 * RATE)), CEILING, 'and the level comes back')
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
  assert.ok(stage.push(tone(0.2, RATE, 300, 0.2)).length > RATE)
  assert.equal(stage.push(tone(0.2, RATE, 300, 0.2)).length, 0.2 * RATE)
})

test('below the ceiling the limiter changes nothing', () => {
  const sound = tone(0.5, RATE, 300, 0.5)
  assert.deepEqual(atOnce(createLimiter(0.6, RATE), sound), sound)
})
