import assert from 'node:assert/strict'
import { test } from 'node:test'
import fc from 'fast-check'
import { pauseAfter, withoutEnds } from '#agent/engine/speech/edges.ts'

const RATE = 24_000
const silence = (seconds: number) => new Float32Array(Math.round(seconds * RATE))
const tone = (seconds: number) => Float32Array.from({ length: Math.round(seconds * RATE) }, (_, at) => 0.5 * Math.sin(at / 20))
const joined = (...parts: Float32Array[]) => Float32Array.from(parts.flatMap((part) => [...part]))

test('silent ends are cut, but for a little before and after the sound', () => {
  const kept = withoutEnds(joined(silence(0.5), tone(0.3), silence(0.4)), RATE).length / RATE
  assert.ok(Math.abs(kept - (0.02 + 0.3 + 0.04)) <= 0.01, `${kept}`)
})

test('silence within the sound and sound up to the ends stay', () => {
  const sound = joined(tone(0.2), silence(1), tone(0.2))
  assert.equal(withoutEnds(sound, RATE).length, sound.length)
})

test('silence alone is returned unchanged', () => {
  for (const samples of [silence(0), silence(0.3)]) assert.equal(withoutEnds(samples, RATE).length, samples.length)
})

test('no sound is lost, at any place', () => {
  fc.assert(
    fc.property(
      fc.integer({ min: 0, max: 3_000 }),
      fc.integer({ min: 240, max: 3_000 }),
      fc.integer({ min: 0, max: 3_000 }),
      (before, length, after) => {
        const samples = joined(new Float32Array(before), new Float32Array(length).fill(0.5), new Float32Array(after))
        assert.equal(withoutEnds(samples, RATE).filter((sample) => sample !== 0).length, length)
      },
    ),
  )
})

test('a pause follows the mark, also before a closing quotation mark; a piece that ends within a clause has none', () => {
  assert.deepEqual(['Yes.', 'Yes?”', 'Yes…)', 'Ja。'].map(pauseAfter), [400, 400, 400, 400])
  assert.deepEqual(['this:', 'that;', 'so —'].map(pauseAfter), [280, 280, 280])
  assert.deepEqual(['first,', '一、'].map(pauseAfter), [180, 180])
  assert.deepEqual(['within a', '', ' '].map(pauseAfter), [0, 0, 0])
})
