import assert from 'node:assert/strict'
import { test } from 'node:test'
import { fillerWave, seededNoise, toneWave } from '#agent/engine/tts/tone/wave.ts'

const whole = (pieces: Iterable<Float32Array>) => [...pieces].flatMap((piece) => [...piece])

test('depends on text and seed, not on the piece length', () => {
  const sound = whole(toneWave('abc', 1, 1_920, 1_920))
  assert.equal(sound.length, 1_920)
  assert.deepEqual(whole(toneWave('abc', 1, 1_920, 100)), sound)
  assert.notDeepEqual(whole(toneWave('abc', 2, 1_920, 1_920)), sound)
  assert.notDeepEqual(whole(toneWave('abd', 1, 1_920, 1_920)), sound)
  assert.ok(sound.every((sample) => Math.abs(sample) < 0.5))
})

test('filler has exactly the requested length', () => {
  for (const count of [1, 99, 100, 101, 1_000]) assert.equal(whole(fillerWave(count, 100, 0)).length, count)
})

test('seeded numbers are spread over [0, 1)', () => {
  const random = seededNoise(42)
  const numbers = Array.from({ length: 1_000 }, random)
  assert.ok(numbers.every((one) => one >= 0 && one < 1))
  assert.ok(Math.abs(numbers.reduce((sum, one) => sum + one, 0) / 1_000 - 0.5) < 0.05)
  assert.equal(new Set(numbers).size, 1_000)
})
