// Windows over a recording: lengths around their borders, the input of each window, and cross-fades.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { type MonoSeparator, type Stereo, type StereoSource, separateWindows, toMono } from '#agent/engine/separate/network/windows.ts'
import { Failure } from '#shared/protocol/failure.ts'
import { noise } from '#test/agent/engine/audio/recording.ts'
import { apart, refused, sum } from './separated.ts'

const { signal } = new AbortController()
const LENGTH = 80
const FADE = 20
const STEP = LENGTH - FADE

function sourceOf(sound: Stereo): StereoSource {
  let at = 0
  return (count) => {
    const piece = sound.map((channel) => channel.subarray(at, at + count)) as unknown as Stereo
    at += count
    return piece
  }
}
async function whole(sound: Stereo, separator: MonoSeparator) {
  const total = sound[0].length
  const [vocals, rest] = [new Float32Array(total), new Float32Array(total)]
  let at = 0
  for await (const piece of separateWindows(sourceOf(sound), total, separator, signal)) {
    assert.equal(piece.vocals.length, piece.rest.length)
    vocals.set(piece.vocals, at)
    rest.set(piece.rest, at)
    at += piece.vocals.length
  }
  assert.equal(at, total)
  return { vocals, rest }
}
const random = (length: number): Stereo => [noise(length, 0.2, 1), noise(length, 0.2, 2)]

/** Voice that the contract requires if the network gives the mix times a number for each place of a window. */
function expected(mix: Float32Array, gains: readonly number[], trim: number, fade: number, centresLast: boolean): Float32Array {
  const useful = gains.length - 2 * trim
  const step = useful - fade
  const windows = Math.max(1, Math.ceil((mix.length - useful) / step) + 1)
  const lead = centresLast ? Math.floor(Math.max(0, useful - (mix.length - (windows - 1) * step)) / 2) : 0
  return mix.map((sample, at) => {
    let [sumOfGains, sumOfWeights] = [0, 0]
    for (let one = 0; one < windows; one++) {
      const place = at - one * step
      if (place < 0 || place >= useful) continue
      const rising = one === 0 ? 1 : (place + 1) / (fade + 1)
      const falling = one === windows - 1 ? 1 : (useful - place) / (fade + 1)
      const weight = Math.min(1, rising, falling)
      sumOfGains += weight * gains[trim + place + (one === windows - 1 ? lead : 0)]!
      sumOfWeights += weight
    }
    assert.ok(Math.abs(sumOfWeights - 1) < 1e-9)
    return sample * sumOfGains
  })
}

for (const [trim, centresLast] of [
  [0, false],
  [7, false],
  [0, true],
  [7, true],
] as const) {
  test(`windows of ${LENGTH} with ${trim} unused samples at the ends weight every sample once${centresLast ? ', centred' : ''}`, async () => {
    const gains = Array.from({ length: LENGTH + 2 * trim }, (_, at) => Math.sin(at) + at / 40)
    const separator: MonoSeparator = {
      length: gains.length,
      trim,
      fade: FADE,
      centresLast,
      voiceIn: async (mix) => toMono(mix).map((one, at) => one * gains[at]!),
    }
    const lengths = [1, 2, FADE, STEP - 1, STEP, STEP + 1, LENGTH - 1, LENGTH, LENGTH + 1, LENGTH + STEP, LENGTH + STEP + 1, 1_000]
    for (const length of lengths) {
      const sound = random(length)
      const { vocals, rest } = await whole(sound, separator)
      assert.ok(apart(vocals, expected(toMono(sound), gains, trim, FADE, centresLast), 0) < 1e-5, `${length} samples`)
      assert.ok(apart(sum(vocals, rest), toMono(sound), 0) < 1e-6, `${length} samples add up`)
    }
  })
}

test('the last window has the end of the recording in its middle where the network wants it there', async () => {
  // `TensorChunk.padded` of Demucs: half of what is missing before the part, half after it; sound where there is some, else silence.
  const padded = (sound: Float32Array, offset: number): Float32Array => {
    const missing = LENGTH - Math.min(LENGTH, sound.length - offset)
    return Float32Array.from({ length: LENGTH }, (_, at) => sound[offset - Math.floor(missing / 2) + at] ?? 0)
  }
  for (const length of [1, 30, LENGTH - 1, LENGTH, LENGTH + 1, LENGTH + STEP - 1, LENGTH + STEP + 5, 3 * STEP + FADE + 1]) {
    const given: Stereo[] = []
    const separator: MonoSeparator = {
      length: LENGTH,
      trim: 0,
      fade: FADE,
      centresLast: true,
      voiceIn: async (mix) => {
        given.push([mix[0].slice(), mix[1].slice()])
        return new Float32Array(LENGTH)
      },
    }
    const sound = random(length)
    await whole(sound, separator)
    assert.equal(given.length, Math.max(1, Math.ceil((length - LENGTH) / STEP) + 1), `${length} samples`)
    for (const [index, window] of given.entries())
      for (const channel of [0, 1] as const)
        assert.deepEqual(window[channel], padded(sound[channel], index * STEP), `${length} samples, ${index}`)
  }
})

test('windows are padded with silence at the end, and no extra window is computed', async () => {
  const given: Stereo[] = []
  const separator: MonoSeparator = {
    length: LENGTH,
    trim: 0,
    fade: FADE,
    centresLast: false,
    voiceIn: async (mix) => {
      given.push([mix[0].slice(), mix[1].slice()])
      return new Float32Array(LENGTH)
    },
  }
  const sound = random(STEP + LENGTH + 5)
  await whole(sound, separator)
  assert.equal(given.length, 3)
  for (const [index, window] of given.entries()) {
    for (const channel of [0, 1] as const) {
      const wanted = new Float32Array(LENGTH)
      wanted.set(sound[channel].subarray(index * STEP, index * STEP + LENGTH))
      assert.deepEqual(window[channel], wanted)
    }
  }
  given.length = 0
  await whole(random(LENGTH), separator)
  assert.equal(given.length, 1, 'a recording that is exactly a window')
})

test('non-finite output and a cancellation end it before the next window', async () => {
  let windows = 0
  const abort = new AbortController()
  const of = (value: number): MonoSeparator => ({
    length: LENGTH,
    trim: 0,
    fade: FADE,
    centresLast: false,
    voiceIn: async () => {
      windows++
      return new Float32Array(LENGTH).fill(value, LENGTH - 1)
    },
  })
  for (const value of [Number.NaN, Number.POSITIVE_INFINITY])
    await assert.rejects(whole(random(10), of(value)), refused('NON_FINITE_OUTPUT', /not finite/))
  windows = 0
  const sound = random(1_000)
  const pieces = separateWindows(sourceOf(sound), 1_000, of(0), abort.signal)
  await pieces.next()
  abort.abort(new Failure('CANCELLED', 'no longer wanted'))
  await assert.rejects(pieces.next(), refused('CANCELLED', /wanted/))
  assert.equal(windows, 1)
})

test('the cross-fade is that of Demucs: triangular weights, divided by their sum', async () => {
  const total = LENGTH + 3 * STEP
  const triangle = Array.from({ length: LENGTH }, (_, at) => Math.min(at + 1, LENGTH - at))
  const values = Array.from({ length: 4 }, (_, window) => noise(LENGTH, 0.3, window))
  const [sum, weight] = [new Float64Array(total), new Float64Array(total)]
  for (const [window, made] of values.entries())
    for (const [at, one] of made.entries()) {
      sum[window * STEP + at]! += triangle[at]! * one
      weight[window * STEP + at]! += triangle[at]!
    }
  let window = 0
  const separator: MonoSeparator = { length: LENGTH, trim: 0, fade: FADE, centresLast: false, voiceIn: async () => values[window++]! }
  const { vocals } = await whole(random(total), separator)
  assert.ok(
    apart(
      vocals,
      Float32Array.from(sum, (one, at) => one / weight[at]!),
      0,
    ) < 1e-6,
  )
})
