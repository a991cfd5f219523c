import assert from 'node:assert/strict'
import { test } from 'node:test'
import fc from 'fast-check'
import { type SegmentRules, toSpeechSegments } from '#agent/engine/engines/vad/silero/segments.ts'

const WINDOW = 0.032
const RULES: SegmentRules = { threshold: 0.5, silenceThreshold: 0.35, minSpeechMs: 0, minSilenceMs: 64, padMs: 0 }
const told = (text: string, rules: Partial<SegmentRules> = {}) =>
  toSpeechSegments(
    [...text].map((letter) => Number(letter) / 10),
    WINDOW,
    text.length * WINDOW,
    { ...RULES, ...rules },
  ).map(({ start, end }) => [Math.round(start / WINDOW), Math.round(end / WINDOW)])

test('a doubtful window neither starts nor ends speech', () => {
  assert.deepEqual(told('0440'), [])
  assert.deepEqual(told('09444490'), [[1, 7]])
  assert.deepEqual(told('0900'), [[1, 2]])
})

test('short pauses and short sounds are ignored', () => {
  assert.deepEqual(told('9909900'), [[0, 5]])
  assert.deepEqual(told('99009900'), [
    [0, 2],
    [4, 6],
  ])
  assert.deepEqual(told('900990000', { minSpeechMs: 50 }), [[3, 5]])
})

test('padding stays within the recording and keeps segments ordered', () => {
  assert.deepEqual(told('0099000099', { padMs: 32 }), [
    [1, 5],
    [7, 10],
  ])
  const [first, second] = toSpeechSegments([0.9, 0, 0, 0.9], WINDOW, 4 * WINDOW, { ...RULES, padMs: 5_000 })
  assert.ok(first!.start === 0 && second!.end <= 4 * WINDOW + 1e-9)
  assert.ok(first!.end <= second!.start + 1e-9)
})

test('for any probabilities the segments are ordered, disjoint, long enough and contain speech', () => {
  const rules = fc.record({
    threshold: fc.double({ min: 0.3, max: 0.9, noNaN: true }),
    silenceThreshold: fc.double({ min: 0.05, max: 0.3, noNaN: true }),
    minSpeechMs: fc.integer({ min: 0, max: 300 }),
    minSilenceMs: fc.integer({ min: 0, max: 300 }),
    padMs: fc.integer({ min: 0, max: 300 }),
  })
  fc.assert(
    fc.property(fc.array(fc.float({ min: 0, max: 1, noNaN: true }), { maxLength: 200 }), rules, (probabilities, wanted) => {
      const seconds = Math.max(0, probabilities.length - 0.3) * WINDOW
      const segments = toSpeechSegments(probabilities, WINDOW, seconds, wanted)
      let last = 0
      for (const { start, end } of segments) {
        assert.ok(start >= last - 1e-9 && end > start && end <= seconds + 1e-9)
        assert.ok((end - start) * 1000 >= wanted.minSpeechMs - 1e-3)
        last = end
        const inside = probabilities.slice(Math.floor(start / WINDOW + 1e-6), Math.ceil(end / WINDOW - 1e-6))
        assert.ok(inside.some((probability) => probability >= wanted.threshold))
      }
      if (wanted.minSpeechMs === 0 && seconds > 0 && probabilities.slice(0, -1).some((one) => one >= wanted.threshold))
        assert.ok(segments.length > 0, 'speech is not lost')
    }),
    { numRuns: 500 },
  )
})
