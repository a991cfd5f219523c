// Finds the rest of a voice in a mix, and nothing in a mix without one.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import fc from 'fast-check'
import { LEAK_WINDOW_SECONDS, leakMargin, leakOf, leakOfWindow } from '#shared/audio/dub/leak.ts'

const RATE = 16_000
const WIDTH = LEAK_WINDOW_SECONDS * RATE

/** A voice: harmonics of a pitch that glides, under syllables, with some breath. */
function voice(seconds: number, pitch: number, seed: number): Float32Array {
  let state = seed * 2_654_435_761 + 1
  const noise = () => {
    state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0
    return state / 2 ** 31 - 1
  }
  let phase = seed
  return Float32Array.from({ length: seconds * RATE }, (_, at) => {
    phase += (2 * Math.PI * pitch * (1 + 0.15 * Math.sin(at / RATE / 0.37 + seed))) / RATE
    const syllable = 0.6 + 0.4 * Math.sin((2 * Math.PI * 4.3 * at) / RATE + seed)
    let sum = 0
    for (let n = 1; n <= 12; n++) sum += Math.sin(n * phase + seed * n) / n
    return 0.15 * syllable * (sum + 0.15 * noise())
  })
}
function windowsOf(original: Float32Array, mix: Float32Array): (number | null)[] {
  const margin = leakMargin(RATE)
  const levels: (number | null)[] = []
  for (let at = margin; at + WIDTH + margin <= original.length; at += WIDTH)
    levels.push(leakOfWindow(original.subarray(at, at + WIDTH), mix.subarray(at - margin, at + WIDTH + margin), RATE))
  return levels
}
const sum = (one: Float32Array, other: Float32Array, gain: number) => one.map((sample, at) => sample + gain * other[at]!)

test('the level of a voice that was left in a mix is measured, and another voice is none', () => {
  const original = voice(4, 120, 1)
  assert.ok(Math.abs(leakOf(windowsOf(original, original))!) < 0.1)
  const quiet = original.map((sample) => sample / 10)
  assert.ok(Math.abs(leakOf(windowsOf(original, quiet))! + 20) < 0.1)
  fc.assert(
    fc.property(fc.integer({ min: 90, max: 260 }), fc.integer({ min: 2, max: 10_000 }), (pitch, seed) => {
      const dub = voice(4, pitch, seed)
      assert.equal(leakOf(windowsOf(original, dub)), null, `${pitch} Hz, ${seed}`)
      const leaking = leakOf(windowsOf(original, sum(dub, original, 1)))
      assert.ok(leaking !== null && leaking > -6 && leaking < 6, `${leaking} dB at ${pitch} Hz, ${seed}`)
    }),
    { numRuns: 15 },
  )
})

test('silence has no leak, and shorter ones are none', () => {
  const original = voice(2, 140, 3)
  assert.equal(leakOf(windowsOf(original, new Float32Array(original.length))), null)
  assert.equal(leakOf(windowsOf(new Float32Array(original.length), original)), null)
  assert.equal(leakOf([-10, -10, null, -10, -10, -10, -10]), null)
  assert.equal(leakOf([-10, -20, -30, -5, -5, -5, null]), -30)
  fc.assert(
    fc.property(fc.array(fc.option(fc.double({ min: -60, max: 6, noNaN: true }))), (levels) => {
      const level = leakOf(levels)
      const isRow = (from: number) => levels.slice(from, from + 5).filter((each) => each !== null && each >= (level ?? -60)).length === 5
      assert.equal(
        levels.some((_, from) => isRow(from)),
        level !== null,
      )
    }),
  )
})
