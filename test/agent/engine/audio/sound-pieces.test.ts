import assert from 'node:assert/strict'
import { test } from 'node:test'
import { firstSound, speechPieces } from '#agent/engine/audio/sound-pieces.ts'
import { noise } from './recording.ts'

const RATE = 1_000
const seconds = (samples: Float32Array) => speechPieces(samples, RATE).map(({ from, to }) => [from / RATE, to / RATE])

test('a short recording stays whole, a silent one gives no pieces', () => {
  assert.deepEqual(seconds(noise(28 * RATE, 0.1, 1)), [[0, 28]])
  assert.deepEqual(seconds(new Float32Array(40 * RATE)), [])
  assert.deepEqual(seconds(new Float32Array(0)), [])
})

test('a long recording is cut at pauses without loss', () => {
  const sound = noise(60 * RATE, 0.1, 2)
  for (const pause of [20, 41]) sound.fill(0, pause * RATE, (pause + 1) * RATE)
  const pieces = seconds(sound)
  assert.equal(pieces.length, 3)
  assert.ok(pieces[0]![1]! > 20 && pieces[0]![1]! < 21 && pieces[1]![1]! > 41 && pieces[1]![1]! < 42, String(pieces))
})

test('without any pause no piece is longer than half a minute, and each begins where the last one ends', () => {
  const pieces = seconds(noise(200 * RATE, 0.1, 3))
  for (const [at, [from, to]] of pieces.entries()) {
    assert.ok(to! - from! <= 28 && (at === pieces.length - 1 || to! - from! >= 8))
    assert.equal(from, pieces[at - 1]?.[1] ?? 0)
  }
  assert.equal(pieces.at(-1)![1], 200)
})

test('a silent stretch is left out', () => {
  const sound = noise(90 * RATE, 0.1, 4)
  sound.fill(0, 15 * RATE, 75 * RATE)
  const pieces = seconds(sound)
  const heard = pieces.reduce((sum, [from, to]) => sum + to! - from!, 0)
  assert.ok(heard < 75 && pieces[0]![0] === 0 && pieces.at(-1)![1] === 90, String(pieces))
})

test('the first half minute of sound skips silence and keeps short pauses', () => {
  assert.equal(firstSound(new Float32Array(40 * RATE), RATE, 29).length, 0)
  assert.equal(firstSound(new Float32Array(0), RATE, 29).length, 0)
  const short = noise(2 * RATE + 3, 0.1, 5)
  assert.deepEqual(firstSound(short, RATE, 29), short)
  const pausing = noise(9 * RATE, 0.1, 6)
  pausing.fill(0, 3 * RATE, 4 * RATE)
  assert.equal(firstSound(pausing, RATE, 29).length, 9 * RATE)
  const late = new Float32Array(600 * RATE)
  late.set(noise(3 * RATE, 0.1, 7), 100 * RATE)
  late.set(noise(80 * RATE, 0.1, 8), 400 * RATE)
  const heard = firstSound(late, RATE, 29)
  assert.equal(heard.length, 29 * RATE)
  assert.deepEqual(heard.subarray(RATE / 2, 3.5 * RATE), late.subarray(100 * RATE, 103 * RATE))
  assert.deepEqual(heard.subarray(4.5 * RATE), late.subarray(400 * RATE, 424.5 * RATE))
})
