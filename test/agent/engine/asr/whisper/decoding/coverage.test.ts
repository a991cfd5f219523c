import assert from 'node:assert/strict'
import { test } from 'node:test'
import fc from 'fast-check'
import { onsetOf, pauseWithin, trimmedToVoice, uncovered } from '#agent/engine/asr/whisper/decoding/coverage.ts'

const span = ([start, end]: readonly [number, number]) => ({ start, end })
/** Two stretches of 4 s with a voice in all but 0.4 s at their ends. */
const HEARD = { voice: [span([0.4, 3.6]), span([4.4, 7.6])], borders: [4] }
const at = (start: number, end: number) => {
  const place = trimmedToVoice({ start, end }, HEARD)
  return [place.start, place.end].map((seconds) => Math.round(seconds * 100) / 100)
}

test('a segment that ends a little after a removed pause ends before it', () => {
  assert.deepEqual(at(0, 4.5), [0.25, 3.75])
  assert.equal(pauseWithin(span([0, 4.5]), HEARD), null)
})

test('a segment that starts a little before a removed pause starts after it', () => {
  assert.deepEqual(at(3.3, 7.9), [4.25, 7.75])
  assert.equal(pauseWithin(span([3.3, 7.9]), HEARD), null)
})

test('a segment with a voice on both sides of a removed pause is divided there', () => {
  assert.equal(pauseWithin(span([0.2, 7.8]), HEARD), 4)
  // A word of 0.3 s that is a stretch by itself.
  const short = { voice: [span([0.4, 3.6]), span([4.4, 4.7])], borders: [4, 5.1] }
  assert.equal(pauseWithin(span([0, 5]), short), 4)
  assert.equal(pauseWithin(span([0, 4]), short), null)
})

test('times within the voice stay, and a segment without a voice stays in its part', () => {
  assert.deepEqual(at(1, 2.5), [1, 2.5])
  assert.deepEqual(trimmedToVoice({ start: 0.1, end: 1.9, text: 'a' }, { voice: [], borders: [1.5] }), { start: 0.1, end: 1.5, text: 'a' })
})

test('a word begins with the voice in which it ends, not with the pause before it', () => {
  const voice = [span([0, 1]), span([2, 3])]
  assert.equal(onsetOf(span([0.8, 2.6]), voice), 1.85)
  assert.equal(onsetOf(span([2.2, 2.6]), voice), 2.2)
  assert.equal(onsetOf(span([1.2, 1.6]), voice), 1.2)
  assert.equal(onsetOf(span([1.2, 1.6]), []), 1.2)
})

test('a voice without words is found between segments and removed pauses', () => {
  const whole = span([0, 8])
  assert.deepEqual(uncovered(whole, [], HEARD), [span([0, 4]), span([4, 8])])
  assert.deepEqual(uncovered(whole, [span([0, 2])], HEARD), [span([2, 4]), span([4, 8])])
  assert.deepEqual(uncovered(whole, [span([5.8, 7.7]), span([0, 3.4])], HEARD), [span([4, 5.8])])
  // The end of a segment is not exact: 0.7 s of a voice that it has the rest of.
  assert.deepEqual(uncovered(whole, [span([0, 2.9]), span([4, 8])], HEARD), [])
  assert.deepEqual(uncovered(whole, [span([0, 8])], HEARD), [])
})

test('for any segments, places are within their segment and the voice that is left has no words', () => {
  const second = fc.integer({ min: 0, max: 80 }).map((tenths) => tenths / 10)
  const segment = fc.tuple(second, second).filter(([start, end]) => start < end)
  fc.assert(
    fc.property(fc.array(segment, { maxLength: 5 }), (pairs) => {
      const segments = pairs.map(span)
      for (const one of segments) {
        const { start, end } = trimmedToVoice(one, HEARD)
        assert.ok(start >= one.start && end <= one.end && start < end, `${start} to ${end}`)
      }
      for (const gap of uncovered(span([0, 8]), segments, HEARD))
        assert.ok(segments.every(({ start, end }) => end <= gap.start || start >= gap.end))
    }),
  )
})
