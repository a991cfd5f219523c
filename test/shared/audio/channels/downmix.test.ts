import assert from 'node:assert/strict'
import { test } from 'node:test'
import { createDownmix, downmixed, mixedDown } from '#shared/audio/channels/downmix.ts'
import { concat } from '#shared/audio/stage.ts'

const RATE = 16_000
const SECONDS = 2
/** Speech-like: a tone with pauses, and a little noise that is its own in each channel. */
function channel(seed: number, sign: number, level = 0.5): Float32Array {
  let state = seed
  return Float32Array.from({ length: SECONDS * RATE }, (_, at) => {
    state = (state * 1_103_515_245 + 12_345) % 2 ** 31
    const loud = at % RATE < 0.7 * RATE ? 1 : 0
    return sign * level * loud * Math.sin((2 * Math.PI * 220 * at) / RATE) + 0.001 * (state / 2 ** 31 - 0.5)
  })
}
const inTurn = (...channels: readonly Float32Array[]) =>
  Float32Array.from(
    { length: channels[0]!.length * channels.length },
    (_, at) => channels[at % channels.length]![Math.floor(at / channels.length)]!,
  )
const level = (samples: Float32Array) => Math.sqrt(samples.reduce((sum, x) => sum + x * x, 0) / samples.length)
/** The largest difference between neighbours: a click. */
const step = (samples: Float32Array) => samples.reduce((most, x, at) => Math.max(most, at === 0 ? 0 : Math.abs(x - samples[at - 1]!)), 0)

test('channels that are upside down are heard as loud as others', () => {
  const alone = level(channel(1, 1))
  for (const channels of [
    [channel(1, 1), channel(2, -1)],
    [channel(1, 1), channel(2, -1), channel(3, 1), channel(4, -1)],
    [channel(1, -1), channel(2, 1), channel(3, 1)],
    [channel(1, 1), channel(2, 1)],
  ]) {
    const mono = downmixed(inTurn(...channels), channels.length, RATE)
    assert.equal(mono.length, SECONDS * RATE)
    assert.ok(Math.abs(level(mono) / alone - 1) < 0.02, `${level(mono)} instead of ${alone}`)
    assert.ok(step(mono) < 0.05, `${step(mono)}`)
    assert.deepEqual(mixedDown(channels, RATE), mono)
  }
})

test('a channel that turns around in the middle makes no click and no hole', () => {
  const [left, right] = [channel(1, 1), channel(2, 1)]
  for (let at = RATE / 2; at < right.length; at++) right[at] = -right[at]!
  const mono = downmixed(inTurn(left, right), 2, RATE)
  // What was in phase before counts for a while.
  assert.ok(level(mono.subarray(RATE)) > 0.9 * level(left.subarray(RATE)), `${level(mono.subarray(RATE))}`)
  assert.ok(step(mono) < 0.1, `${step(mono)}`)
})

test('channels that are in phase, that differ, or of which one is dead, are mixed by their mean', () => {
  const noise = Float32Array.from({ length: SECONDS * RATE }, (_, at) => Math.sin(at * at))
  for (const other of [channel(2, 1), channel(2, 0), new Float32Array(SECONDS * RATE), noise]) {
    const left = channel(1, 1)
    const mean = left.map((sample, at) => (sample + other[at]!) / 2)
    assert.ok(downmixed(inTurn(left, other), 2, RATE).every((sample, at) => sample - mean[at]! === 0))
  }
  const one = channel(1, 1)
  assert.equal(downmixed(one, 1, RATE), one)
})

test('the result does not depend on how the samples arrive, and has one sample for each whole frame', () => {
  const samples = concat([inTurn(channel(1, 1), channel(2, -1)), Float32Array.of(0.5)])
  const whole = downmixed(samples, 2, RATE)
  assert.equal(whole.length, SECONDS * RATE)
  for (const size of [1, 3, 639, 640, 641, 7_919]) {
    const mixer = createDownmix(2, RATE)
    const pieces: Float32Array[] = []
    for (let at = 0; at < samples.length; at += size) pieces.push(mixer.push(samples.subarray(at, at + size)))
    assert.deepEqual(concat([...pieces, mixer.flush()]), whole, `${size}`)
  }
  for (const length of [0, 1, 2, 5]) assert.equal(downmixed(new Float32Array(length), 2, RATE).length, length >> 1)
})

test('samples that are no numbers stay, so that a reader can refuse them', () => {
  const samples = inTurn(channel(1, 1), channel(2, -1))
  samples[1001] = Number.NaN
  assert.ok(downmixed(samples, 2, RATE).some(Number.isNaN))
})
